// The `lockstep` binary: streams, signals and the exit code. Everything else is in the verbs.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <unistd.h>

#include "sweep/cli/verbs.h"
#include "sweep/cli/version.h"
#include "sweep/cli/wiring.h"

namespace lockstep::sweep {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler stores to it");

std::atomic<bool> stops_cleanly{false};

/// The first signal asks a verb that stops cleanly to do so; the second, or the first of any other verb, ends the
/// process at once: those have nothing to save, and one long program would keep them from looking.
void on_signal(int) {
  if (interrupted.exchange(true) || !stops_cleanly) _exit(kExitInterrupted);
}

void install_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, not a signal
}

/// The working directory, then the source tree this binary was built in (two folders above it).
std::vector<std::string> configuration_roots() {
  std::vector<std::string> roots = {""};
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) roots.push_back((self.parent_path() / ".." / "..").lexically_normal().string());
  if (roots.size() > 1 && roots.back().size() > 1 && roots.back().back() == '/') roots.back().pop_back();
  return roots;
}

Terminal terminal() {
  const char* no_color = std::getenv("NO_COLOR");
  return {isatty(STDERR_FILENO) != 0, no_color != nullptr && no_color[0] != '\0'};
}

int main_verb(const std::vector<std::string>& arguments) {
  install_signals();
  Console console(std::cout, std::cerr, {});
  const Result<ParsedCommand> parsed = parse_command_line(arguments, terminal());
  if (!parsed.ok()) {
    console.report(parsed.diags());
    return kExitUsage;
  }
  console.set_style(parsed->style);
  if (!parsed->help.empty()) {
    console.result(parsed->help);
    return kExitOk;
  }
  const CommonOptions& common = parsed->command.common;
  stops_cleanly = parsed->command.verb == Verb::kSweepRun && !common.dry_run && !common.print_config;
  const auto log = [&console](const std::string& line) { console.log(line); };
  Context context{console, wire_targets(log), configuration_roots(), tool_version(), &interrupted};
  const int code = run_verb(parsed->command, context);
  if (!console.result_ok() && code == kExitOk) {
    console.report(error("E1111", {}, "the result could not be written to standard output"));
    return kExitCheckFailed;
  }
  return code;
}

}  // namespace

}  // namespace lockstep::sweep

int main(int argc, char** argv) {
  try {
    return lockstep::sweep::main_verb({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc&) {
    std::cerr << "lockstep: out of memory\n";
  } catch (const std::exception& problem) {
    std::cerr << "lockstep: internal error: " << problem.what() << '\n';
  }
  return lockstep::sweep::kExitInternal;
}
