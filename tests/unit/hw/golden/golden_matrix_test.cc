// WLD and MM: planes (MXU-2), masks and neighbours (MXU-4), first and M = 0 (MXU-6), wrap.
#include "tests/unit/hw/golden/golden_run.h"

namespace lockstep::golden {
namespace {

using testgen::WordBuilder;

constexpr int64_t kHbmBytes = 8192;
constexpr int64_t kResult = 4096;  // HBM and VMEM address of the result tile

/// 4x4 array, La 2. VMEM [0, 4096) is loaded from the image: weights at 0 (stride 32), activations at 1024.
class GoldenMatrix : public testing::Test {
 protected:
  GoldenMatrix() : chip_(testgen::small_chip(4, 4, 2)), b_(chip_, kHbmBytes), image_(kHbmBytes, 0) {
    for (int k = 0; k < 4; ++k) {
      for (int c = 0; c < 4; ++c) {
        image_[static_cast<size_t>(k * 32 + c)] = static_cast<uint8_t>(10 * k + c + 1);
        image_[static_cast<size_t>(512 + k * 32 + c)] = static_cast<uint8_t>(-(k + 1));  // second set of weights
      }
    }
    for (int m = 0; m < 8; ++m) {
      for (int k = 0; k < 4; ++k) image_[static_cast<size_t>(1024 + m * 32 + k)] = static_cast<uint8_t>(m + k);
    }
    b_.ld(0, 0, 4096);
  }

  int weight(int set, int k, int c) const { return static_cast<int8_t>(image_[static_cast<size_t>(set * 512 + k * 32 + c)]); }
  int product(int set, int m, int c, int k_valid = 4) const {
    int sum = 0;
    for (int k = 0; k < k_valid; ++k) sum += (m + k) * weight(set, k, c);
    return sum;
  }
  isa::WldBody& wld(int set) { return WordBuilder::wld_body(b_.wld(set * 512, 32)); }
  isa::MmBody& mm(int64_t acc, uint32_t rows, bool first, bool switch_plane) {
    return WordBuilder::mm_body(b_.mm(1024, 32, acc, rows, first, switch_plane));
  }
  /// Copies `rows` accumulator rows from `acc`, stores and runs.
  Outcome finish(int64_t acc, uint32_t rows) {
    b_.vx(acc, kResult, 16, rows, 4);
    b_.st(kResult, kResult, 16 * ((rows + 1) / 2 * 2));
    b_.halt();
    target::RunOptions options;
    options.vmem_fill = 0x11;
    return run_image(chip_, b_.program(), image_, options);
  }
  std::string fault() {
    const Outcome outcome = finish(0, 2);
    return outcome.fault;
  }
  static int32_t at(const Outcome& o, int64_t row, int64_t col) { return o.word(kResult + row * 16 + col * 4); }

