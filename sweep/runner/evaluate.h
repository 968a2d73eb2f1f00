// One point of a sweep to one trial record.
#pragma once

#include <string>

#include "sweep/runner/gemm_cache.h"
#include "sweep/runner/technology_library.h"
#include "sweep/space/sweep_spec.h"
#include "sweep/store/trial.h"

namespace lockstep::sweep {

/// Sums over the products of one workload; percentages come from these, never from averages of percentages.
struct WorkloadTotals {
  int64_t cycles = 0;
  metrics::Counters counters;
  int64_t vmem_peak_bytes = 0;

  void add(const GemmOutcome& outcome, int64_t count);
};

/// The identity of a point: canonical configuration, workloads and tool version.
std::string point_id(const SweepSpec& sweep, const PointConfig& config, TechnologyLibrary& technologies,
                     const std::string& tool_version);

/// Never fails: what goes wrong is the record's state and reason. `id` is point_id().
TrialRecord evaluate_point(const SweepSpec& sweep, int64_t point, std::string id, GemmCache& cache,
                           TechnologyLibrary& technologies, const MemoryPeak& memory_peak);

}  // namespace lockstep::sweep
