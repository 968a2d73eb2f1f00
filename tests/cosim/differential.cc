#include "tests/cosim/differential.h"

#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/cosim/rtl_run.h"
#include "tests/property/chip_gen.h"
#include "tests/property/program_gen.h"

namespace lockstep::testcosim {

namespace {

constexpr int kDepths[] = {1, 2, 8};     // every queue of a variant has this depth ...
constexpr uint64_t kRandomVariants = 2;  // ... and some variants draw all run-time limits
constexpr int kJitterCycles[] = {0, 3, 40};

/// The run-time limits of variant `variant` on the build of `chip`.
chip::ChipSpec variant_of(const chip::ChipSpec& chip, size_t variant, uint64_t seed) {
  if (variant >= std::size(kDepths)) return testgen::with_random_limits(chip, seed * 100 + variant);
  chip::ChipSpec limited = chip;
  const int depth = kDepths[variant];
  limited.queue_depth = {depth, depth, depth, depth, depth};
  return limited;
}

}  // namespace

void run_programs(const chip::ChipSpec& chip, uint64_t first_seed, int programs, DifferentialTotals& totals) {
  const auto rtl = rtl_of(chip);
  ASSERT_NE(rtl, nullptr);
  for (uint64_t seed = first_seed; seed < first_seed + static_cast<uint64_t>(programs); ++seed) {
    const isa::Program program = testgen::random_program(seed, chip);
    target::RunOptions options;
    options.jitter_max_cycles = kJitterCycles[seed % std::size(kJitterCycles)];
    options.jitter_seed = static_cast<uint32_t>(seed);
    options.vmem_fill = static_cast<uint8_t>(seed * 37);
    const Agreement agreement = run_trio(program, chip, *rtl, testgen::random_image(seed, program), options);
    for (const std::string& problem : agreement.problems) {
      ADD_FAILURE() << "program seed " << seed << " jitter " << options.jitter_max_cycles << ": " << problem;
    }
    ++totals.programs;
    totals.cycles += agreement.cycles;
    totals.instrs += agreement.instrs;
    totals.bursts += agreement.bursts;
    totals.problems += agreement.problems.size();
    if (totals.problems > 20) return;  // the first ones tell enough
  }
}

DifferentialTotals run_differential(uint64_t chip_seed, int programs) {
  const chip::ChipSpec base = testgen::random_chip(chip_seed);
  const size_t variants = std::size(kDepths) + kRandomVariants;
  const int share = (programs + static_cast<int>(variants) - 1) / static_cast<int>(variants);
  DifferentialTotals totals;
  for (size_t variant = 0; variant < variants && totals.problems <= 20; ++variant) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, fmt::format("chip seed {} variant {}", chip_seed, variant));
    run_programs(variant_of(base, variant, chip_seed), chip_seed * 100'000 + variant * 10'000, share, totals);
  }
  fmt::print("chip {} ({}x{} b{} Lv{} La{}): {} programs, {} cycles, {} instructions, {} bursts, {} mismatches\n", chip_seed,
             base.mxu.rows, base.mxu.cols, base.mxu.weight_load_rows, base.vmem.read_latency, base.mxu.acc_latency,
             totals.programs, totals.cycles, totals.instrs, totals.bursts, totals.problems);
  return totals;
}

}  // namespace lockstep::testcosim
