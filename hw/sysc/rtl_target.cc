#include "hw/sysc/rtl_target.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hw/sysc/protocol.h"

extern char** environ;

namespace lockstep::sysc {

namespace {

/// Room for the program, limits and events beside the image in one message.
constexpr int64_t kMaxImageBytes = static_cast<int64_t>(kMaxMessageBytes) - (int64_t{1} << 34);

/// A running worker process and our end of its socket.
class Worker {
 public:
  Worker(pid_t pid, int channel) : pid_(pid), channel_(channel) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    close(channel_);
    if (!reaped_) end();
  }
  int channel() const { return channel_; }

  /// "exit code 70" or "signal 11" of a worker that closed its socket.
  std::string death() {
    const int status = end();
    return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                               : fmt::format("exit code {}", WEXITSTATUS(status));
  }

  static Result<std::unique_ptr<Worker>> start(const std::string& path);

 private:
  /// Kills and reaps; the wait status. Once only: afterwards the id may belong to another process.
  int end() {
    int status = 0;
    kill(pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    return status;
  }

  pid_t pid_;
  int channel_;
  bool reaped_ = false;
};

Result<std::unique_ptr<Worker>> Worker::start(const std::string& path) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return error("E0903", {}, "cannot create the socket of the RTL worker");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int far_end = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);  // never 3 itself: dup2(3, 3) would keep close-on-exec
  posix_spawn_file_actions_adddup2(&actions, far_end, 3);
  std::string program = path;
  std::vector<char*> argv = {program.data(), nullptr};
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  std::string quiet = "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1";
  environment.push_back(quiet.data());
  environment.push_back(nullptr);
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  close(far_end);
  if (failed != 0) {
    close(ends[0]);
    return error("E0903", {}, fmt::format("cannot start the RTL worker {}", path));
  }
  return std::make_unique<Worker>(pid, ends[0]);
}

class RtlTarget : public target::Target {
 public:
  RtlTarget(chip::ChipSpec chip, Limits limits, std::string worker_path, RtlOptions options)
      : chip_(std::move(chip)), limits_(limits), worker_path_(std::move(worker_path)), options_(std::move(options)) {}

  std::string_view name() const override { return "rtl"; }
  bool computes_data() const override { return true; }
  bool computes_time() const override { return true; }

  Result<target::RunResult> run(const isa::Program& program, target::MemoryImage& image,
                                const target::RunOptions& options) override {
    if (program.chip_hash != chip::timing_hash(chip_)) {
      return error("E0906", {}, fmt::format("program '{}' was compiled for another chip (hash {:016x}, '{}' has {:016x})",
                                            program.name, program.chip_hash, chip_.name, chip::timing_hash(chip_)));
    }
    if (program.code.size() > static_cast<size_t>(chip_.imem_words)) {
      return error("E0905", {}, fmt::format("program '{}' has {} words, imem_words is {}", program.name,
                                            program.code.size(), chip_.imem_words));
    }
    if (program.hbm_bytes < 0 || program.hbm_bytes > kMaxImageBytes) {
      return error("E0907", {}, fmt::format("program '{}' needs {} bytes of HBM, the RTL worker takes 0 to {}", program.name,
                                            program.hbm_bytes, kMaxImageBytes));
    }
    image.resize(static_cast<size_t>(program.hbm_bytes));
    if (!worker_) {
      Result<std::unique_ptr<Worker>> started = Worker::start(worker_path_);
      if (!started) return started.diags();
      worker_ = std::move(*started);
    }
    const Result<Bytes> request = encode_request(limits_, options, program, image);
    if (!request) return request.diags();
    Bytes reply;
    ChannelStatus status = send_message(worker_->channel(), MessageKind::kRequest, *request, options_.timeout_ms);
    if (status == ChannelStatus::kOk) {
      status = receive_message(worker_->channel(), MessageKind::kResponse, reply, options_.timeout_ms);
    }
    if (status != ChannelStatus::kOk) return lost_worker(status);
    Result<RunResponse> response = decode_response(reply);
    if (!response) {
      worker_.reset();  // who knows what it would say next
      return response.diags();
    }
    image = std::move(response->image);
    return std::move(response->result);
  }

 private:
  /// A run whose worker died or hung is a fault of that run; the next run starts a fresh worker.
  target::RunResult lost_worker(ChannelStatus status) {
    target::RunResult result;
    const bool timeout = status == ChannelStatus::kTimeout;
    result.fault = target::Fault{timeout ? "F-TIMEOUT" : "F-WORKER", 0, -1,
                                 timeout ? fmt::format("no answer within {} ms", options_.timeout_ms)
                                         : fmt::format("the RTL worker ended ({})", worker_->death())};
    worker_.reset();
    return result;
  }

  chip::ChipSpec chip_;
  Limits limits_;
  std::string worker_path_;
  RtlOptions options_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace

Result<std::unique_ptr<target::Target>> make_rtl_target(const chip::ChipSpec& chip, const RtlOptions& options) {
  const Result<Limits> limits = make_limits(chip);
  if (!limits) return limits.diags();
  Result<std::string> worker = worker_for(chip, options.build);
  if (!worker) return worker.diags();
  return std::unique_ptr<target::Target>(new RtlTarget(chip, *limits, *worker, options));
}

}  // namespace lockstep::sysc
