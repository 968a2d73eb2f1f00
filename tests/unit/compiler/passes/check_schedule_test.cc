#include "compiler/passes/check_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/analysis/tiling.h"
#include "tests/unit/compiler/test_chips.h"

namespace lockstep::passes {
namespace {

using compiler_test::edge16;
using compiler_test::edge8;
using compiler_test::tiny4;
using ir::Activations;
using ir::Schedule;
using ::testing::HasSubstr;

ir::Gemm gemm(int64_t m, int64_t n, int64_t k) {
  ir::Gemm g;
  g.name.assign(1, 'g');
  g.m = m;
  g.n = n;
  g.k = k;
  return g;
}

std::optional<ir::Infeasible> check(const ir::Gemm& g, const chip::ChipSpec& chip, const Schedule& s) {
  return check_schedule(analysis::resolve_tiling(g, chip, s), chip);
}

TEST(CheckSchedule, ExactlyFullAccumulatorsAreLegalAndOneRowOverIsNot) {
  Schedule s{128, 1, 4, Activations::kStreamed, 1, 1, 2, 1};
  EXPECT_FALSE(check(gemm(1000, 8, 32), edge8(), s));  // 2 x 128 = 256
  s.tm = 129;
  const auto why = check(gemm(1000, 8, 32), edge8(), s);
  ASSERT_TRUE(why);
  EXPECT_EQ(why->code, "acc_rows");
  EXPECT_EQ(why->detail, "2 buffers x 1 n tiles x 129 rows = 258 accumulator rows, mxu.acc_rows is 256");
}

TEST(CheckSchedule, ExactlyFullVmemIsLegalAndOneSliceOverIsNot) {
  // weights 3 x 512 B, activations 2 x 64 x 64 B, outputs 1 x 64 x 32 B: 11,776 B; 8 x 8 array, 8 k tiles a slice.
  const Schedule s{64, 1, 8, Activations::kStreamed, 3, 2, 1, 1};
  chip::ChipSpec chip = edge8();
  const auto t = analysis::resolve_tiling(gemm(640, 8, 640), chip, s);
  EXPECT_EQ(t.vmem.bytes, 3 * 512 + 2 * 4096 + 2048);
  chip.vmem.size_KiB = 12;
  EXPECT_FALSE(check(gemm(640, 8, 640), chip, s));
  chip.vmem.size_KiB = 11;
  const auto why = check(gemm(640, 8, 640), chip, s);
  ASSERT_TRUE(why);
  EXPECT_EQ(why->code, "vmem");
  EXPECT_EQ(why->detail, "weights 3 x 512 B + activations 2 x 4096 B + outputs 1 x 2048 B = 11776 B, vmem has 11264 B");
}

TEST(CheckSchedule, GranulesAndLoopOrderLimitTheTiles) {
  EXPECT_EQ(check(gemm(64, 64, 640), edge8(), {64, 1, 3, Activations::kStreamed, 1, 1, 1, 1})->code, "tile");
  EXPECT_FALSE(check(gemm(64, 64, 24), edge8(), {64, 1, 3, Activations::kStreamed, 1, 1, 1, 1}));  // one slice
  EXPECT_EQ(check(gemm(64, 64, 640), edge8(), {64, 2, 4, Activations::kResident, 1, 1, 1, 1})->code, "tile");
  EXPECT_EQ(check(gemm(64, 64, 64), tiny4(), {7, 1, 8, Activations::kStreamed, 1, 1, 1, 1})->code, "tile");
  EXPECT_EQ(check(gemm(64, 64, 64), edge8(), {8, 1, 8, Activations::kStreamed, 9, 1, 1, 1})->code, "ring");
  EXPECT_EQ(check(gemm(1, 8, 100000), edge16(), {1, 1, 2, Activations::kResident, 1, 1, 1, 1})->code, "semaphore");
  chip::ChipSpec chip = edge8();
  chip.mxu.count = 4;
  EXPECT_EQ(check(gemm(8, 8, 8), chip, {8, 1, 4, Activations::kStreamed, 1, 1, 1, 1})->code, "mxu");
}

TEST(CheckSchedule, HbmCapacityIsCheckedWithTheBreakdown) {
  chip::ChipSpec chip = edge8();
  chip.dram.size_GiB = 0.0001;
  const auto why = check(gemm(512, 512, 512), chip, {64, 1, 8, Activations::kStreamed, 1, 1, 1, 1});
  ASSERT_TRUE(why);
  EXPECT_EQ(why->code, "hbm");
  EXPECT_THAT(why->detail, HasSubstr("activations 262144 B + weights 262144 B + outputs 1048576 B = 1572864 B"));
}

}  // namespace
}  // namespace lockstep::passes
