// Every verb once, as a user types it.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hw/base/csv.h"
#include "tests/e2e/process.h"

namespace lockstep {
namespace {

using nlohmann::json;
using tests::ProcessResult;

class CliE2e : public ::testing::Test {
 protected:
  void SetUp() override { scratch_ = tests::scratch_folder(); }
  void TearDown() override { std::filesystem::remove_all(scratch_); }

  ProcessResult run(std::vector<std::string> words) const {
    words.insert(words.begin(), LOCKSTEP_BINARY);
    return tests::run_process(words, LOCKSTEP_TEST_SOURCE_DIR, scratch_);
  }

  std::string scratch_;
};

TEST_F(CliE2e, VersionNamesReleaseAndSources) {
  const ProcessResult result = run({"version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, ::testing::StartsWith("lockstep 0."));
}

TEST_F(CliE2e, HelpGoesToStdout) {
  const ProcessResult result = run({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, ::testing::HasSubstr("validate"));
  EXPECT_EQ(result.err, "");
}

TEST_F(CliE2e, CheckReadsEveryShippedFile) {
  std::vector<std::string> words = {"check", "-q"};
  size_t files = 0;
  for (const char* folder : {"configs/chips", "configs/sweeps", "configs/technology", "workloads/layers", "workloads/models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/" + folder)) {
      if (!entry.is_regular_file()) continue;
      words.push_back(std::string(folder) + "/" + entry.path().filename().string());
      ++files;
    }
  }
  EXPECT_GE(files, 10U);
  const ProcessResult result = run(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(CliE2e, RunPrintsCyclesBesideTheClosedForms) {
  const ProcessResult result = run({"run", "-q", "--chip", "tpu128", "--gemm", "512,4096,4096", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json row = json::parse(result.out).at(0);
  EXPECT_EQ(row.at("ideal_cycles"), 524288);
  EXPECT_EQ(row.at("scalesim_ws_cycles"), 915455);
  EXPECT_EQ(row.at("scalesim_os_cycles"), 556799);
  EXPECT_EQ(row.at("bound"), "compute");
  EXPECT_GE(row.at("mxu_util_pct").get<double>(), 95.0);
  EXPECT_LE(row.at("mxu_util_pct").get<double>(), 100.0);
}

TEST_F(CliE2e, DecodeHardlyUsesTheArrayAndNamesItsLimiter) {
  const ProcessResult result = run({"run", "-q", "--chip", "tpu128", "--gemm", "1,4096,4096", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json row = json::parse(result.out).at(0);
  EXPECT_LT(row.at("mxu_util_pct").get<double>(), 5.0);
  EXPECT_EQ(row.at("bound"), "hbm");
}

TEST_F(CliE2e, GoldenEqualsTheProduct) {
  const ProcessResult result =
      run({"run", "-q", "--chip", "edge8", "--workload", "peer_shapes", "--target", "golden", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto csv = parse_csv(result.out, "stdout");
  ASSERT_TRUE(csv.ok());
  EXPECT_GE(csv->rows.size(), 13U);
  for (const auto& row : csv->rows) EXPECT_EQ(row[*csv->column("verdict")], "equals the product");
}

TEST_F(CliE2e, AnotherSeedIsOtherDataWithTheSameTime) {
  const auto cycles = [&](const char* seed) { return run({"run", "-q", "--chip", "edge8", "--gemm", "9,9,9", "--seed", seed}).out; };
  EXPECT_EQ(cycles("1"), cycles("2"));
}

TEST_F(CliE2e, SetChangesTheResultAndPrintConfigSaysSo) {
  const std::vector<std::string> base = {"run", "-q", "--chip", "edge16", "--gemm", "64,64,64"};
  std::vector<std::string> slower = base;
  slower.insert(slower.end(), {"--set", "chip.dram.bandwidth_GBps=1"});
  EXPECT_NE(run(base).out, run(slower).out);
  slower.push_back("--print-config");
  const std::string config = run(slower).out;
  EXPECT_THAT(config, ::testing::HasSubstr("chip.dram.bandwidth_GBps: 1  # --set"));
  EXPECT_THAT(config, ::testing::HasSubstr("chip.mxu.rows: 16  # configs/chips/edge16.yaml:"));
}

TEST_F(CliE2e, CompileWritesProgramsThatNameTheirSchedule) {
  const ProcessResult result = run({"compile", "-q", "--chip", "edge8", "--gemm", "20,20,20", "-o", scratch_ + "/programs"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::HasSubstr("tm="));
  EXPECT_THAT(tests::file_text(scratch_ + "/programs/gemm.lkt"), ::testing::HasSubstr("MM"));
  EXPECT_GT(std::filesystem::file_size(scratch_ + "/programs/gemm.lkb"), 1000U);
}

TEST_F(CliE2e, TraceIsJsonAndCutsLoudly) {
  const std::string path = scratch_ + "/trace.json";
  ASSERT_EQ(run({"trace", "--chip", "edge8", "--gemm", "20,20,20", "-o", path}).exit_code, 0);
  const json trace = json::parse(tests::file_text(path));
  EXPECT_EQ(trace.at("traceEvents").back().at("name"), "complete");

  const ProcessResult cut = run({"trace", "--chip", "edge8", "--gemm", "200,200,200", "--max-mb", "1", "-o", path});
  ASSERT_EQ(cut.exit_code, 0);
  EXPECT_THAT(cut.err, ::testing::HasSubstr("cut at cycle"));
  EXPECT_LE(std::filesystem::file_size(path), 1000000U);
  EXPECT_EQ(json::parse(tests::file_text(path)).at("traceEvents").back().at("name"), "truncated");
}

TEST_F(CliE2e, InfeasibleIsExit3WithTheReason) {
  const ProcessResult result = run({"run", "-q", "--chip", "edge8", "--gemm", "4096,4096,4096", "--set", "chip.dram.size_GiB=0.01"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, ::testing::HasSubstr("does not fit edge8"));
}

TEST_F(CliE2e, ListShowsEachKind) {
  for (const char* what : {"chips", "workloads", "axes", "knobs", "metrics", "counters"}) {
    for (const char* format : {"text", "json", "csv"}) {
      const ProcessResult result = run({"list", what, "--format", format});
      EXPECT_EQ(result.exit_code, 0) << what;
      EXPECT_NE(result.out, "") << what;
    }
  }
  EXPECT_THAT(run({"list", "chips"}).out, ::testing::HasSubstr("tpu128"));
}

TEST_F(CliE2e, AModelIsFoundByName) {
  const ProcessResult result =
      run({"run", "-q", "--chip", "tpu128", "--workload", "gpt2", "--phase", "decode", "--context", "100", "--format", "csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::HasSubstr("\nqkv,model,1,2304,768,"));
}

TEST_F(CliE2e, ASignalEndsALongProgramAtOnce) {
  tests::Process process({LOCKSTEP_BINARY, "run", "--chip", "edge8", "--gemm", "16000,16000,1000", "--target", "golden"},
                         LOCKSTEP_TEST_SOURCE_DIR, scratch_);
  process.send(SIGTERM);  // before the handler it ends by the signal, after it with 130
  const ProcessResult result = process.wait();
  EXPECT_TRUE(result.exit_code == 130 || result.signal == SIGTERM) << result.exit_code << ' ' << result.signal;
}

TEST_F(CliE2e, PlanCountsWithoutRunning) {
  const ProcessResult result = run({"sweep", "plan", "configs/sweeps/first_light.yaml", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto csv = parse_csv(result.out, "stdout");
  ASSERT_TRUE(csv.ok());
  int64_t points = 0;
  for (const auto& row : csv->rows) {
    if (row[0] == "points") points = std::stoll(row[1]);
  }
  EXPECT_GE(points, 48);
}

TEST_F(CliE2e, ColorIsOffWithoutATerminalAndOnWhenAsked) {
  EXPECT_EQ(run({"list", "x"}).err.find('\033'), std::string::npos);
  EXPECT_NE(run({"list", "x", "--color", "always"}).err.find('\033'), std::string::npos);
}

}  // namespace
}  // namespace lockstep
