#include <gtest/gtest.h>

#include <cstring>

#include "hw/golden/golden.h"
#include "tests/unit/hw/golden/gemm_case.h"

namespace lockstep::golden {
namespace {

void expect_gemm(const chip::ChipSpec& chip, const GemmCase& gemm, uint8_t fill) {
  SCOPED_TRACE(testing::Message() << "M " << gemm.m << " K " << gemm.k << " N " << gemm.n << " on " << chip.mxu.rows << "x"
                                  << chip.mxu.cols << " fill " << int{fill});
  const target::MemoryImage before = gemm_image(chip, gemm, static_cast<uint32_t>(gemm.m * 10007 + gemm.k * 101 + gemm.n));
  target::MemoryImage image = before;
  target::RunOptions options;
  options.vmem_fill = fill;
  const Result<target::RunResult> run = GoldenTarget(chip).run(gemm_program(chip, gemm), image, options);
  ASSERT_TRUE(run.ok()) << run.diags().front().message;
  ASSERT_FALSE(run->fault) << run->fault->code << " " << run->fault->detail;
  EXPECT_TRUE(image == gemm_expected(chip, gemm, before));
  const GemmLayout at(chip, gemm);
  EXPECT_EQ(run->counters.macs, static_cast<uint64_t>(gemm.m) * static_cast<uint64_t>(gemm.k) * static_cast<uint64_t>(gemm.n));
  EXPECT_EQ(run->counters.hbm_read_bytes, static_cast<uint64_t>(at.hbm_bytes()));
  EXPECT_EQ(run->counters.hbm_write_bytes, static_cast<uint64_t>(at.c_bytes));
  EXPECT_EQ(run->counters.engines[isa::kMm0].instrs, static_cast<uint64_t>(at.k_tiles * at.n_tiles));
}

TEST(GoldenGemm, HandComputedTwoByTwo) {
  // [1 -2; 3 4] x [5 6; -7 8] = [19 -10; -13 50]
  const chip::ChipSpec chip = testgen::small_chip(4, 4, 2);
  const GemmCase gemm{2, 2, 2};
  const GemmLayout at(chip, gemm);
  target::MemoryImage image = gemm_image(chip, gemm, 1);
  const auto put = [&](int64_t where, int value) { image[static_cast<size_t>(where)] = static_cast<uint8_t>(value); };
  put(0, 1), put(1, -2), put(at.a_pitch, 3), put(at.a_pitch + 1, 4);
  put(at.a_bytes, 5), put(at.a_bytes + 1, 6), put(at.a_bytes + at.b_pitch, -7), put(at.a_bytes + at.b_pitch + 1, 8);
  ASSERT_TRUE(GoldenTarget(chip).run(gemm_program(chip, gemm), image, {}).ok());
  const auto get = [&](int64_t row, int64_t col) {
    int32_t value = 0;
    std::memcpy(&value, image.data() + at.a_bytes + at.b_bytes + row * at.c_pitch + col * 4, 4);
    return value;
  };
  EXPECT_EQ(get(0, 0), 19);
  EXPECT_EQ(get(0, 1), -10);
  EXPECT_EQ(get(1, 0), -13);
  EXPECT_EQ(get(1, 1), 50);
  EXPECT_EQ(static_cast<uint32_t>(get(0, 2)), 0xC5C5C5C5u) << "canary";
}

TEST(GoldenGemm, EveryShapeUpToOneBeyondTheArrayLeavesTheCanaryAlone) {
  for (const int dim : {4, 8}) {
    const chip::ChipSpec chip = testgen::small_chip(dim, dim, 2);
    for (int m = 1; m <= dim + 1; ++m) {
      for (int k = 1; k <= dim + 1; ++k) {
        for (int n = 1; n <= dim + 1; ++n) expect_gemm(chip, {m, k, n}, static_cast<uint8_t>(m * 37 + k * 5 + n));
      }
    }
  }
}

TEST(GoldenGemm, RectangularArrays) {
  for (int extra = 0; extra < 3; ++extra) {
    expect_gemm(testgen::small_chip(4, 16, 4), {5, 7 + extra, 15 + extra}, 0xFF);
    expect_gemm(testgen::small_chip(16, 4, 4), {3, 15 + extra, 3 + extra}, 0x80);
  }
}

TEST(GoldenGemm, ChainsOfOneToNineKTiles) {
  const chip::ChipSpec chip = testgen::small_chip(4, 4, 1);
  for (int tiles = 1; tiles <= 9; ++tiles) {
    for (const int last : {1, 3, 4}) expect_gemm(chip, {6, (tiles - 1) * 4 + last, 5}, 0x5A);
  }
}

TEST(GoldenGemm, ExtremeOperandsStayExact) {
  const chip::ChipSpec chip = testgen::small_chip(16, 16, 8);
  const GemmCase gemm{4, 128, 16};
  target::MemoryImage before(static_cast<size_t>(GemmLayout(chip, gemm).hbm_bytes()), 0x80);  // -128 everywhere
  target::MemoryImage image = before;
  ASSERT_TRUE(GoldenTarget(chip).run(gemm_program(chip, gemm), image, {}).ok());
  EXPECT_TRUE(image == gemm_expected(chip, gemm, before));
}

}  // namespace
}  // namespace lockstep::golden
