// GoldenTarget: the meaning of a Program. Words are executed one after another in program order, which SEM-4
// makes a legal execution, so the HBM image it leaves is what every timing of a legal program must leave.
// It knows nothing of cycles, shares no code with the timed targets and survives any Program, verified or not.
#pragma once

#include <string_view>

#include "hw/chip/chip_spec.h"
#include "hw/target/target.h"

namespace lockstep::golden {

/// Instructions of a run without RunOptions::max_cycles; see Watchdog in machine.h.
inline constexpr int64_t kDefaultMaxCycles = int64_t{1} << 40;

class GoldenTarget : public target::Target {
 public:
  explicit GoldenTarget(const chip::ChipSpec& chip) : chip_(chip) {}

  std::string_view name() const override { return "golden"; }
  bool computes_data() const override { return true; }
  bool computes_time() const override { return false; }

  /// Refuses (Diag) what the static form of the program already shows: E0501 malformed, E0502 a feature that is
  /// not built, E0503 another chip, E0504 wrong image size. Dynamic faults are in RunResult with cycle -1.
  /// Counters: all that do not depend on time; busy_cycles stay 0. `max_cycles` bounds the cycles the program
  /// needs at the very least on any target, so a run that is stopped here could not have ended in time.
  Result<target::RunResult> run(const isa::Program& program, target::MemoryImage& image,
                                const target::RunOptions& options) override;

 private:
  chip::ChipSpec chip_;
};

}  // namespace lockstep::golden
