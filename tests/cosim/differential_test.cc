// Random legal programs on random chips: RTL = golden bit for bit, RTL = model event for event.
#include <gtest/gtest.h>

#include "tests/cosim/differential.h"

namespace lockstep::testcosim {
namespace {

constexpr int kPrograms = 1000;

class Differential : public testing::TestWithParam<uint64_t> {};

TEST_P(Differential, RandomProgramsAgreeInBitsEventsAndCounters) {
  const DifferentialTotals totals = run_differential(GetParam(), kPrograms);
  EXPECT_GE(totals.programs, kPrograms);
  EXPECT_GT(totals.bursts, 0u);
  EXPECT_EQ(totals.problems, 0u);
}

INSTANTIATE_TEST_SUITE_P(Chips, Differential, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace lockstep::testcosim
