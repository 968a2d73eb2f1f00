// Runs programs on one or more DUTs in lockstep with the reference and compares every output in every cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/rtl/mxu/mxu_dut.h"
#include "tests/rtl/mxu/mxu_program.h"
#include "tests/rtl/mxu/mxu_reference.h"

namespace lockstep::rtltest {

struct RunStats {
  int64_t cycles = 0;
  int64_t mms = 0;
  int64_t resets = 0;
};

struct IssueTimes {
  std::vector<int64_t> wld, mm;
};

class MxuRunner {
 public:
  MxuRunner(const MxuConfig& config, std::vector<std::unique_ptr<MxuDut>> duts, uint64_t seed);

  /// One cycle of reset with `fill`, then random VMEM content unless `keep_fill`.
  void start(uint8_t fill, bool keep_fill = false);
  /// Runs to the last event and compares the whole accumulator memory; with `reset_after` the run is cut short after
  /// that many cycles (the caller starts the next one). Stops at the first mismatch.
  void run(const MxuProgram& program, std::optional<int64_t> reset_after = std::nullopt);
  /// Issue cycles of the last run.
  const IssueTimes& issue_times() const { return issue_times_; }
  /// Text of the first mismatch of any run so far.
  const std::optional<std::string>& mismatch() const { return mismatch_; }
  const RunStats& stats() const { return stats_; }

 private:
  void cycle(MxuInputs& inputs);
  void compare(const MxuInputs& inputs, size_t dut, const MxuOutputs& outputs);
  void compare_memory_ports(size_t dut, const MxuOutputs& outputs);
  void observe(MxuInputs& inputs);
  void add_traffic(MxuInputs& inputs, int percent);
  void sweep_accumulators();
  void fail(size_t dut, const std::string& text);
  uint32_t pick_granule();

  MxuConfig config_;
  std::vector<std::unique_ptr<MxuDut>> duts_;
  Rng rng_;
  MxuReference reference_;
  IssueTimes issue_times_;
  std::optional<std::string> mismatch_;
  RunStats stats_;
};

}  // namespace lockstep::rtltest
