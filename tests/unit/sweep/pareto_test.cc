#include "sweep/runner/pareto.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace lockstep::sweep {
namespace {

std::vector<bool> front(const std::vector<std::vector<double>>& costs) {
  std::vector<ParetoCandidate> candidates;
  for (const auto& cost : costs) candidates.push_back({cost, true});
  return pareto_front(candidates);
}

TEST(Pareto, KeepsWhatNoOtherPointBeatsEverywhere) {
  EXPECT_EQ(front({{1, 9}, {5, 5}, {9, 1}, {6, 6}, {5, 6}}), (std::vector<bool>{true, true, true, false, false}));
}

TEST(Pareto, EqualPointsStayTogether) {
  EXPECT_EQ(front({{2, 2}, {2, 2}, {3, 2}}), (std::vector<bool>{true, true, false}));
}

TEST(Pareto, OneObjectiveKeepsTheSmallest) { EXPECT_EQ(front({{3}, {1}, {2}}), (std::vector<bool>{false, true, false})); }

TEST(Pareto, IneligiblePointsNeitherJoinNorBeatAnybody) {
  const std::vector<ParetoCandidate> candidates = {{{0, 0}, false}, {{1, 1}, true}};
  EXPECT_EQ(pareto_front(candidates), (std::vector<bool>{false, true}));
}

TEST(Pareto, AgreesWithTheDefinitionOnRandomPoints) {
  uint64_t state = 7;
  const auto next = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 60);  // 0..15: many ties
  };
  std::vector<ParetoCandidate> candidates;
  for (int i = 0; i < 300; ++i) candidates.push_back({{next(), next(), next()}, next() < 13});
  const std::vector<bool> got = pareto_front(candidates);
  for (size_t i = 0; i < candidates.size(); ++i) {
    bool beaten = !candidates[i].eligible;
    for (const ParetoCandidate& other : candidates) {
      bool no_worse = other.eligible;
      for (size_t c = 0; c < 3; ++c) no_worse = no_worse && other.costs[c] <= candidates[i].costs[c];
      beaten = beaten || (no_worse && other.costs != candidates[i].costs);
    }
    EXPECT_EQ(got[i], !beaten) << i;
  }
}

}  // namespace
}  // namespace lockstep::sweep