  chip::ChipSpec chip_;
  WordBuilder b_;
  target::MemoryImage image_;
};

TEST_F(GoldenMatrix, WldMasksRowsAndColumns) {
  auto& w = wld(0);
  w.k_valid = 3;
  w.n_valid = 2;
  mm(0, 2, true, true);
  const Outcome o = finish(0, 2);
  ASSERT_EQ(o.fault, "");
  for (int m = 0; m < 2; ++m) {
    for (int c = 0; c < 4; ++c) EXPECT_EQ(at(o, m, c), c < 2 ? product(0, m, c, 3) : 0) << m << "," << c;
  }
}

TEST_F(GoldenMatrix, WldDoesNotReadRowsBeyondKValid) {
  auto& w = wld(0);
  w.k_valid = 1;
  w.vmem.imm = chip_.vmem.size_KiB * 1024 - 32;  // row 1 would lie outside
  mm(0, 2, true, true);
  EXPECT_EQ(fault(), "");
}

TEST_F(GoldenMatrix, WldWithKValidZeroReadsNothing) {
  auto& w = wld(0);
  w.k_valid = 0;
  w.vmem.imm = -5000;
  mm(0, 2, true, true);
  const Outcome o = finish(0, 2);
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(at(o, 1, 3), 0);
}

TEST_F(GoldenMatrix, MmMasksActivations) {
  wld(0);
  mm(0, 2, true, true).k_valid = 2;
  const Outcome o = finish(0, 2);
  EXPECT_EQ(at(o, 1, 3), product(0, 1, 3, 2));
}

TEST_F(GoldenMatrix, OverwritingMmWritesZeroInMaskedColumns) {
  wld(0);
  mm(0, 2, true, true).n_valid = 3;
  const Outcome o = finish(0, 2);
  EXPECT_EQ(at(o, 1, 2), product(0, 1, 2));
  EXPECT_EQ(at(o, 1, 3), 0);
}

TEST_F(GoldenMatrix, AccumulatingMmLeavesMaskedColumns) {
  wld(0);
  mm(0, 2, true, true);
  mm(0, 2, false, false).n_valid = 3;
  const Outcome o = finish(0, 2);
  EXPECT_EQ(at(o, 1, 2), 2 * product(0, 1, 2));
  EXPECT_EQ(at(o, 1, 3), product(0, 1, 3));
}

TEST_F(GoldenMatrix, WldFillsTheShadowPlaneUntilTheSwitch) {
  wld(0);
  mm(0, 2, true, true);
  wld(1);
  mm(2, 2, true, false);  // still the first weights
  mm(4, 2, true, true);
  const Outcome o = finish(0, 6);
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(at(o, 1, 1), product(0, 1, 1));
  EXPECT_EQ(at(o, 3, 1), product(0, 1, 1));
  EXPECT_EQ(at(o, 5, 1), product(1, 1, 1));
}

TEST_F(GoldenMatrix, MmWithoutRowsSwitchesAndTouchesNothing) {
  wld(0);
  mm(0, 2, true, true);
  wld(1);
  mm(-7, 0, false, true).vmem.imm = -64;
  mm(2, 2, true, false);
  const Outcome o = finish(0, 4);
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(at(o, 1, 0), product(0, 1, 0));
  EXPECT_EQ(at(o, 3, 0), product(1, 1, 0));
}

TEST_F(GoldenMatrix, AccumulationWrapsInTwosComplement) {
  for (auto& byte : image_) byte = 0x80;
  wld(0);
  mm(0, 2, true, true);  // 4 * 2^14 = 2^16
  const size_t loop = b_.loop((1u << 15) - 1);
  mm(0, 2, false, false);
  b_.end_loop(loop);
  const Outcome o = finish(0, 2);
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(at(o, 1, 1), INT32_MIN) << "2^15 times 2^16";
}

TEST_F(GoldenMatrix, CountsMacsByTheMasks) {
  wld(0);
  auto& m = mm(0, 5, true, true);
  m.k_valid = 3;
  m.n_valid = 2;
  EXPECT_EQ(finish(0, 2).counters.macs, 30u);
}

TEST_F(GoldenMatrix, MmBeforeAnyWldFaults) {
  mm(0, 2, true, false);
  EXPECT_EQ(fault(), "F-PLANE");
}

TEST_F(GoldenMatrix, SwitchWithoutWldFaults) {
  mm(0, 2, true, true);
  EXPECT_EQ(fault(), "F-PLANE");
}

TEST_F(GoldenMatrix, TwoWldsInARowFault) {
  wld(0);
  wld(1);
  mm(0, 2, true, true);
  EXPECT_EQ(fault(), "F-PLANE");
}

TEST_F(GoldenMatrix, MmBeforeTheFirstSwitchFaultsEvenWithAPendingWld) {
  wld(0);
  mm(0, 2, true, false);
  EXPECT_EQ(fault(), "F-PLANE");
}

TEST_F(GoldenMatrix, AccumulatorRangeFaultsByOneRow) {
  wld(0);
  mm(chip_.mxu.acc_rows - 4, 4, true, true);
  mm(chip_.mxu.acc_rows - 3, 4, true, false);
  const Outcome o = finish(0, 2);
  EXPECT_EQ(o.fault, "F-ACC-RANGE");
  EXPECT_EQ(o.tag, 4u);  // LD, WLD, MM, then this MM
}

TEST_F(GoldenMatrix, OperandRowsMayNotStraddleALine) {
  // Lines of 16 bytes: a row of 4 at 12 fits, at 13 it straddles.
  wld(0);
  mm(0, 1, true, true).vmem.imm = 1024 + 12;
  mm(1, 1, true, false).vmem.imm = 1024 + 13;
  const Outcome o = finish(0, 2);
  EXPECT_EQ(o.fault, "F-LINE");
  EXPECT_EQ(o.tag, 4u);
}

TEST_F(GoldenMatrix, VmemRangeFaults) {
  wld(0);
  mm(0, 2, true, true).vmem.imm = chip_.vmem.size_KiB * 1024 - 32;
  EXPECT_EQ(fault(), "F-VMEM-RANGE");
}

/// MXU-4: B accumulates at `delta` rows from A's base; A has `rows_a` rows, La is `latency`.
bool neighbour_faults(int latency, uint32_t rows_a, int delta, bool accumulate) {
  chip::ChipSpec chip = testgen::small_chip(4, 4, 2);
  chip.mxu.acc_latency = latency;
  WordBuilder b(chip, 1024);
  b.ld(0, 0, 1024);
  b.wld(0, 32);
  b.mm(0, 0, 0, 64, true, true);
  b.mm(0, 0, 30, rows_a, true, false);
  b.mm(0, 0, 30 + delta, 3, !accumulate, false);
  const Outcome o = run_words(chip, b);
  EXPECT_TRUE(o.fault.empty() || o.fault == "F-ACC-HAZARD") << o.fault;
  return !o.fault.empty();
}

TEST(GoldenNeighbour, FaultsExactlyInsideTheForbiddenRows) {
  for (const int latency : {2, 3, 4}) {
    for (const int rows_a : {1, 2, 3, 4, 5, 9}) {
      for (int delta = -4; delta <= 12; ++delta) {
        const int low = std::max(rows_a, latency) - latency + 1;
        const bool expected = delta >= low && delta <= rows_a - 1;
        EXPECT_EQ(neighbour_faults(latency, static_cast<uint32_t>(rows_a), delta, true), expected)
            << "La " << latency << " M_A " << rows_a << " delta " << delta;
        EXPECT_FALSE(neighbour_faults(latency, static_cast<uint32_t>(rows_a), delta, false));
      }
    }
  }
}

TEST(GoldenNeighbour, OnlyTheDirectNeighbourCounts) {
  const chip::ChipSpec chip = testgen::small_chip(4, 4, 2);
  WordBuilder b(chip, 1024);
  b.ld(0, 0, 1024);
  b.wld(0, 32);
  b.mm(0, 0, 0, 8, true, true);
  b.mm(0, 0, 20, 1, true, false);
  b.mm(0, 0, 7, 1, false, false);  // inside the first one's forbidden rows
  EXPECT_EQ(run_words(chip, b).fault, "");
}

TEST(GoldenMxus, EachMxuHasItsOwnPlanesAndAccumulators) {
  chip::ChipSpec chip = testgen::small_chip(4, 4, 2);
  chip.mxu.count = 2;
  WordBuilder b(chip, 1024);
  b.ld(0, 0, 512);
  b.wld(0, 32, 0);
  b.wld(128, 32, 1);
  b.mm(256, 32, 0, 2, true, true, 1);
  b.mm(256, 32, 0, 2, true, true, 0);
  b.vx(0, 1024, 16, 2, 4, 0);
  b.vx(0, 1056, 16, 2, 4, 1);
  b.st(512, 1024, 64);
  const Outcome o = run_words(chip, b);
  ASSERT_EQ(o.fault, "");
  const target::MemoryImage before = ramp_image(1024);
  for (int unit = 0; unit < 2; ++unit) {
    int expected = 0;
    for (size_t k = 0; k < 4; ++k) {
      expected += static_cast<int8_t>(before[256 + 32 + k]) * static_cast<int8_t>(before[static_cast<size_t>(unit) * 128 + k * 32 + 1]);
    }
    EXPECT_EQ(o.word(512 + unit * 32 + 16 + 4), expected) << "MXU " << unit;
  }
}

}  // namespace
}  // namespace lockstep::golden
