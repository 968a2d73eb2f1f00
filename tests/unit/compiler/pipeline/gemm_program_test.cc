// Compiled programs do what they should: every byte, on golden, whatever the remainders, buffers and order.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/frontend/workload_yaml.h"
#include "tests/unit/compiler/pipeline/gemm_run.h"
#include "tests/unit/compiler/test_chips.h"

namespace lockstep::compiler_test {
namespace {

ir::Gemm gemm(int64_t m, int64_t n, int64_t k) {
  ir::Gemm g;
  g.name = fmt::format("m{}_n{}_k{}", m, n, k);
  g.m = m;
  g.n = n;
  g.k = k;
  return g;
}

/// Compiles, runs and compares; the schedule is in the message of a failure.
testing::AssertionResult correct(const ir::Gemm& g, const chip::ChipSpec& chip, const pipeline::Knobs& knobs,
                                 const pipeline::CompileOptions& options = {}) {
  const auto outcome = pipeline::compile(g, chip, knobs, options);
  if (!outcome) return testing::AssertionFailure() << format_diag(outcome.diags().front());
  if (const auto* why = std::get_if<ir::Infeasible>(&*outcome)) {
    return testing::AssertionFailure() << g.name << " on " << chip.name << ": infeasible " << why->code << ": " << why->detail;
  }
  const auto& compiled = std::get<pipeline::Compiled>(*outcome);
  const std::string problem = run_and_compare(compiled, chip, 1234);
  if (problem.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << g.name << " on " << chip.name << " (seed 1234) with " << ir::print(compiled.schedule) << ": " << problem;
}

pipeline::Knobs knobs_with(int buffers, bool drain_overlap = true) {
  pipeline::Knobs knobs;
  knobs.buffers = buffers;
  knobs.drain_overlap = drain_overlap;
  return knobs;
}

class PeerShapes : public testing::TestWithParam<int> {};

TEST_P(PeerShapes, AreCorrectOnEveryChipWithEveryNumberOfBuffers) {
  const auto workload = frontend::read_workload(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/workloads/layers/peer_shapes.yaml");
  ASSERT_TRUE(workload.ok());
  for (const chip::ChipSpec& chip : {tiny4(), edge8(), edge16(), wide(), tall()}) {
    for (const ir::Gemm& g : workload->gemms) {
      EXPECT_TRUE(correct(g, chip, knobs_with(GetParam())));
      EXPECT_TRUE(correct(g, chip, knobs_with(GetParam(), false)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Buffers, PeerShapes, testing::Values(1, 2, 3));

void sweep_every_remainder(const chip::ChipSpec& chip) {
  const int64_t size = chip.mxu.rows + 1;
  for (int64_t m = 1; m <= size; ++m) {
    for (int64_t n = 1; n <= size; ++n) {
      for (int64_t k = 1; k <= size; ++k) ASSERT_TRUE(correct(gemm(m, n, k), chip, knobs_with(2)));
    }
  }
}

TEST(GemmProgram, EveryRemainderOfA4x4Array) { sweep_every_remainder(tiny4()); }
TEST(GemmProgram, EveryRemainderOfAn8x8Array) { sweep_every_remainder(edge8()); }

TEST(GemmProgram, ChainsOfOneToNineDepthTilesWithPartialLastOnes) {
  for (int64_t tiles = 1; tiles <= 9; ++tiles) {
    for (const int64_t last : {1, 3, 8}) {
      for (const int buffers : {1, 2, 3}) {
        EXPECT_TRUE(correct(gemm(11, 19, (tiles - 1) * 8 + last), edge8(), knobs_with(buffers)));
      }
    }
  }
}

/// Pins tiles small enough that every loop has first, middle and last trips, in both orders of the operands.
TEST(GemmProgram, SmallPinnedTilesOfBothKindsAreCorrect) {
  const chip::ChipSpec chip = edge8();
  for (const auto& [m, n, k] : std::vector<std::array<int64_t, 3>>{{40, 72, 200}, {37, 70, 197}, {33, 41, 160}, {9, 130, 33}, {64, 8, 64}}) {
    for (const int64_t tm : {8, 16}) {
      for (const int64_t tn : {1, 2, 3, 4}) {
        for (int buffers = 1; buffers <= 3; ++buffers) {
          pipeline::CompileOptions options;
          options.schedule = ir::Schedule{tm, tn, 4, ir::Activations::kStreamed, buffers, 4 - buffers, 1 + buffers % 2, 1 + buffers / 2};
          EXPECT_TRUE(correct(gemm(m, n, k), chip, {}, options));
          if (tn != 1) continue;
          options.schedule->activations = ir::Activations::kResident;
          options.schedule->activation_buffers = 1 + buffers % 2;
          EXPECT_TRUE(correct(gemm(m, n, k), chip, {}, options));
        }
      }
    }
  }
}

TEST(GemmProgram, ReducedProgramsAreCorrectAndShort) {
  pipeline::CompileOptions options;
  options.reduced = true;
  for (const chip::ChipSpec& chip : {edge8(), edge16(), tall()}) {
    const auto outcome = pipeline::compile(gemm(500, 1000, 3000), chip, {}, options);
    ASSERT_TRUE(outcome.ok());
    const auto* compiled = std::get_if<pipeline::Compiled>(&*outcome);
    ASSERT_NE(compiled, nullptr);
    EXPECT_LE(compiled->gemm.m, 3 * compiled->schedule.tm);
    EXPECT_LE(compiled->gemm.n, 3 * compiled->schedule.tn * chip.mxu.cols);
    EXPECT_LE(compiled->gemm.k, 3 * compiled->schedule.tk * chip.mxu.rows);
    EXPECT_EQ(run_and_compare(*compiled, chip, 7), "");
  }
}

TEST(GemmProgram, TwoLoadQueuesSplitTheOperands) {
  chip::ChipSpec chip = edge8();
  chip.dma.load_queues = 2;
  EXPECT_TRUE(correct(gemm(37, 70, 197), chip, knobs_with(3)));
}

TEST(GemmProgram, AWiderGranuleIsRespected) {
  for (const int granule : {64, 128}) {
    chip::ChipSpec chip = tiny4();
    chip.dma.granule_bytes = granule;
    for (const auto& [m, n, k] : std::vector<std::array<int64_t, 3>>{{1, 1, 1}, {7, 9, 70}, {33, 5, 200}}) {
      EXPECT_TRUE(correct(gemm(m, n, k), chip, knobs_with(2)));
    }
  }
}

}  // namespace
}  // namespace lockstep::compiler_test
