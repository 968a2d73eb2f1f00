// The long run of the differential test: more builds, more programs on each.
#include <gtest/gtest.h>

#include "tests/cosim/differential.h"

namespace lockstep::testcosim {
namespace {

constexpr int kPrograms = 2000;

class DifferentialLong : public testing::TestWithParam<uint64_t> {};

TEST_P(DifferentialLong, RandomProgramsAgreeInBitsEventsAndCounters) {
  const DifferentialTotals totals = run_differential(GetParam(), kPrograms);
  EXPECT_GE(totals.programs, kPrograms);
  EXPECT_GT(totals.bursts, 0u);
  EXPECT_EQ(totals.problems, 0u);
}

INSTANTIATE_TEST_SUITE_P(Chips, DifferentialLong, testing::Range<uint64_t>(5, 17));

}  // namespace
}  // namespace lockstep::testcosim
