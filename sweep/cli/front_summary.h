// The Pareto front of a sweep as text, and what its shape says about the axes.
#pragma once

#include <string>
#include <vector>

#include "sweep/space/sweep_spec.h"
#include "sweep/store/cell.h"
#include "sweep/store/trial.h"

namespace lockstep::sweep {

/// A table of the front in order of the first objective, then a sentence for each axis that sits at its largest or
/// smallest value in every front point, and how many points each limiter holds. `rows` as result_rows() gives them.
std::string front_summary(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                          const std::vector<bool>& pareto, const std::vector<std::vector<Cell>>& rows);

}  // namespace lockstep::sweep
