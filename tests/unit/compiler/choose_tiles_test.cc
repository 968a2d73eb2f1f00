#include "compiler/passes/choose_tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/analysis/bounds.h"
#include "compiler/analysis/tiling.h"
#include "compiler/passes/check_schedule.h"
#include "tests/unit/compiler/test_chips.h"

namespace lockstep::passes {
namespace {

using compiler_test::edge16;
using compiler_test::edge8;
using compiler_test::tiny4;
using compiler_test::tpu128;
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

TEST(ChooseTiles, EverythingRankedIsLegalAndTheFirstIsAmongTheFastest) {
  for (const chip::ChipSpec& chip : {tiny4(), edge8(), edge16(), compiler_test::wide(), compiler_test::tall(), tpu128()}) {
    for (const ir::Gemm& g : {gemm(512, 4096, 4096), gemm(8, 4096, 14336), gemm(1, 1, 1), gemm(300, 77, 1000), gemm(1, 128256, 4096)}) {
      TileRequest request;
      request.keep = 100000;
      const auto outcome = choose_tiles(g, chip, request);
      ASSERT_TRUE(std::holds_alternative<TileChoice>(outcome)) << chip.name << ": " << std::get<ir::Infeasible>(outcome).detail;
      const auto& choice = std::get<TileChoice>(outcome);
      EXPECT_EQ(choice.legal, static_cast<int64_t>(choice.ranked.size()));
      int64_t best = INT64_MAX;
      for (const RankedSchedule& r : choice.ranked) {
        EXPECT_FALSE(check(g, chip, r.schedule)) << ir::print(r.schedule);
        best = std::min(best, r.cost.cycles);
        EXPECT_GE(r.cost.hbm_read_bytes + r.cost.hbm_write_bytes, analysis::operand_bytes(g).total());
      }
      EXPECT_LE(choice.ranked.front().cost.cycles, best + best / 100);
    }
  }
}

TEST(ChooseTiles, ThePinnedTileIsTheOnlyTile) {
  TileRequest request;
  request.tm = 24;
  request.tn = 3;
  request.tk = 8;
  const auto outcome = choose_tiles(gemm(512, 512, 512), edge8(), request);
  ASSERT_TRUE(std::holds_alternative<TileChoice>(outcome));
  for (const RankedSchedule& r : std::get<TileChoice>(outcome).ranked) {
    EXPECT_EQ(r.schedule.tm, 24);
    EXPECT_EQ(r.schedule.tn, 3);
    EXPECT_EQ(r.schedule.tk, 8);
  }
}

TEST(ChooseTiles, APinThatCannotFitIsInfeasibleWithTheReason) {
  TileRequest request;
  request.tm = 300;
  auto outcome = choose_tiles(gemm(512, 512, 512), edge8(), request);
  ASSERT_TRUE(std::holds_alternative<ir::Infeasible>(outcome));
  EXPECT_EQ(std::get<ir::Infeasible>(outcome).code, "acc_rows");
  request = {};
  request.tk = 512;
  outcome = choose_tiles(gemm(512, 512, 4096), edge8(), request);
  ASSERT_TRUE(std::holds_alternative<ir::Infeasible>(outcome));
  EXPECT_EQ(std::get<ir::Infeasible>(outcome).code, "vmem");
}

TEST(ChooseTiles, AVmemTooSmallForAnyTileIsInfeasible) {
  chip::ChipSpec chip = tpu128();
  chip.vmem.size_KiB = 16;
  const auto outcome = choose_tiles(gemm(512, 512, 512), chip, {});
  ASSERT_TRUE(std::holds_alternative<ir::Infeasible>(outcome));
  EXPECT_EQ(std::get<ir::Infeasible>(outcome).code, "vmem");
}

TEST(Bounds, AreTheClosedForms) {
  const analysis::Bounds b = analysis::lower_bounds(gemm(512, 4096, 4096), tpu128());
  EXPECT_EQ(b.ideal_cycles, 524288);
  EXPECT_EQ(b.compute_cycles, 524288);
  EXPECT_EQ(b.weight_load_cycles, 32 * 32 * 16);
  EXPECT_STREQ(b.limiter(), "compute");
  const analysis::Bounds decode = analysis::lower_bounds(gemm(1, 129, 129), edge8());
  EXPECT_EQ(decode.compute_cycles, 17 * 17);
  EXPECT_EQ(decode.weight_load_cycles, 17 * 17 * 4);
  EXPECT_EQ(decode.hbm_cycles, (129 + 129 * 129 + 4 * 129 + 7) / 8);
  EXPECT_STREQ(decode.limiter(), "hbm");
}

}  // namespace
}  // namespace lockstep::passes
