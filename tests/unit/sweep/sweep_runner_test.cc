#include "sweep/runner/sweep_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "hw/golden/golden.h"
#include "hw/timing/timing_target.h"
#include "sweep/runner/compare.h"
#include "sweep/runner/gemm_cache.h"
#include "sweep/runner/tables.h"
#include "sweep/runner/verify.h"

namespace lockstep::sweep {
namespace {

std::string source(const std::string& path) { return std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/" + path; }

/// The model, counting its runs.
class CountingModel : public target::Target {
 public:
  CountingModel(const chip::ChipSpec& chip, std::atomic<int>& runs) : model_(chip), runs_(runs) {}
  std::string_view name() const override { return "model"; }
  bool computes_data() const override { return false; }
  bool computes_time() const override { return true; }
  Result<target::RunResult> run(const isa::Program& program, target::MemoryImage& image,
                                const target::RunOptions& options) override {
    ++runs_;
    return model_.run(program, image, options);
  }

 private:
  timing::TimingTarget model_;
  std::atomic<int>& runs_;
};

/// Golden's data with the model's time: what RTL is when it is right. `byte_error` flips a byte, `slip` adds a cycle.
class StandInRtl : public target::Target {
 public:
  StandInRtl(const chip::ChipSpec& chip, bool byte_error, int64_t slip)
      : golden_(chip), model_(chip), byte_error_(byte_error), slip_(slip) {}
  std::string_view name() const override { return "rtl"; }
  bool computes_data() const override { return true; }
  bool computes_time() const override { return true; }
  Result<target::RunResult> run(const isa::Program& program, target::MemoryImage& image,
                                const target::RunOptions& options) override {
    const auto data = golden_.run(program, image, options);
    if (!data.ok()) return data.diags();
    if (byte_error_) image.back() ^= 1;
    target::MemoryImage none;
    auto time = model_.run(program, none, options);
    if (time.ok() && slip_ != 0) time->events.instrs[isa::kMm0].back().done += slip_;
    return time;
  }

 private:
  golden::GoldenTarget golden_;
  timing::TimingTarget model_;
  bool byte_error_;
  int64_t slip_;
};

template <typename T, typename... Args>
TargetFactory factory(Args... args) {
  return [=](const chip::ChipSpec& chip) -> Result<std::unique_ptr<target::Target>> {
    return std::unique_ptr<target::Target>(std::make_unique<T>(chip, args...));
  };
}

class RunnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    name_ = std::string(LOCKSTEP_TEST_BINARY_DIR) + "/runner_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(name_);
    std::ofstream(name_ + ".gemms.yaml") << "schema: lockstep/workload/v1\nname: two\ngemms:\n"
                                            "  - {name: a, M: 20, N: 24, K: 16}\n"
                                            "  - {name: b, M: 20, N: 24, K: 16, repeat: 3}\n"
                                            "  - {name: c, M: 3, N: 17, K: 9}\n";
    std::ofstream(name_ + ".yaml") << "schema: lockstep/sweep/v1\nname: tiny\nbase:\n  chip: "
                                   << source("configs/chips/edge8.yaml") << "\n  workloads: [{name: two, layers: "
                                   << name_ << ".gemms.yaml, weight: 2}]\nmethod: {name: grid}\n"
                                   << "objectives: [{metric: latency_ms, goal: minimize}, {metric: area_mm2, goal: minimize}]\n"
                                   << "parameters:\n  chip.mxu.cols: {values: [4, 8, 16]}\n"
                                   << "  chip.dram.bandwidth_GBps: {values: [2, 4]}\n"
                                   << "  compiler.pipelining.buffers: {values: [1, 2]}\n"
                                   << "verify: {target: rtl, select: pareto, max_trials: 2}\n";
    auto sweep = load_sweep(name_ + ".yaml", {});
    ASSERT_TRUE(sweep.ok()) << sweep.diags()[0].message;
    sweep_ = *std::move(sweep);
  }
  void TearDown() override {
    for (const char* suffix : {"", ".yaml", ".gemms.yaml"}) std::filesystem::remove_all(name_ + suffix);
  }

