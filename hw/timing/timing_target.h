// The fast model as a target: exact time by events, no data.
#pragma once

#include "hw/chip/chip_spec.h"
#include "hw/target/target.h"
#include "hw/timing/memo_options.h"

namespace lockstep::timing {

class TimingTarget final : public target::Target {
 public:
  explicit TimingTarget(chip::ChipSpec chip, MemoOptions memo = {}) : chip_(std::move(chip)), memo_(memo) {}

  /// Watchdog of runs that set none. Far above any real program, low enough for exact tick arithmetic.
  static constexpr int64_t kDefaultMaxCycles = 1'000'000'000'000;

  std::string_view name() const override { return "timing"; }
  bool computes_data() const override { return false; }
  bool computes_time() const override { return true; }

  /// `image` is not touched and may be empty. Besides the faults of docs/isa.md a run can end in F-DEADLOCK: no
  /// event is possible any more. On a fault, cycles is 0 and counters and events cover what happened before.
  /// Iterations of recurring loops are jumped over, exactly (docs/exactness.md), unless events are recorded; the
  /// result's certificate tells which.
  Result<target::RunResult> run(const isa::Program& program, target::MemoryImage& image,
                                const target::RunOptions& options) override;

 private:
  chip::ChipSpec chip_;
  MemoOptions memo_;
};

}  // namespace lockstep::timing
