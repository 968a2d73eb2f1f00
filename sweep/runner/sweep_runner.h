// Runs the points of a sweep that its store does not hold yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sweep/runner/factories.h"
#include "sweep/runner/technology_library.h"
#include "sweep/space/sweep_spec.h"
#include "sweep/store/store.h"

namespace lockstep::sweep {

struct Progress {
  int64_t total = 0;
  int64_t done = 0;       // recorded, by earlier runs included
  int64_t infeasible = 0;
  int64_t failed = 0;
  int64_t resumed = 0;    // found in the store
  double elapsed_s = 0;
  int64_t ran() const { return done - resumed; }
};

/// "first_light: 23/64 (35 %), 4.1 trials/s, ETA 10 s, 2 infeasible, 0 failed".
std::string progress_line(const std::string& name, const Progress& progress);

struct RunnerOptions {
  int jobs = 1;
  double timeout_s = 0;                             // no trial starts later; 0 = none
  std::string tool_version;
  const std::atomic<bool>* interrupted = nullptr;   // set by a signal: finish the running trials and stop
  std::function<void(const Progress&)> progress;    // after every trial, from one thread at a time
};

struct TrialTime {
  int64_t point = 0;
  double host_ms = 0;
};

struct SweepOutcome {
  std::vector<TrialRecord> trials;   // by point; without those that did not run
  std::vector<TrialTime> times;      // of the trials that ran now, by point
  Progress progress;
  bool interrupted = false;
  bool timed_out = false;
  int64_t evaluations = 0;           // distinct products compiled and timed
};

/// Errors only when the store cannot be written (E1214).
Result<SweepOutcome> run_sweep(const SweepSpec& sweep, TrialStore& store, const TargetFactories& targets,
                               TechnologyLibrary& technologies, const RunnerOptions& options);

/// 1 for each trial of the front of `sweep`'s objectives; only complete trials are in it.
std::vector<bool> mark_pareto(const SweepSpec& sweep, const std::vector<TrialRecord>& trials);

}  // namespace lockstep::sweep
