#include "hw/chip/chip_spec.h"

#include <functional>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lockstep::chip {
namespace {

ChipSpec edge8() {
  ChipSpec chip;
  chip.name = "edge8";
  chip.clock_MHz = 500;
  chip.mxu.rows = 8;
  chip.mxu.cols = 8;
  chip.mxu.weight_load_rows = 2;
  chip.mxu.acc_rows = 256;
  chip.vpu.lanes = 8;
  chip.vmem.size_KiB = 64;
  chip.dma.beat_bytes = 32;
  chip.dram.bandwidth_GBps = 4;
  return chip;
}

TEST(ChipSpec, LineHoldsTheWidestOfVectorActivationAndWeightRows) {
  ChipSpec chip = edge8();
  EXPECT_EQ(line_bytes(chip), 32);  // 8 lanes of 4 bytes
  chip.mxu.rows = 64;
  EXPECT_EQ(line_bytes(chip), 64);  // an activation row
  chip.mxu.cols = 128;
  EXPECT_EQ(line_bytes(chip), 128);  // a weight row
}

TEST(ChipSpec, IssueIntervalIsEightSublanesOverRowsPerCycle) {
  ChipSpec chip = edge8();
  EXPECT_EQ(issue_interval(chip), 8);
  chip.vpu.rows_per_cycle = 4;
  EXPECT_EQ(issue_interval(chip), 2);
}

TEST(ChipSpec, SizesAndBandwidthConvertToBytesAndCycles) {
  const ChipSpec chip = edge8();
  EXPECT_EQ(vmem_bytes(chip), 65536);
  EXPECT_EQ(dram_bytes_per_cycle(chip), 8.0);
  ChipSpec tpu = chip;
  tpu.clock_MHz = 1050;
  tpu.dram.bandwidth_GBps = 614.4;
  EXPECT_NEAR(dram_bytes_per_cycle(tpu), 585.142857, 1e-6);
}

TEST(ChipSpec, HugeVmemDoesNotOverflow) {
  ChipSpec chip = edge8();
  chip.vmem.size_KiB = 4 * 1024 * 1024;
  EXPECT_EQ(vmem_bytes(chip), int64_t{4} << 30);
}

TEST(ChipSpec, NameTechnologyAndHbmSizeDoNotChangeTheTimingHash) {
  const ChipSpec chip = edge8();
  ChipSpec other = chip;
  other.name = "renamed";
  other.technology = "n28";
  other.dram.size_GiB = 16;
  EXPECT_EQ(timing_hash(other), timing_hash(chip));
}

TEST(ChipSpec, EachTimingRelevantMemberChangesTheHash) {
  const std::vector<std::function<void(ChipSpec&)>> changes = {
      [](ChipSpec& c) { c.clock_MHz = 501; },          [](ChipSpec& c) { c.mxu.rows = 16; },
      [](ChipSpec& c) { c.mxu.weight_load_rows = 4; }, [](ChipSpec& c) { c.mxu.acc_latency = 3; },
      [](ChipSpec& c) { c.vpu.slots.single = false; }, [](ChipSpec& c) { c.vpu.latency.load = 4; },
      [](ChipSpec& c) { c.vmem.size_KiB = 65; },       [](ChipSpec& c) { c.dma.quantum = 17; },
      [](ChipSpec& c) { c.queue_depth.vx = 5; },       [](ChipSpec& c) { c.dram.latency_ns = 0.1; },
      [](ChipSpec& c) { c.dram.preset = "hbm2"; },     [](ChipSpec& c) { c.dram.ticks = 7; }};
  const ChipSpec chip = edge8();
  for (size_t i = 0; i < changes.size(); ++i) {
    ChipSpec changed = chip;
    changes[i](changed);
    EXPECT_NE(timing_hash(changed), timing_hash(chip)) << "change " << i;
  }
}

}  // namespace
}  // namespace lockstep::chip
