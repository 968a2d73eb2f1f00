// Runs a program with and without jumps and compares everything.
#pragma once

#include <map>
#include <string>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/target/target.h"
#include "hw/timing/memo_options.h"

namespace lockstep::timing::test {

struct JumpTotals {
  uint64_t runs = 0;
  uint64_t faults = 0;
  uint64_t runs_with_jumps = 0;
  uint64_t jumps = 0;
  uint64_t self_checks = 0;
  uint64_t cycles = 0;
  uint64_t events = 0;
  uint64_t events_simulated = 0;
};

/// Empty when fault, cycles and counters are equal.
std::string compare_jumps(const chip::ChipSpec& chip, const isa::Program& program, const target::RunOptions& options,
                          const MemoOptions& memo, JumpTotals& totals);

std::string describe(const JumpTotals& totals);

}  // namespace lockstep::timing::test
