// The command line of every verb, parsed and checked: a typo in a verb, flag or value names the nearest right one,
// and all mistakes are reported at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "sweep/cli/console.h"

namespace lockstep::sweep {

enum class Verb : uint8_t { kCheck, kCompile, kRun, kValidate, kSweepRun, kSweepPlan, kTrace, kList, kVersion };
enum class Format : uint8_t { kText, kJson, kCsv };
enum class RunTarget : uint8_t { kModel, kRtl, kGolden, kBoth };

/// One `--set a.b=value`.
struct Override {
  std::string key;
  std::string value;
};

struct GemmShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
};

/// What to compile: a GEMM, a layers file, or a model with its request.
struct WorkloadChoice {
  std::optional<GemmShape> gemm;
  std::vector<std::string> files;  // --workload
  std::string phase;               // models only: prefill or decode
  int64_t batch = 1;
  int64_t sequence = 0;            // 0 = not given
  int64_t context = 0;             // 0 = not given
  std::string op;        // only the GEMM of this name; empty = all
  bool reduced = false;  // tile loops cut to at most 3 rounds

  /// True when a flag says how to use a model.
  bool has_request() const { return !phase.empty() || batch != 1 || sequence != 0 || context != 0; }
};

struct TraceChoice {
  int64_t max_mb = 200;
  bool rtl = false;
};

/// Flags that mean the same for every verb that takes them.
struct CommonOptions {
  std::string output;               // -o
  std::vector<Override> overrides;  // --set
  uint64_t seed = 1;
  int jobs = 0;                     // 0 = number of processors
  Format format = Format::kText;
  double timeout_s = 0;             // 0 = none
  bool force = false;
  bool print_config = false;
  bool dry_run = false;
};

struct CommandLine {
  Verb verb = Verb::kVersion;
  std::vector<std::string> files;  // positional arguments
  std::vector<std::string> chips;  // --chip: names or files
  WorkloadChoice workload;
  RunTarget target = RunTarget::kModel;
  TraceChoice trace;
  CommonOptions common;
};

struct ParsedCommand {
  CommandLine command;
  Console::Style style;
  std::string help;  // not empty: print it and stop
};

struct Terminal {
  bool err_is_tty = false;
  bool no_color = false;  // NO_COLOR is set and not empty
};

/// `arguments` without the program's name. E1101 verb, E1102 flag, E1103 argument, E1104 value, E1105 missing.
Result<ParsedCommand> parse_command_line(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace lockstep::sweep
