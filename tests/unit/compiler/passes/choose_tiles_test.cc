#include "compiler/passes/choose_tiles.h"

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
using ir::Schedule;

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

}  // namespace
}  // namespace lockstep::passes
