// The RTL worker: one process per chip build. Reads run requests from descriptor 3, simulates, answers, until the
// descriptor closes. SystemC allows one context per process, so all runs share one elaborated design with a reset between.
#include "hw/sysc/core_module.h"

#include <cstdio>

namespace {

constexpr int kChannel = 3;

int serve() {
  using namespace lockstep;
  sysc::DramModule dram("dram");
  sysc::CoreModule core("core");
  core.socket.bind(dram.socket);
  core.credit.bind(dram);
  sysc::Bytes payload;
  while (true) {
    const sysc::ReceiveStatus status = sysc::receive_message(kChannel, sysc::MessageKind::kRequest, payload, -1);
    if (status == sysc::ReceiveStatus::kClosed) return 0;
    if (status != sysc::ReceiveStatus::kOk) return 70;
    Result<sysc::RunRequest> request = sysc::decode_request(payload);
    if (!request) {
      std::fprintf(stderr, "%s", format_diag(request.diags().front()).c_str());
      return 70;
    }
    mem::DramConfig config = request->limits.dram;
    config.jitter_seed = request->options.jitter_seed;
    config.jitter_max_cycles = request->options.jitter_max_cycles;
    dram.begin_run(config, &request->image, sc_core::sc_time_stamp());
    core.begin_run(*request);
    sc_core::sc_start(sc_core::sc_max_time() - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
    if (!sysc::send_message(kChannel, sysc::MessageKind::kResponse,
                            sysc::encode_response(core.take_result(), request->image))) {
      return 0;  // the host is gone
    }
  }
}

}  // namespace

int sc_main(int, char*[]) { return serve(); }
