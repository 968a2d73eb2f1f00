#include "hw/sysc/worker.h"

#include <cstdio>
#include <ctime>

namespace lockstep::sysc {

namespace {

constexpr int kChannel = 3;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int serve(RunnableCore& core, DramModule& dram) {
  Bytes payload;
  while (true) {
    const ChannelStatus status = receive_message(kChannel, MessageKind::kRequest, payload, -1);
    if (status == ChannelStatus::kClosed) return 0;
    if (status != ChannelStatus::kOk) return 70;
    Result<RunRequest> request = decode_request(payload);
    if (!request) {
      std::fputs(format_diag(request.diags().front()).c_str(), stderr);
      return 70;
    }
    mem::DramConfig config = request->limits.dram;
    config.jitter_seed = request->options.jitter_seed;
    config.jitter_max_cycles = request->options.jitter_max_cycles;
    dram.begin_run(config, &request->image, sc_core::sc_time_stamp());
    core.begin_run(*request);
    const double start = cpu_seconds();
    sc_core::sc_start(sc_core::sc_max_time() - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
    target::RunResult result = core.take_result();
    result.host_cpu_seconds = cpu_seconds() - start;
    if (send_message(kChannel, MessageKind::kResponse, encode_response(result, request->image), -1) != ChannelStatus::kOk) {
      return 0;  // the host is gone
    }
  }
}

}  // namespace lockstep::sysc
