#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/mem/dram.h"

namespace lockstep::mem {
namespace {

chip::ChipSpec ideal_chip(int clock_MHz, double bandwidth_GBps, double latency_ns, int access_bytes) {
  chip::ChipSpec chip;
  chip.clock_MHz = clock_MHz;
  chip.dram.bandwidth_GBps = bandwidth_GBps;
  chip.dram.latency_ns = latency_ns;
  chip.dram.access_bytes = access_bytes;
  return chip;
}

// 4 GB/s at 500 MHz = 8 bytes a cycle: a 64-byte column takes 8 whole cycles, so one tick per cycle loses nothing.
TEST(DramConfig, Mem3ChoosesOneTickWhenTheColumnTakesWholeCycles) {
  const DramConfig config = make_dram_config(ideal_chip(500, 4.0, 100.0, 64)).value();
  EXPECT_EQ(config.ticks_per_cycle, 1);
  EXPECT_EQ(config.tCCD_ticks, 8);
  EXPECT_EQ(config.BL_ticks, 8);
  EXPECT_EQ(config.CL_ticks, 50);
  EXPECT_EQ(config.stripe_bytes, 8192);
  EXPECT_EQ(config.command_slots, 8);
  EXPECT_DOUBLE_EQ(config.nominal_bytes_per_cycle, 8.0);
  EXPECT_DOUBLE_EQ(config.effective_bytes_per_cycle, 8.0);
  EXPECT_DOUBLE_EQ(config.rounding_loss_pct, 0.0);
}

// 40 bytes a cycle: a column takes 1.6 cycles; 5 ticks a cycle make it 8 ticks exactly, no smaller number does.
TEST(DramConfig, Mem3ChoosesTheSmallestExactDivisor) {
  const DramConfig config = make_dram_config(ideal_chip(1000, 40.0, 10.3, 64)).value();
  EXPECT_EQ(config.ticks_per_cycle, 5);
  EXPECT_EQ(config.tCCD_ticks, 8);
  EXPECT_EQ(config.CL_ticks, 52);  // 10.3 cycles = 51.5 ticks, rounded up
}

// 614 GB/s at 1,050 MHz: a 64-byte column takes 0.109446 cycles. One tick of 1/9 cycle (0.1111) loses
// 1 - 0.109446 * 9 = 1.4984 %; its multiples lose the same, every other divisor more.
TEST(DramConfig, Mem3TakesTheBestDivisorWhenNoneLosesLessThanATenthPercent) {
  const DramConfig config = make_dram_config(ideal_chip(1050, 614.0, 100.0, 64)).value();
  EXPECT_EQ(config.ticks_per_cycle, 9);
  EXPECT_EQ(config.tCCD_ticks, 1);
  EXPECT_EQ(config.CL_ticks, 945);
  EXPECT_NEAR(config.nominal_bytes_per_cycle, 584.7619, 1e-3);
  EXPECT_DOUBLE_EQ(config.effective_bytes_per_cycle, 576.0);
  EXPECT_NEAR(config.rounding_loss_pct, 1.4984, 1e-3);
}

// A given tick count wins even when it loses more.
TEST(DramConfig, Mem3ObeysAGivenTickCount) {
  chip::ChipSpec chip = ideal_chip(1000, 40.0, 10.0, 64);
  chip.dram.ticks = 2;
  const DramConfig config = make_dram_config(chip).value();
  EXPECT_EQ(config.ticks_per_cycle, 2);
  EXPECT_EQ(config.tCCD_ticks, 4);  // 3.2 rounded up
  EXPECT_EQ(config.CL_ticks, 20);
  EXPECT_NEAR(config.rounding_loss_pct, 20.0, 1e-9);
}

// Quotients that are whole in decimals but not in binary must not gain a tick: 0.1 GB/s at 100 MHz is 1 byte a cycle.
TEST(DramConfig, AWholeQuotientIsNotRoundedUpByTheLastBit) {
  for (int tenths = 1; tenths <= 400; ++tenths) {
    chip::ChipSpec chip = ideal_chip(100, tenths / 10.0, 0.1 * tenths, 64 * tenths);
    chip.dram.ticks = 1;
    if (chip.dram.access_bytes > 65536) break;
    const DramConfig config = make_dram_config(chip).value();
    EXPECT_EQ(config.tCCD_ticks, 64) << tenths;
    EXPECT_EQ(config.CL_ticks, (tenths + 99) / 100) << tenths;
  }
}

TEST(DramConfig, ColumnsFasterThanATickTakeOneTick) {
  chip::ChipSpec chip = ideal_chip(100, 10000.0, 0.0, 64);
  const DramConfig config = make_dram_config(chip).value();
  EXPECT_EQ(config.tCCD_ticks, 1);
  EXPECT_EQ(config.CL_ticks, 0);
  EXPECT_EQ(config.ticks_per_cycle, 64);
}

TEST(DramConfig, RefusesWhatIsNotBuiltOrCannotBe) {
  chip::ChipSpec hbm = ideal_chip(1000, 40.0, 10.0, 64);
  hbm.dram.preset = "hbm9";
  ASSERT_FALSE(make_dram_config(hbm).ok());
  EXPECT_THAT(make_dram_config(hbm).diags().front().message, testing::HasSubstr("'hbm9' is unknown"));

  chip::ChipSpec wrong = ideal_chip(1000, 0.0, -1.0, 0);
  wrong.dram.channels = 2;
  wrong.dram.command_slots = 0;
  wrong.dram.ticks = 65;
  EXPECT_EQ(make_dram_config(wrong).diags().size(), 6u);  // all at once
}

}  // namespace
}  // namespace lockstep::mem
