// Random legal programs on a random chip's RTL build with several sets of run-time limits, against golden and model.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/chip/chip_spec.h"

namespace lockstep::testcosim {

struct DifferentialTotals {
  int64_t programs = 0;
  int64_t cycles = 0;
  std::size_t instrs = 0;
  std::size_t bursts = 0;
  std::size_t problems = 0;
};

/// Runs the generated programs first_seed, first_seed + 1, ... on `chip`, with and without random memory latency, and adds to
/// `totals`. Each mismatch is a test failure that names the seed; gives up behind the twentieth.
void run_programs(const chip::ChipSpec& chip, uint64_t first_seed, int programs, DifferentialTotals& totals);

/// Runs at least `programs` programs on the chip drawn from `chip_seed`: queue depths 1, 2 and 8, then random limits,
/// with and without random memory latency. Each mismatch is a test failure that names the seeds; prints one line.
DifferentialTotals run_differential(uint64_t chip_seed, int programs);

}  // namespace lockstep::testcosim
