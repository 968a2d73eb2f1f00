#include "hw/base/rng.h"

#include <array>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Splitmix64, MatchesThePublishedSequence) {
  uint64_t state = 1234567;  // reference values of the algorithm's public test vector
  EXPECT_EQ(splitmix64(state), 6457827717110365317ULL);
  EXPECT_EQ(splitmix64(state), 3203168211198807973ULL);
  EXPECT_EQ(splitmix64(state), 9817491932198370423ULL);
}

TEST(Rng, SameSeedSameNumbersAndSeedsDiffer) {
  Rng a(7);
  Rng b(7);
  Rng c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = a.next();
    EXPECT_EQ(value, b.next());
    differs = differs || value != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Rng, ForkDependsOnTheStreamOnlyNotOnItsOwnDraws) {
  const Rng parent(3);
  Rng first = parent.fork(0);
  first.next();
  Rng again = parent.fork(1);
  Rng other = parent.fork(1);
  EXPECT_EQ(again.next(), other.next());
  EXPECT_NE(parent.fork(0).next(), parent.fork(1).next());
}

TEST(Rng, BelowIsUniformAndInRange) {
  Rng rng(11);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts.at(rng.below(6));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // 5 sigma is 456
  EXPECT_EQ(rng.below(1), 0u);
}

TEST(Rng, BetweenReachesBothEnds) {
  Rng rng(12);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = rng.between(-2, 2);
    ASSERT_TRUE(value >= -2 && value <= 2);
    low = low || value == -2;
    high = high || value == 2;
  }
  EXPECT_TRUE(low && high);
  EXPECT_EQ(rng.between(5, 5), 5);
  rng.between(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
}

TEST(Rng, UnitIsBelowOne) {
  Rng rng(13);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = rng.unit();
    ASSERT_TRUE(value >= 0 && value < 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

}  // namespace
}  // namespace lockstep
