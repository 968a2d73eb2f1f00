// RTL check of chosen sweep points: each distinct product's own schedule, tile counts cut to at most 3 a loop, on RTL,
// model and golden.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "sweep/runner/factories.h"
#include "sweep/space/sweep_spec.h"
#include "sweep/store/store.h"

namespace lockstep::sweep {

struct VerifyOptions {
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> log;  // one line a point
};

/// At most `max_trials` indices into `trials` out of the front, spread evenly over it in order of the first objective.
std::vector<size_t> select_for_rtl(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                   const std::vector<bool>& pareto);

/// Runs the chosen trials that the store does not hold yet and returns all of them. E1214 when the store cannot be
/// written; a point that RTL cannot run is a record with rtl_check saying why.
Result<std::vector<RtlRecord>> verify_on_rtl(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                             const std::vector<size_t>& chosen, TrialStore& store,
                                             const TargetFactories& targets, const VerifyOptions& options);

}  // namespace lockstep::sweep
