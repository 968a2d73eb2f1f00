// The differential test on chips at the edges of the legal ranges, where random_chip seldom or never goes: each build with
// run-time limits at their minima and maxima and with limits drawn from the whole legal range.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/base/rng.h"
#include "hw/chip/chip_checks.h"
#include "tests/cosim/differential.h"
#include "tests/cosim/rtl_run.h"

namespace lockstep::testcosim {
namespace {

struct Build {
  const char* name;
  int rows, cols, load_rows, acc_rows, acc_latency, lanes, rows_per_cycle;
  int vmem_KiB, read_latency;
  int load_queues, burst, beat, granule;
};

/// Every extreme of a build parameter occurs, combined so that few builds are needed.
constexpr Build kBuilds[] = {
    // b = R = C, one chunk a row, all rows of a group in one cycle, VMEM of no power of two, widest memory path
    {"square_b4", 4, 4, 4, 8, 16, 4, 8, 33, 8, 2, 4096, 1024, 128},
    // narrow memory path, many chunks in a row, deepest read pipeline
    {"wide_lanes4", 4, 16, 1, 24, 2, 4, 1, 12, 16, 2, 64, 8, 8},
    {"tall", 16, 4, 2, 512, 5, 4, 2, 48, 1, 1, 4096, 32, 32},
    {"eight_by_64", 8, 64, 8, 100, 8, 8, 4, 40, 2, 2, 1024, 64, 16},
    {"square_32", 32, 32, 8, 96, 3, 16, 8, 100, 5, 1, 128, 128, 64},
};

chip::ChipSpec chip_of(const Build& build) {
  chip::ChipSpec chip;
  chip.name = build.name;
  chip.clock_MHz = 1000;
  chip.mxu.rows = build.rows;
  chip.mxu.cols = build.cols;
  chip.mxu.weight_load_rows = build.load_rows;
  chip.mxu.acc_rows = build.acc_rows;
  chip.mxu.acc_latency = build.acc_latency;
  chip.vpu.lanes = build.lanes;
  chip.vpu.rows_per_cycle = build.rows_per_cycle;
  chip.vmem.size_KiB = build.vmem_KiB;
  chip.vmem.read_latency = build.read_latency;
  chip.dma.load_queues = build.load_queues;
  chip.dma.burst_bytes = build.burst;
  chip.dma.beat_bytes = build.beat;
  chip.dma.granule_bytes = build.granule;
  chip.dram.size_GiB = 1;
  return chip;
}

void set_depths(chip::ChipSpec& chip, int depth) { chip.queue_depth = {depth, depth, depth, depth, depth}; }

/// Everything as small and as slow as it may be.
chip::ChipSpec starved(chip::ChipSpec chip) {
  set_depths(chip, 1);
  chip.dma.max_outstanding = 1;
  chip.dma.quantum = 1;
  chip.dma.setup_cycles = 64;
  chip.vpu.latency.start = chip.vpu.latency.load = chip.vpu.latency.store = 64;
  chip.dram.bandwidth_GBps = 1;
  chip.dram.latency_ns = 700;
  chip.dram.access_bytes = 64;
  chip.dram.command_slots = 1;
  chip.dram.ticks = 64;
  return chip;
}

/// The shallowest pipeline in front of a memory that never holds anything back.
chip::ChipSpec instant(chip::ChipSpec chip) {
  set_depths(chip, 16);
  chip.dma.max_outstanding = 256;
  chip.dma.quantum = 255;
  chip.dma.setup_cycles = 1;
  chip.vpu.latency.start = 1;
  chip.vpu.latency.load = 2;
  chip.vpu.latency.store = 1;
  chip.dram.access_bytes = 64;
  chip.dram.bandwidth_GBps = 64 * 64;
  chip.dram.latency_ns = 0;
  chip.dram.command_slots = 16;
  chip.dram.ticks = 64;
  return chip;
}

/// A fast memory far away: as many bursts under way as the window allows.
chip::ChipSpec distant(chip::ChipSpec chip) {
  chip = instant(std::move(chip));
  chip.dma.quantum = 1;
  chip.dram.latency_ns = 2000;
  chip.dram.ticks = 1;
  chip.dram.bandwidth_GBps = 64;
  return chip;
}

chip::ChipSpec drawn(chip::ChipSpec chip, uint64_t seed) {
  Rng random(seed);
  const auto range = [&](int low, int high) { return static_cast<int>(random.between(low, high)); };
  chip.queue_depth = {range(1, 16), range(1, 16), range(1, 16), range(1, 16), range(1, 16)};
  chip.dma.max_outstanding = random.chance(0.3) ? range(1, 4) : range(1, 256);
  chip.dma.quantum = random.chance(0.5) ? range(1, 3) : range(1, 255);
  chip.dma.setup_cycles = range(1, 64);
  chip.vpu.latency.start = range(1, 64);
  chip.vpu.latency.load = range(2, 64);
  chip.vpu.latency.store = range(1, 64);
  chip.clock_MHz = range(300, 3000);
  chip.dram.access_bytes = std::min(chip.dma.burst_bytes, 8 << range(0, 7));
  chip.dram.bandwidth_GBps = range(1, 200) * 0.25 * chip.dram.access_bytes / 64 * chip.clock_MHz / 1000.0;
  chip.dram.latency_ns = range(0, 1000);
  chip.dram.command_slots = range(1, 16);
  chip.dram.ticks = random.chance(0.3) ? 0 : range(1, 64);
  return chip;
}

class ExtremeChip : public testing::TestWithParam<Build> {};

TEST_P(ExtremeChip, RandomProgramsAgreeInBitsEventsAndCounters) {
  const chip::ChipSpec base = chip_of(GetParam());
  std::vector<chip::ChipSpec> variants = {starved(base), instant(base), distant(base)};
  for (uint64_t seed = 1; seed <= 3; ++seed) variants.push_back(drawn(base, seed));
  DifferentialTotals totals;
  for (size_t v = 0; v < variants.size() && totals.problems == 0; ++v) {
    SCOPED_TRACE(testing::Message() << "variant " << v);
    for (const Diag& diag : chip::check_chip(variants[v], {})) ADD_FAILURE() << format_diag(diag);
    ASSERT_FALSE(HasFailure()) << "not a legal chip";
    run_programs(variants[v], 1'000'000 + v * 10'000, 40, totals);
  }
  EXPECT_GT(totals.bursts, 0u);
  EXPECT_EQ(totals.problems, 0u);
  fmt::print("{}: {} programs, {} cycles, {} instructions, {} bursts, {} mismatches\n", base.name, totals.programs,
             totals.cycles, totals.instrs, totals.bursts, totals.problems);
}

INSTANTIATE_TEST_SUITE_P(Builds, ExtremeChip, testing::ValuesIn(kBuilds),
                         [](const auto& build) { return std::string(build.param.name); });

}  // namespace
}  // namespace lockstep::testcosim
