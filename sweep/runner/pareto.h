// Which points no other point beats in every objective.
#pragma once

#include <vector>

namespace lockstep::sweep {

/// One candidate: its objective values, smaller is better (a maximised metric enters negated).
/// Candidates with `eligible` false (infeasible, failed) neither join the front nor beat anybody.
struct ParetoCandidate {
  std::vector<double> costs;
  bool eligible = false;
};

/// True for each candidate that is not dominated. Equal cost vectors do not dominate each other.
std::vector<bool> pareto_front(const std::vector<ParetoCandidate>& candidates);

}  // namespace lockstep::sweep