  TargetFactories targets() {
    TargetFactories t;
    t.model = [this](const chip::ChipSpec& chip) -> Result<std::unique_ptr<target::Target>> {
      return std::unique_ptr<target::Target>(std::make_unique<CountingModel>(chip, runs_));
    };
    t.golden = factory<golden::GoldenTarget>();
    t.memory_peak = [](const chip::ChipSpec& chip) -> Result<double> { return chip::dram_bytes_per_cycle(chip); };
    return t;
  }

  Result<TrialStore> open() { return TrialStore::open({name_, manifest_json(sweep_, "test"), false}); }

  SweepOutcome run(TrialStore& store, int jobs = 1, const std::atomic<bool>* interrupted = nullptr) {
    TechnologyLibrary technologies(source("configs/technology"));
    RunnerOptions options;
    options.jobs = jobs;
    options.tool_version = "test";
    options.interrupted = interrupted;
    auto outcome = run_sweep(sweep_, store, targets(), technologies, options);
    EXPECT_TRUE(outcome.ok());
    return *std::move(outcome);
  }

  std::string csv(const SweepOutcome& outcome) {
    return results_csv(sweep_columns(sweep_), result_rows(sweep_, outcome.trials, mark_pareto(sweep_, outcome.trials), {})) +
           layers_csv(outcome.trials);
  }

  std::string name_;
  SweepSpec sweep_;
  std::atomic<int> runs_{0};
};

TEST_F(RunnerTest, EveryPointIsARowAndImpossibleOnesSayWhy) {
  auto store = open();
  const SweepOutcome outcome = run(*store);
  ASSERT_EQ(outcome.trials.size(), 12U);
  EXPECT_EQ(outcome.progress.infeasible, 4);  // 4 columns on 8 lanes
  EXPECT_EQ(outcome.progress.failed, 0);
  EXPECT_EQ(outcome.trials[0].state, TrialState::kInfeasible);
  EXPECT_NE(outcome.trials[0].reason, "");
  EXPECT_EQ(outcome.trials[11].state, TrialState::kComplete);
}

TEST_F(RunnerTest, EqualProductsAreTimedOnceAndCountedAsOftenAsTheyRun) {
  auto store = open();
  const SweepOutcome outcome = run(*store);
  EXPECT_EQ(outcome.evaluations, 8 * 2);  // a and b share
  EXPECT_EQ(runs_, 8 * 2);
  const TrialRecord& trial = outcome.trials[11];
  const double a = cell_number(find_cell(trial.layers[0], "cycles"), 0);
  const double c = cell_number(find_cell(trial.layers[2], "cycles"), 0);
  EXPECT_EQ(cell_number(find_cell(trial.metrics, "cycles"), 0), 4 * a + c);
  EXPECT_EQ(cell_number(find_cell(trial.metrics, "macs"), 0), 4 * 20 * 24 * 16 + 3 * 17 * 9);
  EXPECT_EQ(cell_number(find_cell(trial.metrics, "latency_ms"), 0),
            2 * cell_number(find_cell(trial.metrics, "latency_two_ms"), 0));
}

TEST_F(RunnerTest, ThreadsDoNotChangeAByte) {
  auto one = open();
  const std::string expected = csv(run(*one));
  for (const int jobs : {2, 5}) {
    std::filesystem::remove_all(name_);
    auto store = open();
    EXPECT_EQ(csv(run(*store, jobs)), expected) << jobs;
  }
}

TEST_F(RunnerTest, ResumingRunsOnlyWhatIsMissing) {
  std::string expected;
  {
    auto store = open();
    expected = csv(run(*store));
  }
  const std::string log = name_ + "/trials.jsonl";
  std::ifstream file(log);
  std::string head;
  for (std::string line; std::getline(file, line) && head.size() < 9000;) head += line + "\n";
  std::ofstream(log) << head << "{\"kind\":\"trial\",\"id\":\"to";  // torn
  const auto kept = std::count(head.begin(), head.end(), '\n');
  auto store = open();
  ASSERT_TRUE(store.ok());
  const SweepOutcome outcome = run(*store);
  EXPECT_EQ(outcome.progress.resumed, kept);
  EXPECT_EQ(outcome.times.size(), 12U - static_cast<size_t>(kept));
  EXPECT_EQ(csv(outcome), expected);
}

TEST_F(RunnerTest, AnInterruptedSweepStopsAndKeepsWhatItHas) {
  const std::atomic<bool> interrupted{true};
  auto store = open();
  const SweepOutcome outcome = run(*store, 2, &interrupted);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_TRUE(outcome.trials.empty());
}

TEST_F(RunnerTest, ABrokenConstraintIsInfeasibleWithItsMetricsAndNeverInTheFront) {
  sweep_.constraints.push_back({"area_mm2", true, 0.0, "area_mm2 <= 0"});
  auto store = open();
  const SweepOutcome outcome = run(*store);
  EXPECT_EQ(outcome.progress.infeasible, 12);
  EXPECT_THAT(outcome.trials[11].reason, ::testing::HasSubstr("area_mm2 <= 0"));
  EXPECT_GT(cell_number(find_cell(outcome.trials[11].metrics, "latency_ms"), 0), 0);
  for (const bool marked : mark_pareto(sweep_, outcome.trials)) EXPECT_FALSE(marked);
}

TEST_F(RunnerTest, AModelThatFailsMakesFailedRowsNotAnEnd) {
  auto store = open();
  TechnologyLibrary technologies(source("configs/technology"));
  TargetFactories broken = targets();
  broken.model = [](const chip::ChipSpec&) -> Result<std::unique_ptr<target::Target>> { return error("E9999", {}, "no model"); };
  const auto outcome = run_sweep(sweep_, *store, broken, technologies, {});
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->progress.failed, 8);
  EXPECT_EQ(outcome->trials[11].reason, "two.a: E9999: no model");
}

