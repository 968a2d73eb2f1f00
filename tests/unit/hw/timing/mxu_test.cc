// MXU-2, MXU-5, MXU-6 by hand.
#include <algorithm>
#include <set>

#include "tests/unit/hw/timing/hand_computed.h"

namespace lockstep::timing::test {
namespace {

using MatrixUnit = HandComputed;

// MXU-5 on 8 x 8, b = 2, Lv = 2, La = 2: WLD source_free i + 3 + 2, done i + 2 + 4 + 4 - 2.
TEST_F(MatrixUnit, Mxu5EventsOfAWeightLoad) {
  EXPECT_EQ(times(run({wld(), halt()}), isa::kWld0, 0), (Three{1, 6, 9}));
  chip_.mxu.rows = 16;  // R/b = 8, C/b = 4
  EXPECT_EQ(times(run({wld(), halt()}), isa::kWld0, 0), (Three{1, 10, 13}));
  chip_.mxu.cols = 32;  // C/b = 16
  EXPECT_EQ(times(run({wld(), halt()}), isa::kWld0, 0), (Three{1, 10, 25}));
  chip_.vmem.read_latency = 5;
  EXPECT_EQ(times(run({wld(), halt()}), isa::kWld0, 0), (Three{1, 13, 28}));
}

// MXU-5, MXU-6: M' = max(M, 1): source_free i + M' - 1 + 2, done i + 2 + M' - 1 + 4 + 4 - 2 + 2.
TEST_F(MatrixUnit, Mxu5EventsOfAMatrixMultiply) {
  const struct { uint32_t rows; Three times; } cases[] = {
      {0, {1, 3, 11}}, {1, {1, 3, 11}}, {2, {1, 4, 12}}, {10, {1, 12, 20}}};
  for (const auto& c : cases) EXPECT_EQ(times(run({mm(c.rows), halt()}), isa::kMm0, 0), c.times) << c.rows;
  chip_.mxu.acc_latency = 5;
  EXPECT_EQ(times(run({mm(3), halt()}), isa::kMm0, 0), (Three{1, 5, 16}));
}

// ISS-1 table: an MM occupies max(M, La) cycles; MXU-6: so does M = 0.
TEST_F(MatrixUnit, OccupancyOfAMatrixMultiply) {
  chip_.mxu.acc_latency = 3;
  const auto r = run({mm(1), mm(0), mm(3), mm(4), mm(1), halt()});
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{1, 4, 7, 10, 14}));
  EXPECT_EQ(r.counters.engines[isa::kMm0].instrs, 5u);
  EXPECT_EQ(r.counters.engines[isa::kMm0].busy_cycles, 16u);
}

// MXU-2: nothing pending at reset, so an MM with switch waits for the WLD (dispatched in 1, issued in 2): 3. The
// second WLD is free of its own occupancy in 6, but must see the plane taken first.
TEST_F(MatrixUnit, Mxu2SwitchAndLoadSeeEachOtherOneCycleLater) {
  const auto r = run({mm(10, true), wld(), wld(), mm(1, true), wld(), halt()});
  EXPECT_EQ(issues(r, isa::kWld0), (Cycles{2, 6, 14}));
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{3, 13}));
}

// MXU-2: an MM without a switch neither waits for a plane nor frees one.
TEST_F(MatrixUnit, Mxu2AnMmWithoutSwitchLeavesThePlaneAlone) {
  const auto r = run({mm(1), wld(), mm(1), wld(), sync(1u << isa::kMm0), mm(1, true), halt()});
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{1, 3, 15}));  // SYNC done: 3 + 10 = 13, dispatch in 14
  EXPECT_EQ(issues(r, isa::kWld0), (Cycles{2, 16}));
}

// MXU-2: a stream of tiles, one WLD and one MM with switch each, has the period max(max(M, La), R/b, 2).
TEST_F(MatrixUnit, Mxu2PeriodOfATileStream) {
  constexpr int kTiles = 24;
  for (int rows : {8, 16}) {
    for (int b : {1, 2, 4, 8}) {
      const int blocks = rows / b;
      for (int m : std::set<int>{1, blocks - 1, blocks, blocks + 1, rows}) {
        chip_.mxu.rows = rows;
        chip_.mxu.weight_load_rows = b;
        std::vector<isa::Instr> code;
        for (int tile = 0; tile < kTiles; ++tile) {
          code.push_back(wld());
          code.push_back(mm(static_cast<uint32_t>(m), true));
        }
        code.push_back(halt());
        const auto r = run(std::move(code));
        const int64_t period = std::max({m, chip_.mxu.acc_latency, blocks, 2});
        const Cycles cycles = issues(r, isa::kMm0);
        for (size_t tile = 2; tile < cycles.size(); ++tile) {
          EXPECT_EQ(cycles[tile] - cycles[tile - 1], period) << "R " << rows << " b " << b << " M " << m;
        }
      }
    }
  }
}

// Counters: macs = sum of M * k_valid * n_valid; a WLD is busy R/b cycles.
TEST_F(MatrixUnit, Counters) {
  WordBuilder product = mm(5, true);
  std::get<isa::MmBody>(product.instr.body).k_valid = 7;
  std::get<isa::MmBody>(product.instr.body).n_valid = 3;
  const auto r = run({wld(), std::move(product), halt()});
  EXPECT_EQ(r.counters.macs, 105u);
  EXPECT_EQ(r.counters.engines[isa::kWld0].busy_cycles, 4u);
  EXPECT_EQ(r.counters.engines[isa::kMm0].busy_cycles, 5u);
  EXPECT_EQ(r.counters.words, 3u);
}

}  // namespace
}  // namespace lockstep::timing::test
