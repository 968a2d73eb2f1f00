// VX-1, VX-2 by hand: T = start + n * (ll + ls), n = ceil(rows / 8) * chunks, ll = max(I, load), ls = max(I, store),
// I = 8 / rows_per_cycle; source_free = i + start + (n - 1) * (ll + ls) + ll.
#include "tests/unit/hw/timing/hand_computed.h"

namespace lockstep::timing::test {
namespace {

using VectorUnit = HandComputed;

TEST_F(VectorUnit, Vx1TimesOfTheCopyKernel) {
  const struct {
    int rows_per_cycle, start, load, store;
    uint32_t rows, chunks;
    Three times;
  } cases[] = {
      {1, 4, 3, 1, 8, 1, {1, 13, 21}},    // I = 8 rules both: T = 4 + 16
      {1, 4, 3, 1, 1, 1, {1, 13, 21}},    // a part group takes the full time
      {1, 4, 3, 1, 9, 2, {1, 61, 69}},    // n = 4: T = 68, last load ends at 4 + 48 + 8
      {8, 4, 3, 1, 8, 3, {1, 16, 17}},    // I = 1: ll = 3, ls = 1: T = 4 + 12
      {4, 4, 3, 5, 16, 1, {1, 16, 21}},   // I = 2: ll = 3, ls = 5: T = 4 + 16
      {2, 0, 3, 5, 8, 1, {1, 5, 10}},     // I = 4, start 0: ll = 4, ls = 5
      {8, 0, 1, 1, 17, 1, {1, 6, 7}},     // n = 3, len 2
  };
  for (const auto& c : cases) {
    chip_.vpu.rows_per_cycle = c.rows_per_cycle;
    chip_.vpu.latency.start = c.start;
    chip_.vpu.latency.load = c.load;
    chip_.vpu.latency.store = c.store;
    const auto r = run({vx(c.rows, c.chunks), halt()});
    EXPECT_EQ(times(r, isa::kVx0, 0), c.times) << "rows " << c.rows << " rows_per_cycle " << c.rows_per_cycle;
    EXPECT_EQ(r.counters.engines[isa::kVx0].busy_cycles, static_cast<uint64_t>(c.times[2] - 1));
  }
}

// ISS-1: the next word issues T after the last one.
TEST_F(VectorUnit, OccupancyIsTheVxTime) {
  const auto r = run({vx(8), vx(9), vx(1), halt()});
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{1, 21, 57}));
}

// VX-2
TEST_F(VectorUnit, Vx2NoRowsOrNoChunksTakeOneCycle) {
  const auto r = run({vx(0, 3), vx(5, 0), vx(8), vx(0), halt()});
  EXPECT_EQ(times(r, isa::kVx0, 0), (Three{1, 2, 2}));
  EXPECT_EQ(times(r, isa::kVx0, 1), (Three{2, 3, 3}));
  EXPECT_EQ(times(r, isa::kVx0, 2), (Three{3, 15, 23}));
  EXPECT_EQ(times(r, isa::kVx0, 3), (Three{23, 24, 24}));
  EXPECT_EQ(r.counters.engines[isa::kVx0].busy_cycles, 23u);
}

}  // namespace
}  // namespace lockstep::timing::test
