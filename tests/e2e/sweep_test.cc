// The sweep as a user runs it: the binary, a folder, and a kill at any moment.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "hw/base/csv.h"
#include "tests/e2e/process.h"

namespace lockstep {
namespace {

using tests::ProcessResult;

std::string source(const std::string& path) { return std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/" + path; }

const std::vector<std::string> kTables = {"results.csv", "layers.csv", "columns.json", "manifest.json", "config.resolved.yaml"};

class SweepE2e : public ::testing::Test {
 protected:
  void SetUp() override { scratch_ = tests::scratch_folder(); }
  void TearDown() override { std::filesystem::remove_all(scratch_); }

  std::vector<std::string> command(const std::string& folder, const std::vector<std::string>& extra = {}) const {
    std::vector<std::string> argv = {LOCKSTEP_BINARY, "sweep", "run", sweep_, "-o", scratch_ + "/" + folder, "-q"};
    argv.insert(argv.end(), extra.begin(), extra.end());
    return argv;
  }

  ProcessResult run(const std::string& folder, const std::vector<std::string>& extra = {}) const {
    return tests::run_process(command(folder, extra), source(""), scratch_);
  }

  std::string table(const std::string& folder, const std::string& name) const {
    return tests::file_text(scratch_ + "/" + folder + "/" + name);
  }

  void expect_equal_tables(const std::string& a, const std::string& b) const {
    for (const std::string& name : kTables) EXPECT_EQ(table(a, name), table(b, name)) << name;
  }

  int64_t lines(const std::string& folder) const {
    const std::string text = table(folder, "trials.jsonl");
    return std::count(text.begin(), text.end(), '\n');
  }

  std::string scratch_;
  std::string sweep_ = source("tests/e2e/tiny_sweep.yaml");
};

TEST_F(SweepE2e, GivesTheRecordedTable) {
  const ProcessResult result = run("a");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string golden = source("tests/e2e/tiny_sweep.results.csv");
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) tests::write_text(golden, table("a", "results.csv"));
  EXPECT_EQ(table("a", "results.csv"), tests::file_text(golden));
}

TEST_F(SweepE2e, IsTheSameOnOneAndMoreThreadsAndWhenRunAgain) {
  ASSERT_EQ(run("one", {"-j1"}).exit_code, 0);
  ASSERT_EQ(run("two", {"-j2"}).exit_code, 0);
  expect_equal_tables("one", "two");
  ASSERT_EQ(run("two", {"-j2"}).exit_code, 0);
  expect_equal_tables("one", "two");
  EXPECT_EQ(lines("two"), 48);
}

/// Kills the runner once its file holds `after` whole lines, then runs the same command again.
class SweepKilled : public SweepE2e, public ::testing::WithParamInterface<int64_t> {};

TEST_P(SweepKilled, ResumesToTheSameBytes) {
  ASSERT_EQ(run("whole", {"-j1"}).exit_code, 0);
  int64_t left = 0;
  {
    tests::Process runner(command("killed", {"-j1"}), source(""), scratch_);
    while (runner.is_running() && lines("killed") < GetParam()) std::this_thread::yield();
    runner.send(SIGKILL);
    const ProcessResult result = runner.wait();
    left = lines("killed");
    ASSERT_EQ(result.signal, SIGKILL) << "the runner ended before it could be killed; its exit code is " << result.exit_code;
  }
  EXPECT_GE(left, GetParam());
  EXPECT_LT(left, 48) << "nothing was left to resume";
  ASSERT_EQ(run("killed", {"-j1"}).exit_code, 0);
  expect_equal_tables("whole", "killed");
  EXPECT_EQ(lines("killed"), 48) << "a trial was lost or run twice";
}

INSTANTIATE_TEST_SUITE_P(AfterLine, SweepKilled, ::testing::Values(1, 7, 23));

TEST_F(SweepE2e, AnotherSweepInTheFolderIsRefusedUnlessForced) {
  ASSERT_EQ(run("a").exit_code, 0);
  const ProcessResult refused = run("a", {"--set", "chip.dma.setup_cycles=9"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("error[E1213]"), std::string::npos) << refused.err;
  EXPECT_EQ(run("a", {"--set", "chip.dma.setup_cycles=9", "--force"}).exit_code, 0);
}

TEST_F(SweepE2e, ATermSignalEndsItWith130AndItCanBeResumed) {
  ASSERT_EQ(run("whole", {"-j1"}).exit_code, 0);
  {
    tests::Process runner(command("stopped", {"-j1"}), source(""), scratch_);
    while (runner.is_running() && lines("stopped") < 3) std::this_thread::yield();
    runner.send(SIGTERM);
    const ProcessResult result = runner.wait();
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.exit_code, 130) << result.err;
  }
  ASSERT_EQ(run("stopped").exit_code, 0);
  expect_equal_tables("whole", "stopped");
}

TEST_F(SweepE2e, AMovedFolderIsAsGoodAsTheFirst) {
  ASSERT_EQ(run("first").exit_code, 0);
  std::filesystem::rename(scratch_ + "/first", scratch_ + "/moved");
  const std::string before = table("moved", "trials.jsonl");
  ASSERT_EQ(run("moved").exit_code, 0);
  EXPECT_EQ(table("moved", "trials.jsonl"), before);
}

TEST_F(SweepE2e, TheTableReadsBackWithEveryColumnExplained) {
  ASSERT_EQ(run("a").exit_code, 0);
  const auto csv = parse_csv(table("a", "results.csv"), "results.csv");
  ASSERT_TRUE(csv.ok());
  EXPECT_EQ(csv->rows.size(), 48U);
  const std::string explained = table("a", "columns.json");
  for (const std::string& column : csv->columns) {
    EXPECT_NE(explained.find("\"name\": \"" + column + "\""), std::string::npos) << column;
  }
  std::set<std::string> states;
  for (const auto& row : csv->rows) states.insert(row[*csv->column("state")]);
  EXPECT_EQ(states, (std::set<std::string>{"complete", "infeasible"}));
}

}  // namespace
}  // namespace lockstep
