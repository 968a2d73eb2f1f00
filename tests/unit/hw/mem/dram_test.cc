// Hand-computed times of the `ideal` channel, as triples: blocked in cycle t - 1, ready in t, issued in t.
#include "hw/mem/dram.h"

#include <set>

#include <gtest/gtest.h>

namespace lockstep::mem {
namespace {

DramConfig config_of(int ticks, int tccd, int cl, int slots) {
  DramConfig config;
  config.ticks_per_cycle = ticks;
  config.access_bytes = 64;
  config.stripe_bytes = 8192;
  config.command_slots = slots;
  config.tCCD_ticks = tccd;
  config.CL_ticks = cl;
  config.BL_ticks = tccd;
  return config;
}

Service serve(Dram& dram, int64_t grant, int64_t arrival, int64_t address, int bytes, bool write = false) {
  dram.take_slot(0, grant);
  return dram.arrive(arrival, Burst{.channel = 0, .address = address, .bytes = bytes, .write = write});
}

// One tick a cycle, tCCD 4, CL 10: columns at 3, 7, 11, 15; data tick 15 + 10 + 4.
TEST(Dram, Mem6ColumnsOfABurstAreTccdApart) {
  Dram dram(config_of(1, 4, 10, 8));
  const Service s = serve(dram, 2, 3, 0, 256);
  EXPECT_EQ(s.columns, 4);
  EXPECT_EQ(s.release_cycle, 15);
  EXPECT_EQ(s.data_cycle, 29);
}

// The next column tick after a last column at 15 is 19: an arrival in 18 waits, one in 19 does not, one in 20 is later.
TEST(Dram, Mem6ABurstWaitsForTheNextColumnTick) {
  for (const auto& [arrival, first] : {std::pair{18, 19}, std::pair{19, 19}, std::pair{20, 20}}) {
    Dram dram(config_of(1, 4, 10, 8));
    serve(dram, 2, 3, 0, 256);
    const Service s = serve(dram, arrival - 1, arrival, 256, 64);
    EXPECT_EQ(s.columns, 1);
    EXPECT_EQ(s.release_cycle, first) << arrival;
    EXPECT_EQ(s.data_cycle, first + 14) << arrival;
  }
}

// D = 3, tCCD = 2, CL = 5. Arrival in cycle 1 = tick 3. One column: release ceil(3/3) = 1, data ceil(10/3) = 4.
// Two columns (3, 5): release ceil(5/3) = 2, data 12/3 = 4 exactly. Three (3, 5, 7): release 3, data ceil(14/3) = 5.
TEST(Dram, Mem3VisibleTimesAreRoundedUpToCycles) {
  const int64_t release[] = {1, 2, 3};
  const int64_t data[] = {4, 4, 5};
  for (int columns = 1; columns <= 3; ++columns) {
    Dram dram(config_of(3, 2, 5, 8));
    const Service s = serve(dram, 0, 1, 0, 64 * columns);
    EXPECT_EQ(s.release_cycle, release[columns - 1]);
    EXPECT_EQ(s.data_cycle, data[columns - 1]);
  }
}

TEST(Dram, ABurstTouchesEveryAccessItOverlaps) {
  const struct { int64_t address; int bytes; int columns; } cases[] = {
      {0, 64, 1}, {0, 65, 2}, {32, 32, 1}, {32, 64, 2}, {32, 33, 2}, {63, 1, 1}, {63, 2, 2}, {96, 1024, 17}};
  for (const auto& c : cases) {
    Dram dram(config_of(1, 1, 0, 8));
    EXPECT_EQ(serve(dram, 0, 1, c.address, c.bytes).columns, c.columns) << c.address << " " << c.bytes;
  }
}

// Two slots. Both taken in 0 and 1; the first burst's last column is at 9, so its slot is free from the start of 10.
TEST(Dram, ACommandSlotIsHeldFromTheGrantToTheCycleAfterTheLastColumn) {
  Dram dram(config_of(1, 4, 10, 2));
  EXPECT_TRUE(dram.slot_free(0, 0));
  dram.take_slot(0, 0);
  EXPECT_TRUE(dram.slot_free(0, 1));
  dram.take_slot(0, 1);
  EXPECT_FALSE(dram.slot_free(0, 2));
  EXPECT_EQ(dram.slot_free_at(0), Dram::kNever);  // nothing has arrived
  EXPECT_EQ(dram.arrive(1, Burst{.address = 0, .bytes = 192}).release_cycle, 9);
  EXPECT_EQ(dram.slot_free_at(0), 10);
  EXPECT_FALSE(dram.slot_free(0, 9));
  EXPECT_TRUE(dram.slot_free(0, 10));
  dram.take_slot(0, 10);
  EXPECT_FALSE(dram.slot_free(0, 11));
  EXPECT_EQ(dram.slot_free_at(0), Dram::kNever);
  // The second burst arrives late, in 12: column at max(12, 13) = 13, its slot is free from 14.
  EXPECT_EQ(dram.arrive(12, Burst{.address = 192, .bytes = 64}).release_cycle, 13);
  EXPECT_EQ(dram.slot_free_at(0), 14);
}

// D = 4, tCCD = 3: last column at tick 4 * 2 + 3 = 11 of cycle 2 is visible in cycle 3; the slot is free from 4.
TEST(Dram, ACommandSlotReleasedInsideACycleIsFreeAfterTheNextFullCycle) {
  Dram dram(config_of(4, 3, 0, 1));
  dram.take_slot(0, 1);
  EXPECT_EQ(dram.arrive(2, Burst{.address = 0, .bytes = 128}).release_cycle, 3);
  EXPECT_FALSE(dram.slot_free(0, 3));
  EXPECT_TRUE(dram.slot_free(0, 4));
}

TEST(Dram, WritesHoldColumnsLikeReads) {
  Dram dram(config_of(1, 4, 10, 8));
  EXPECT_EQ(serve(dram, 0, 5, 0, 128, true).release_cycle, 9);
  EXPECT_EQ(serve(dram, 5, 6, 0, 64).release_cycle, 13);
}

TEST(Dram, StripesAreEightKibibytes) {
  const Dram dram(config_of(1, 4, 10, 8));
  EXPECT_EQ(dram.stripe_of(0), 0);
  EXPECT_EQ(dram.stripe_of(8191), 0);
  EXPECT_EQ(dram.stripe_of(8192), 1);
  EXPECT_EQ(dram.stripe_of((int64_t{1} << 39) + 8191), int64_t{1} << 26);
}

TEST(Dram, JitterDelaysReadDataOnlyAndIsAFunctionOfSeedAndArrival) {
  DramConfig config = config_of(1, 1, 0, 8);
  config.jitter_seed = 7;
  config.jitter_max_cycles = 5;
  Dram dram(config);
  Dram plain(config_of(1, 1, 0, 8));
  std::set<int64_t> seen;
  for (int64_t n = 0; n < 200; ++n) {
    const bool write = n % 3 == 0;
    const Service jittered = serve(dram, 10 * n, 10 * n + 1, 0, 64, write);
    const Service exact = serve(plain, 10 * n, 10 * n + 1, 0, 64, write);
    EXPECT_EQ(jittered.release_cycle, exact.release_cycle);
    const int64_t extra = jittered.data_cycle - exact.data_cycle;
    EXPECT_EQ(extra, write ? 0 : jitter_cycles(7, static_cast<uint64_t>(n), 5));
    if (!write) seen.insert(extra);
  }
  EXPECT_EQ(seen, (std::set<int64_t>{0, 1, 2, 3, 4, 5}));
}

// The delays are part of what RTL and model share between processes and releases: pinned.
TEST(Dram, JitterValuesArePinned) {
  std::vector<int64_t> values;
  for (uint64_t n = 0; n < 8; ++n) values.push_back(jitter_cycles(1, n, 9));
  EXPECT_EQ(values, (std::vector<int64_t>{4, 7, 3, 2, 4, 2, 8, 4}));
}

}  // namespace
}  // namespace lockstep::mem
