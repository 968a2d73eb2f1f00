#include "sweep/runner/sweep_runner.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sweep/runner/evaluate.h"
#include "sweep/runner/pareto.h"

namespace lockstep::sweep {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct PendingPoint {
  int64_t point = 0;
  std::string id;
};

class Pool {
 public:
  Pool(const SweepSpec& sweep, TrialStore& store, const TargetFactories& targets, TechnologyLibrary& technologies,
       const RunnerOptions& options)
      : sweep_(sweep), store_(store), technologies_(technologies), options_(options), memory_peak_(targets.memory_peak), cache_(targets.model) {
    outcome_.progress.total = sweep.space.points();
    take_recorded();
  }

  Result<SweepOutcome> run() {
    const auto jobs = static_cast<size_t>(std::max(1, options_.jobs));
    std::vector<std::thread> workers;
    for (size_t i = 1; i < std::min(jobs, pending_.size()); ++i) workers.emplace_back([this] { work(); });
    work();
    for (std::thread& worker : workers) worker.join();
    if (!store_problem_.empty()) return error("E1214", {}, "cannot write a trial: " + store_problem_);
    std::sort(outcome_.trials.begin(), outcome_.trials.end(),
              [](const TrialRecord& a, const TrialRecord& b) { return a.point < b.point; });
    std::sort(outcome_.times.begin(), outcome_.times.end(),
              [](const TrialTime& a, const TrialTime& b) { return a.point < b.point; });
    outcome_.evaluations = cache_.evaluations();
    outcome_.progress.elapsed_s = seconds_since(start_);
    return std::move(outcome_);
  }

 private:
  /// Splits the points into those the store holds and those to run.
  void take_recorded() {
    std::map<std::string, const TrialRecord*> recorded;
    for (const TrialRecord& record : store_.recorded_trials()) recorded.emplace(record.id, &record);
    for (int64_t point = 0; point < outcome_.progress.total; ++point) {
      std::string id = point_id(sweep_, config_at(sweep_, point), technologies_, options_.tool_version);
      const auto found = recorded.find(id);
      if (found == recorded.end() || found->second->point != point) {
        pending_.push_back({point, std::move(id)});
        continue;
      }
      count(*found->second);
      ++outcome_.progress.resumed;
      outcome_.trials.push_back(*found->second);
    }
  }

  void count(const TrialRecord& record) {
    Progress& p = outcome_.progress;
    ++p.done;
    if (record.state == TrialState::kInfeasible) ++p.infeasible;
    if (record.state == TrialState::kFailed) ++p.failed;
  }

  /// The next point to run, or nothing when there is none or the run is to stop.
  const PendingPoint* next() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (next_ == pending_.size() || !store_problem_.empty()) return nullptr;
    outcome_.interrupted = options_.interrupted != nullptr && options_.interrupted->load();
    outcome_.timed_out = options_.timeout_s > 0 && seconds_since(start_) >= options_.timeout_s;
    if (outcome_.interrupted || outcome_.timed_out) return nullptr;
    return &pending_[next_++];
  }

  void work() {
    while (const PendingPoint* pending = next()) {
      const auto begin = Clock::now();
      TrialRecord record = evaluate_point(sweep_, pending->point, pending->id, cache_, technologies_, memory_peak_);
      finish(std::move(record), seconds_since(begin));
    }
  }

  void finish(TrialRecord record, double host_s) {
    const std::lock_guard<std::mutex> guard(mutex_);
    std::string why;
    if (!store_.append(record, why)) {
      store_problem_ = why;
      return;
    }
    count(record);
    outcome_.progress.elapsed_s = seconds_since(start_);
    outcome_.times.push_back({record.point, host_s * 1000.0});
    outcome_.trials.push_back(std::move(record));
    if (options_.progress) options_.progress(outcome_.progress);
  }

  const SweepSpec& sweep_;
  TrialStore& store_;
  TechnologyLibrary& technologies_;
  const RunnerOptions& options_;
  const MemoryPeak& memory_peak_;
  GemmCache cache_;
  const Clock::time_point start_ = Clock::now();
  std::vector<PendingPoint> pending_;
  std::mutex mutex_;  // everything below
  size_t next_ = 0;
  SweepOutcome outcome_;
  std::string store_problem_;
};

}  // namespace

std::string progress_line(const std::string& name, const Progress& p) {
  const double rate = p.elapsed_s > 0 ? static_cast<double>(p.ran()) / p.elapsed_s : 0;
  const int64_t percent = p.total == 0 ? 100 : 100 * p.done / p.total;
  const std::string eta = rate > 0 ? fmt::format("{:.0f} s", static_cast<double>(p.total - p.done) / rate) : "unknown";
  return fmt::format("{}: {}/{} ({} %), {:.1f} trials/s, ETA {}, {} infeasible, {} failed", name, p.done, p.total,
                     percent, rate, eta, p.infeasible, p.failed);
}

Result<SweepOutcome> run_sweep(const SweepSpec& sweep, TrialStore& store, const TargetFactories& targets,
                               TechnologyLibrary& technologies, const RunnerOptions& options) {
  return Pool(sweep, store, targets, technologies, options).run();
}

std::vector<bool> mark_pareto(const SweepSpec& sweep, const std::vector<TrialRecord>& trials) {
  std::vector<ParetoCandidate> candidates;
  for (const TrialRecord& trial : trials) {
    ParetoCandidate& candidate = candidates.emplace_back();
    candidate.eligible = trial.state == TrialState::kComplete;
    for (const Objective& objective : sweep.objectives) {
      const double value = cell_number(find_cell(trial.metrics, objective.metric), 0);
      candidate.costs.push_back(objective.minimize ? value : -value);
    }
  }
  return pareto_front(candidates);
}

}  // namespace lockstep::sweep