TEST_F(RunnerTest, RtlThatAgreesIsEqualAndItsCyclesAreTheModels) {
  auto store = open();
  const SweepOutcome outcome = run(*store);
  const std::vector<bool> pareto = mark_pareto(sweep_, outcome.trials);
  const std::vector<size_t> chosen = select_for_rtl(sweep_, outcome.trials, pareto);
  ASSERT_EQ(chosen.size(), 2U);
  TargetFactories t = targets();
  t.rtl = factory<StandInRtl>(false, int64_t{0});
  const auto records = verify_on_rtl(sweep_, outcome.trials, chosen, *store, t, {});
  ASSERT_TRUE(records.ok());
  for (const RtlRecord& record : *records) {
    EXPECT_EQ(cell_text(find_cell(record.cells, "rtl_check")), "equal");
    EXPECT_EQ(cell_text(find_cell(record.cells, "rtl_scope")), "reduced");
    EXPECT_EQ(find_cell(record.cells, "rtl_cycles"), find_cell(record.cells, "model_cycles_rtl_image"));
    EXPECT_GT(cell_number(find_cell(record.cells, "rtl_cycles"), 0), 0);
  }
}

TEST_F(RunnerTest, AWrongByteOrASlippedEventInRtlIsFound) {
  auto store = open();
  const SweepOutcome outcome = run(*store);
  const std::vector<size_t> chosen = select_for_rtl(sweep_, outcome.trials, mark_pareto(sweep_, outcome.trials));
  const PointConfig config = config_at(sweep_, outcome.trials[chosen[0]].point);
  const auto compiled = pipeline::compile(sweep_.workloads[0].workload.gemms[0], config.chip, config.knobs);
  const isa::Program& program = std::get<pipeline::Compiled>(*compiled).program;
  const auto problem_of = [&](bool byte_error, int64_t slip) {
    TargetFactories t = targets();
    t.rtl = factory<StandInRtl>(byte_error, slip);
    const auto set = TargetSet::open(config.chip, t);
    return set->compare(program, 1, true).problem;
  };
  EXPECT_EQ(problem_of(false, 0), "");
  EXPECT_THAT(problem_of(true, 0), ::testing::HasSubstr("HBM byte"));
  EXPECT_THAT(problem_of(false, 1), ::testing::HasSubstr("events"));
}

TEST(ProgressLine, NamesRateRestAndTroubles) {
  Progress progress;
  progress.total = 64;
  progress.done = 24;
  progress.resumed = 4;
  progress.infeasible = 2;
  progress.elapsed_s = 5;
  EXPECT_EQ(progress_line("s", progress), "s: 24/64 (37 %), 4.0 trials/s, ETA 10 s, 2 infeasible, 0 failed");
}

}  // namespace
}  // namespace lockstep::sweep
