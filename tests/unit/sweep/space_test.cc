#include "sweep/space/space.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "sweep/space/grid_values.h"

namespace lockstep::sweep {
namespace {

Axis axis(const char* name, std::vector<std::string> values) { return {name, std::move(values), std::nullopt, {}}; }

TEST(Space, CountsTheProductOfItsAxes) {
  const Space space({axis("a", {"1", "2"}), axis("b", {"x", "y", "z"})});
  EXPECT_EQ(space.points(), 6);
}

TEST(Space, WithoutAxesHoldsTheBasePoint) {
  const Space space({});
  EXPECT_EQ(space.points(), 1);
  EXPECT_TRUE(space.values_at(0).empty());
}

TEST(Space, VariesTheLastAxisFastest) {
  const Space space({axis("a", {"1", "2"}), axis("b", {"x", "y", "z"})});
  EXPECT_EQ(space.values_at(0), (std::vector<std::string>{"1", "x"}));
  EXPECT_EQ(space.values_at(1), (std::vector<std::string>{"1", "y"}));
  EXPECT_EQ(space.values_at(3), (std::vector<std::string>{"2", "x"}));
  EXPECT_EQ(space.values_at(5), (std::vector<std::string>{"2", "z"}));
}

TEST(Space, GivesEveryCombinationOnce) {
  const Space space({axis("a", {"1", "2", "3"}), axis("b", {"x", "y"}), axis("c", {"p", "q", "r", "s"})});
  std::set<std::vector<std::string>> seen;
  for (int64_t point = 0; point < space.points(); ++point) seen.insert(space.values_at(point));
  EXPECT_EQ(seen.size(), 24U);
}

TEST(Space, FollowerTakesTheValueOfItsLeaderAndAddsNoPoints) {
  Axis follower = axis("cols", {});
  follower.same_as = 1;
  const Space space({follower, axis("rows", {"32", "64"}), axis("b", {"1", "2"})});
  ASSERT_EQ(space.points(), 4);
  EXPECT_EQ(space.values_at(3), (std::vector<std::string>{"64", "64", "2"}));
}

TEST(Space, SaturatesInsteadOfOverflowing) {
  const std::vector<std::string> many(100000, "v");
  const Space space({axis("a", many), axis("b", many), axis("c", many), axis("d", many)});
  EXPECT_EQ(space.points(), std::numeric_limits<int64_t>::max());
}

TEST(GridValues, LinearRangeStopsAtTheLastStepThatFits) {
  EXPECT_EQ(range_values({500, 1400, 300, Scale::kLinear}), (std::vector<int64_t>{500, 800, 1100, 1400}));
  EXPECT_EQ(range_values({1, 6, 4, Scale::kLinear}), (std::vector<int64_t>{1, 5}));
}

TEST(GridValues, Log2RangeDoubles) {
  EXPECT_EQ(range_values({1024, 8192, 1, Scale::kLog2}), (std::vector<int64_t>{1024, 2048, 4096, 8192}));
  EXPECT_EQ(range_values({3, 13, 1, Scale::kLog2}), (std::vector<int64_t>{3, 6, 12}));
}

TEST(GridValues, LargestNumbersDoNotOverflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(range_values({kMax - 1, kMax, 5, Scale::kLinear}), (std::vector<int64_t>{kMax - 1}));
  EXPECT_EQ(range_values({kMax / 2 + 1, kMax, 1, Scale::kLog2}).size(), 1U);
}

TEST(GridValues, RefusesWhatHasNoGrid) {
  EXPECT_NE(range_problem({-1, 4, 1, Scale::kLinear}, 10), "");
  EXPECT_NE(range_problem({5, 4, 1, Scale::kLinear}, 10), "");
  EXPECT_NE(range_problem({1, 4, 0, Scale::kLinear}, 10), "");
  EXPECT_NE(range_problem({0, 4, 1, Scale::kLog2}, 10), "");
  EXPECT_NE(range_problem({0, std::numeric_limits<int64_t>::max() - 1, 1, Scale::kLinear}, 10), "");
  EXPECT_EQ(range_problem({1, 10, 1, Scale::kLinear}, 10), "");
}

TEST(GridValues, ARangeOverAllIntegersIsTooLongNotEmpty) {
  EXPECT_NE(range_problem({0, INT64_MAX, 1, Scale::kLinear}, 1000), "");
  EXPECT_NE(range_problem({1, INT64_MAX, 1, Scale::kLinear}, 1000), "");
  EXPECT_EQ(range_problem({1, INT64_MAX, INT64_MAX, Scale::kLinear}, 1000), "");
}

}  // namespace
}  // namespace lockstep::sweep
