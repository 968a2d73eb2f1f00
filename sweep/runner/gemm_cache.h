// One GEMM on one chip, compiled and timed. Points of a sweep ask for the same product again and again (two equal
// projections, an axis that does not touch timing): each distinct one is evaluated once, whatever the threads do.
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/analysis/bounds.h"
#include "compiler/ir/gemm.h"
#include "compiler/ir/schedule.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/knobs.h"
#include "hw/chip/chip_spec.h"
#include "hw/metrics/counters.h"
#include "sweep/runner/factories.h"
#include "sweep/store/trial.h"

namespace lockstep::sweep {

/// What one run of one product gives; the name and count of the gemm play no role.
struct GemmOutcome {
  TrialState state = TrialState::kComplete;
  std::string reason;             // when not complete
  int64_t cycles = 0;
  metrics::Counters counters;
  int64_t vmem_bytes = 0;
  ir::Schedule schedule;
  analysis::Bounds bounds;
};

class GemmCache {
 public:
  explicit GemmCache(TargetFactory model) : model_(std::move(model)) {}

  /// Evaluates or waits for the thread that does; `chip` is valid.
  std::shared_ptr<const GemmOutcome> evaluate(const ir::Gemm& gemm, const chip::ChipSpec& chip,
                                              const pipeline::Knobs& knobs);

  /// Distinct products evaluated so far.
  int64_t evaluations() const;

 private:
  using Future = std::shared_future<std::shared_ptr<const GemmOutcome>>;

  TargetFactory model_;
  mutable std::mutex mutex_;
  std::map<std::string, Future> outcomes_;
};

/// "code: message" of the first diagnostic and how many follow: the reason of a failed row.
std::string reason_of(const std::vector<Diag>& diags);

}  // namespace lockstep::sweep
