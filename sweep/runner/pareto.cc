#include "sweep/runner/pareto.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lockstep::sweep {

namespace {

/// a is no worse anywhere and better somewhere.
bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

std::vector<bool> pareto_front(const std::vector<ParetoCandidate>& candidates) {
  // A dominator precedes what it dominates in lexicographic order, so each candidate meets only the front so far.
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return candidates[a].costs < candidates[b].costs; });
  std::vector<bool> in_front(candidates.size(), false);
  std::vector<size_t> front;
  for (const size_t index : order) {
    if (!candidates[index].eligible) continue;
    const bool beaten = std::any_of(front.begin(), front.end(), [&](size_t member) {
      return dominates(candidates[member].costs, candidates[index].costs);
    });
    if (beaten) continue;
    in_front[index] = true;
    front.push_back(index);
  }
  return in_front;
}

}  // namespace lockstep::sweep
