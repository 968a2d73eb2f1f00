// The verbs that reach the RTL, as a user runs them. Skipped where no simulator is installed.
#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hw/base/csv.h"
#include "tests/e2e/process.h"

namespace lockstep {
namespace {

using nlohmann::json;
using tests::ProcessResult;

class RtlE2e : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch_ = tests::scratch_folder();
    if (run({"version"}).out.find("rtl: available") == std::string::npos) GTEST_SKIP() << "no RTL simulator";
  }
  void TearDown() override { std::filesystem::remove_all(scratch_); }

  ProcessResult run(std::vector<std::string> words) const {
    words.insert(words.begin(), LOCKSTEP_BINARY);
    return tests::run_process(words, LOCKSTEP_TEST_SOURCE_DIR, scratch_);
  }

  std::string scratch_;
};

TEST_F(RtlE2e, ValidateFindsRtlModelAndGoldenEqual) {
  const ProcessResult result = run({"validate", "-q", "--chip", "edge8", "--workload", "peer_shapes", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const auto csv = parse_csv(result.out, "stdout");
  ASSERT_TRUE(csv.ok());
  EXPECT_GE(csv->rows.size(), 13U);
  for (const auto& row : csv->rows) {
    EXPECT_EQ(row[*csv->column("verdict")], "equal") << row[*csv->column("op")];
    EXPECT_EQ(row[*csv->column("error_cycles")], "0") << row[*csv->column("op")];
  }
}

TEST_F(RtlE2e, RunBothPrintsTheSameCyclesTwice) {
  const ProcessResult result = run({"run", "-q", "--chip", "edge8", "--gemm", "30,32,17", "--target", "both", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("cycles"), rows[1].at("cycles"));
  EXPECT_EQ(rows[0].at("verdict"), "equal");
}

TEST_F(RtlE2e, TraceShowsRtlAboveTheModelWithTheSameSlices) {
  const ProcessResult result = run({"trace", "-q", "--chip", "edge8", "--gemm", "30,32,17", "--rtl"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json trace = json::parse(result.out);
  std::map<int, std::multiset<std::string>> slices;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    json shared = event;
    shared.erase("pid");
    slices[event.at("pid")].insert(shared.dump());
  }
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[1], slices[2]);
  EXPECT_GT(slices[1].size(), 50U);
}

TEST_F(RtlE2e, ASweepChecksItsFrontOnRtlAndTheCheckIsNotRunAgain) {
  const std::string sweep = scratch_ + "/sweep.yaml";
  const std::string root = LOCKSTEP_TEST_SOURCE_DIR;
  tests::write_text(sweep, "schema: lockstep/sweep/v1\nname: small\nbase:\n  chip: " + root +
                               "/configs/chips/edge8.yaml\n  workloads: [{layers: " + root +
                               "/workloads/layers/peer_shapes.yaml}]\nmethod: {name: grid}\n"
                               "objectives: [{metric: latency_ms, goal: minimize}]\n"
                               "parameters:\n  compiler.pipelining.buffers: {values: [1, 2, 3]}\n"
                               "verify: {target: rtl, select: pareto, max_trials: 1}\n");
  const std::vector<std::string> command = {"sweep", "run", sweep, "-q", "-o", scratch_ + "/out", "--format", "csv"};
  const ProcessResult first = run(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto csv = parse_csv(first.out, "stdout");
  ASSERT_TRUE(csv.ok());
  int checked = 0;
  for (const auto& row : csv->rows) {
    if (row[*csv->column("rtl_check")].empty()) continue;
    ++checked;
    EXPECT_EQ(row[*csv->column("pareto")], "1");
    EXPECT_EQ(row[*csv->column("rtl_check")], "equal");
    EXPECT_EQ(row[*csv->column("rtl_cycles")], row[*csv->column("model_cycles_rtl_image")]);
  }
  EXPECT_EQ(checked, 1);
  const std::string log = tests::file_text(scratch_ + "/out/trials.jsonl");
  const ProcessResult second = run(command);
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(tests::file_text(scratch_ + "/out/trials.jsonl"), log);
}

}  // namespace
}  // namespace lockstep
