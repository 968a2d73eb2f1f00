#include "hw/metrics/utilization.h"

#include <gtest/gtest.h>

namespace lockstep::metrics {
namespace {

chip::ChipSpec chip4x8() {
  chip::ChipSpec chip;
  chip.mxu.rows = 4;
  chip.mxu.cols = 8;
  return chip;
}

TEST(Utilization, BusyAndUsedAreSeparate) {
  Counters counters;
  counters.engines[isa::kMm0].busy_cycles = 990;
  counters.macs = 32 * 8;  // 8 of 1,000 cycles' worth
  const Utilization use = utilization_of(chip4x8(), 1000, counters, 16);
  EXPECT_DOUBLE_EQ(use.mxu_busy_pct, 99);
  EXPECT_DOUBLE_EQ(use.mxu_util_pct, 0.8);
  EXPECT_EQ(use.bound, Bound::kCompute);
}

TEST(Utilization, UsefulAndBusBytesAreSeparate) {
  Counters counters;
  counters.hbm_read_bytes = 6000;
  counters.hbm_write_bytes = 2000;
  counters.hbm_bus_bytes = 12000;
  const Utilization use = utilization_of(chip4x8(), 1000, counters, 16);
  EXPECT_DOUBLE_EQ(use.hbm_util_pct, 50);
  EXPECT_DOUBLE_EQ(use.hbm_bus_pct, 75);
  EXPECT_EQ(use.bound, Bound::kHbm);
}

TEST(Utilization, StoresStillQueuedAtTheEndDoNotShowMoreThanAllOfTheMemory) {
  Counters counters;
  counters.hbm_write_bytes = counters.hbm_bus_bytes = 2000;
  const Utilization use = utilization_of(chip4x8(), 100, counters, 16);
  EXPECT_EQ(use.hbm_util_pct, 100);
  EXPECT_EQ(use.hbm_bus_pct, 100);
}

TEST(Utilization, NamesEachLimiter) {
  const auto bound_with = [](auto set) {
    Counters counters;
    set(counters);
    return utilization_of(chip4x8(), 100, counters, 1).bound;
  };
  EXPECT_EQ(bound_with([](Counters& c) { c.engines[isa::kWld0].busy_cycles = 80; }), Bound::kWeightLoad);
  EXPECT_EQ(bound_with([](Counters& c) { c.engines[isa::kVx0].busy_cycles = 80; }), Bound::kVector);
  EXPECT_EQ(bound_with([](Counters& c) { c.words = 80; }), Bound::kDispatch);
  EXPECT_EQ(bound_with([](Counters& c) { c.engines[isa::kMm0].busy_cycles = 49; }), Bound::kLatency);
}

TEST(Utilization, AveragesOverMatrixUnits) {
  chip::ChipSpec chip = chip4x8();
  chip.mxu.count = 2;
  Counters counters;
  counters.engines[isa::kMm0].busy_cycles = 100;
  EXPECT_DOUBLE_EQ(utilization_of(chip, 100, counters, 1).mxu_busy_pct, 50);
}

TEST(CounterDocs, EveryCounterHasASentence) {
  EXPECT_EQ(counter_docs().size(), 9U);
  for (const CounterDoc& doc : counter_docs()) EXPECT_FALSE(doc.sentence.empty()) << doc.name;
}

}  // namespace
}  // namespace lockstep::metrics
