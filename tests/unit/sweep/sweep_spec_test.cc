#include "sweep/space/sweep_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lockstep::sweep {
namespace {

std::string source(const std::string& path) { return std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/" + path; }

class SweepSpecTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  /// A sweep of edge8 with these parameters and `extra` root keys.
  Result<SweepSpec> load(const std::string& parameters, const std::string& extra = "",
                         const std::vector<OverrideText>& overrides = {}) {
    path_ = std::string(LOCKSTEP_TEST_BINARY_DIR) + "/sweep_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
    std::ofstream(path_) << "schema: lockstep/sweep/v1\nname: test\nbase:\n  chip: " << source("configs/chips/edge8.yaml")
                         << "\n  workloads: [{layers: " << source("workloads/layers/peer_shapes.yaml")
                         << "}]\nmethod: {name: grid}\nobjectives: [{metric: latency_ms, goal: minimize}]\n"
                         << "parameters:\n"
                         << parameters << extra;
    return load_sweep(path_, overrides);
  }

  std::string path_;
};

std::vector<std::string> codes(const Result<SweepSpec>& sweep) {
  std::vector<std::string> found;
  for (const Diag& diag : sweep.diags()) found.push_back(diag.code);
  return found;
}

TEST_F(SweepSpecTest, ResolvesEachPointThroughBothTables) {
  const auto sweep = load("  chip.vmem.size_KiB: {values: [64, 1MiB]}\n  compiler.pipelining.buffers: {values: [1, 3]}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.diags()[0].message;
  ASSERT_EQ(sweep->space.points(), 4);
  const PointConfig config = config_at(*sweep, 3);
  EXPECT_EQ(config.chip.vmem.size_KiB, 1024);
  EXPECT_EQ(config.knobs.buffers, 3);
  EXPECT_EQ(config.axis_values, (std::vector<std::string>{"1024", "3"}));
  EXPECT_EQ(config.infeasible, "");
}

TEST_F(SweepSpecTest, RangesFollowTheUnitOfTheirField) {
  const auto sweep = load("  chip.vmem.size_KiB: {min: 64KiB, max: 1MiB, scale: log2}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.diags()[0].message;
  EXPECT_EQ(sweep->space.axes()[0].values, (std::vector<std::string>{"64", "128", "256", "512", "1024"}));
}

TEST_F(SweepSpecTest, RelationsBetweenFieldsMakeAPointInfeasibleNotTheSweepWrong) {
  const auto sweep = load("  chip.mxu.cols: {values: [4, 8]}\n");  // 8 lanes do not divide 4 columns
  ASSERT_TRUE(sweep.ok()) << sweep.diags()[0].message;
  EXPECT_NE(config_at(*sweep, 0).infeasible, "");
  EXPECT_EQ(config_at(*sweep, 1).infeasible, "");
}

TEST_F(SweepSpecTest, UnknownAxisNamesTheNearestWithItsPlace) {
  const auto sweep = load("  chip.mxu.row: {values: [8]}\n");
  ASSERT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.diags()[0].code, "E1201");
  EXPECT_THAT(sweep.diags()[0].message, ::testing::HasSubstr("'chip.mxu.rows'"));
  EXPECT_EQ(sweep.diags()[0].loc.line, 9);
}

TEST_F(SweepSpecTest, AllMistakesAreReportedAtOnce) {
  EXPECT_THAT(codes(load("  chip.mxu.rows: {values: [7, 8]}\n  chip.vmem.size_KiB: {values: []}\n"
                         "  compiler.pipelining.buffers: {same_as: chip.nothing}\n",
                         "inner: [a]\nconstraints: ['area_mm2 < 5']\n")),
              ::testing::UnorderedElementsAre("E0302", "E1203", "E1203", "E1202", "E1206"));
}

TEST_F(SweepSpecTest, AGridAboveTheLimitIsAnErrorWithItsNumber) {
  const auto sweep = load("  chip.queue_depth.ld: {min: 1, max: 8, step: 1}\n  chip.queue_depth.st: {min: 1, max: 8}\n",
                          "limits: {trials: 63}\n");
  ASSERT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.diags()[0].code, "E1204");
  EXPECT_THAT(sweep.diags()[0].message, ::testing::HasSubstr("64"));
}

TEST_F(SweepSpecTest, OtherMethodsAreRefusedByName) {
  path_ = "";
  for (const char* name : {"nsga2", "random", "sobol"}) {
    path_ = std::string(LOCKSTEP_TEST_BINARY_DIR) + "/sweep_method.yaml";
    std::ofstream(path_) << "schema: lockstep/sweep/v1\nname: t\nmethod: {name: " << name << "}\n";
    EXPECT_THAT(codes(load_sweep(path_, {})), ::testing::Contains("E1202")) << name;
  }
}

TEST_F(SweepSpecTest, OverridesChangeTheBaseButNotAnAxis) {
  const auto fine = load("  chip.queue_depth.ld: {values: [1, 2]}\n", "", {{"chip.vmem.size_KiB", "128"}});
  ASSERT_TRUE(fine.ok()) << fine.diags()[0].message;
  EXPECT_EQ(config_at(*fine, 0).chip.vmem.size_KiB, 128);
  EXPECT_THAT(codes(load("  chip.queue_depth.ld: {values: [1, 2]}\n", "", {{"chip.queue_depth.ld", "3"}})),
              ::testing::ElementsAre("E1207"));
  EXPECT_THAT(codes(load("  chip.queue_depth.ld: {values: [1, 2]}\n", "", {{"chip.quue_depth.ld", "3"}})),
              ::testing::ElementsAre("E1201"));
}

TEST_F(SweepSpecTest, ConstraintsReadBothDirections) {
  const auto sweep = load("  chip.queue_depth.ld: {values: [1]}\n", "constraints: ['area_mm2 <= 5.5', 'mxu_util_pct >= 2']\n");
  ASSERT_TRUE(sweep.ok()) << sweep.diags()[0].message;
  ASSERT_EQ(sweep->constraints.size(), 2U);
  EXPECT_TRUE(sweep->constraints[0].at_most);
  EXPECT_EQ(sweep->constraints[0].limit, 5.5);
  EXPECT_FALSE(sweep->constraints[1].at_most);
}

TEST_F(SweepSpecTest, EveryShippedSweepLoads) {
  for (const auto& entry : std::filesystem::directory_iterator(source("configs/sweeps"))) {
    const auto sweep = load_sweep(entry.path().string(), {});
    EXPECT_TRUE(sweep.ok()) << entry.path() << ": " << sweep.diags()[0].message;
  }
}

}  // namespace
}  // namespace lockstep::sweep
