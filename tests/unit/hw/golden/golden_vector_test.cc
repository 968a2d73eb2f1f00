// VX copy kernel (VX-1..3): addressing of rows and chunks, masks, ranges.
#include "tests/unit/hw/golden/golden_run.h"

namespace lockstep::golden {
namespace {

using testgen::WordBuilder;

constexpr int64_t kResult = 2048;

/// 4 x 8 array, lanes 4: an accumulator row is two chunks. Row r column c holds 100 r + c + 1 for r < 9.
class GoldenVector : public testing::Test {
 protected:
  GoldenVector() : chip_(testgen::small_chip(4, 8, 2)), b_((chip_.vpu.lanes = 4, chip_), 8192), image_(8192, 0) {
    // Weights: row 0 = column + 1, row 1 = 100. Activations: (1, r).
    for (size_t c = 0; c < 8; ++c) {
      image_[c] = static_cast<uint8_t>(c + 1);
      image_[32 + c] = 100;
    }
    for (size_t r = 0; r < 9; ++r) {
      image_[256 + r * 32] = 1;
      image_[256 + r * 32 + 1] = static_cast<uint8_t>(r);
    }
    b_.ld(0, 0, 1024);
    b_.wld(0, 32);
    b_.mm(256, 32, 0, 9, true, true);
  }
  static int32_t held(int64_t row, int64_t col) { return static_cast<int32_t>(100 * row + col + 1); }

  Outcome finish() {
    b_.st(kResult, kResult, 4096);
    b_.halt();
    return run_image(chip_, b_.program(), image_, {.vmem_fill = 0x22});
  }

  chip::ChipSpec chip_;
  WordBuilder b_;
  target::MemoryImage image_;
};

TEST_F(GoldenVector, CopiesRowsAndChunks) {
  b_.vx(0, kResult, 64, 9, 8);
  const Outcome o = finish();
  ASSERT_EQ(o.fault, "");
  for (int64_t r = 0; r < 9; ++r) {
    for (int64_t c = 0; c < 8; ++c) EXPECT_EQ(o.word(kResult + r * 64 + c * 4), held(r, c)) << r << "," << c;
  }
}

TEST_F(GoldenVector, ColumnsBeyondColsValidAndRowsBeyondRowsAreNotWritten) {
  b_.vx(0, kResult, 64, 3, 6);
  const Outcome o = finish();
  ASSERT_EQ(o.fault, "");
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 8; ++c) {
      EXPECT_EQ(o.word(kResult + r * 64 + c * 4), r < 3 && c < 6 ? held(r, c) : 0x22222222) << r << "," << c;
    }
  }
}

TEST_F(GoldenVector, ChunksBeyondARowFollowTheAccumulatorChunkStride) {
  isa::VxBody& v = WordBuilder::vx_body(b_.vx(1, kResult, 128, 2, 14));  // 4 chunks: 2 accumulator rows wide
  v.slots[0].row_stride = 2;
  v.slots[0].chunk_stride = 3;
  v.slots[1].chunk_stride = 32;
  const Outcome o = finish();
  ASSERT_EQ(o.fault, "");
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t c = 0; c < 16; ++c) {
      const int64_t chunk = c / 4;
      const int32_t expected = c < 14 ? held(1 + r * 2 + chunk / 2 * 3, chunk % 2 * 4 + c % 4) : 0x22222222;
      EXPECT_EQ(o.word(kResult + r * 128 + chunk * 32 + c % 4 * 4), expected) << r << "," << c;
    }
  }
}

TEST_F(GoldenVector, OverlappingTargetsFollowTheOrderOfGroupsChunksRows) {
  // Row r chunk j goes to r * 16 - j * 112: chunk 1 of row 7 lands on chunk 0 of row 0 and comes later.
  isa::VxBody& v = WordBuilder::vx_body(b_.vx(0, kResult + 512, 16, 9, 8));
  v.slots[1].chunk_stride = -112;
  const Outcome o = finish();
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(o.word(kResult + 512), held(7, 4));
  EXPECT_EQ(o.word(kResult + 512 + 16), held(8, 4)) << "row 8 is in the second group";
}

TEST_F(GoldenVector, NoRowsOrNoChunksWriteNothing) {
  b_.vx(-100, -100, 64, 0, 8);
  isa::VxBody& v = WordBuilder::vx_body(b_.vx(0, kResult, 64, 4, 0));
  EXPECT_EQ(v.chunks, 0u);
  const Outcome o = finish();
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(o.word(kResult), 0x22222222);
  EXPECT_EQ(o.counters.engines[isa::kVx0].instrs, 2u);
}

TEST_F(GoldenVector, AccumulatorRangeFaults) {
  b_.vx(chip_.mxu.acc_rows - 3, kResult, 64, 4, 8);
  EXPECT_EQ(finish().fault, "F-ACC-RANGE");
}

TEST_F(GoldenVector, VmemRangeFaults) {
  b_.vx(0, chip::vmem_bytes(chip_) - 64, 64, 2, 8);
  EXPECT_EQ(finish().fault, "F-VMEM-RANGE");
}

TEST_F(GoldenVector, ChunksMayNotStraddleALine) {
  b_.vx(0, kResult + 8, 64, 2, 8);  // lines of 16 bytes
  EXPECT_EQ(finish().fault, "F-LINE");
}

TEST_F(GoldenVector, RefusesWhatIsNotBuilt) {
  const auto refused = [&](auto change) {
    WordBuilder b(chip_, 8192);
    change(WordBuilder::vx_body(b.vx(0, kResult, 64, 2, 8)));
    return run_words(chip_, b).fault;
  };
  EXPECT_EQ(refused([](isa::VxBody& v) { v.kernel = 1; }), "refused E0502");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.rows_inner = 2; }), "refused E0502");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.slots[0].row_stride2 = 2; }), "refused E0502");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.slots[1].type = isa::VxType::kInt8; }), "refused E0502");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.rows.from_table = true; }), "refused E0502");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.slots[0].space = isa::VxSpace::kAcc1; }), "refused E0501");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.slots[1].space = isa::VxSpace::kNone; }), "refused E0501");
  EXPECT_EQ(refused([](isa::VxBody& v) { v.cols_valid = 9; }), "refused E0501");
}

}  // namespace
}  // namespace lockstep::golden
