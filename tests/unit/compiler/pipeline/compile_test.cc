#include "compiler/pipeline/compile.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/compiler/test_chips.h"

namespace lockstep::pipeline {
namespace {

using compiler_test::edge8;

ir::Gemm gemm(int64_t m, int64_t n, int64_t k) {
  ir::Gemm g;
  g.name = "g";
  g.m = m;
  g.n = n;
  g.k = k;
  return g;
}

Compiled compile_or_die(const ir::Gemm& g, const chip::ChipSpec& chip, const Knobs& knobs = {}, const CompileOptions& options = {}) {
  return std::get<Compiled>(compile(g, chip, knobs, options).value());
}

TEST(Compile, IsDeterministicAndAPinnedScheduleReplaysTheSameProgram) {
  const Compiled first = compile_or_die(gemm(300, 200, 500), edge8());
  const Compiled second = compile_or_die(gemm(300, 200, 500), edge8());
  EXPECT_EQ(first.program, second.program);
  CompileOptions options;
  options.schedule = ir::parse_schedule(ir::print(first.schedule), {}).value();
  EXPECT_EQ(compile_or_die(gemm(300, 200, 500), edge8(), {}, options).program, first.program);
}

TEST(Compile, RefusesAGemmThatIsNotOne) {
  const auto outcome = compile(gemm(0, 1, 131072), edge8(), {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.diags().size(), 2u);
}

TEST(Compile, TheLargestExtentsLower) {
  chip::ChipSpec chip = edge8();
  chip.dram.size_GiB = 1024;
  for (const ir::Gemm& g : {gemm(ir::kMaxExtent, 65, 129), gemm(3, ir::kMaxExtent, 9), gemm(1, 9, ir::kMaxReduction)}) {
    const auto outcome = compile(g, chip, {});
    ASSERT_TRUE(outcome.ok());
    EXPECT_TRUE(std::holds_alternative<Compiled>(*outcome)) << g.m;
  }
}

TEST(Compile, FallsBackToAScheduleWhoseProgramFitsTheInstructionMemory) {
  chip::ChipSpec chip = edge8();
  const Compiled large = compile_or_die(gemm(500, 500, 4100), chip);
  chip.imem_words = static_cast<int>(large.program.code.size()) - 1;
  const auto outcome = compile(gemm(500, 500, 4100), chip, {});
  ASSERT_TRUE(outcome.ok());
  if (const auto* compiled = std::get_if<Compiled>(&*outcome)) {
    EXPECT_NE(compiled->schedule, large.schedule);
    EXPECT_LE(compiled->program.code.size(), static_cast<size_t>(chip.imem_words));
  } else {
    EXPECT_EQ(std::get<ir::Infeasible>(*outcome).code, "imem");
  }
  chip.imem_words = 4;
  EXPECT_EQ(std::get<ir::Infeasible>(compile(gemm(500, 500, 4100), chip, {}).value()).code, "imem");
}

/// Likes the program with the fewest words, to be distinguishable from the analytic order.
class FewestWords final : public analysis::LatencyEstimator {
 public:
  std::optional<int64_t> cycles(const isa::Program& program) override {
    sizes.push_back(program.code.size());
    return static_cast<int64_t>(program.code.size());
  }
  std::vector<size_t> sizes;
};

TEST(Compile, TakesTheScheduleThatTheEstimatorFindsFastest) {
  FewestWords estimator;
  CompileOptions options;
  options.estimator = &estimator;
  const Compiled c = compile_or_die(gemm(500, 500, 500), edge8(), {}, options);
  ASSERT_GT(estimator.sizes.size(), 1u);
  EXPECT_EQ(c.program.code.size(), *std::min_element(estimator.sizes.begin(), estimator.sizes.end()));
}

TEST(Compile, DrainOverlapBuysASecondAccumulatorBuffer) {
  Knobs knobs;
  EXPECT_EQ(compile_or_die(gemm(128, 800, 64), edge8(), knobs).schedule.accumulator_buffers, 2);
  knobs.drain_overlap = false;
  EXPECT_EQ(compile_or_die(gemm(128, 800, 64), edge8(), knobs).schedule.accumulator_buffers, 1);
}

}  // namespace
}  // namespace lockstep::pipeline
