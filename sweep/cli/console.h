// Where a command writes: results to `out`, everything else to `err`. Only main.cc knows that these are stdout and
// stderr.
#pragma once

#include <map>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/diag.h"

namespace lockstep::sweep {

/// Exit codes of every verb.
enum ExitCode : int {
  kExitOk = 0,
  kExitCheckFailed = 1,
  kExitUsage = 2,
  kExitInfeasible = 3,
  kExitSimulationFailed = 4,
  kExitPartialSweep = 5,
  kExitInternal = 70,
  kExitInterrupted = 130,
};

class Console {
 public:
  struct Style {
    bool color = false;      // diagnostics in colour
    bool err_is_tty = false; // progress may redraw its line
    int verbosity = 1;       // 0 = errors only, 1 = progress and warnings, 2 = more
  };

  Console(std::ostream& out, std::ostream& err, Style style) : out_(out), err_(err), style_(style) {}

  const Style& style() const { return style_; }
  void set_style(const Style& style) { style_ = style; }

  void result(std::string_view text);
  /// A line of progress or log: shown at verbosity >= level.
  void log(std::string_view line, int level = 1);
  /// Replaces the current progress line on a terminal, else writes a line.
  void progress(std::string_view line);

  /// Prints each diagnostic with its source line; warnings only at verbosity >= 1.
  void report(const std::vector<Diag>& diags);
  void report(const Diag& diag) { report(std::vector<Diag>{diag}); }

  /// False once writing a result failed (a closed pipe, a full disk).
  bool result_ok() const;

 private:
  std::string paint(const Diag& diag, std::string text) const;
  void end_progress_line();

  std::ostream& out_;
  std::ostream& err_;
  Style style_;
  bool progress_open_ = false;
};

}  // namespace lockstep::sweep
