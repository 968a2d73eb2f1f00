// Runs with jumps against walked runs on random nests: fault, cycles and every counter.
#include <gtest/gtest.h>

#include "tests/unit/hw/timing/equality.h"
#include "tests/unit/hw/timing/jump_equality.h"
#include "tests/unit/hw/timing/random_nest.h"

namespace lockstep::timing::test {
namespace {

/// Looks at every boundary, as rarely as a user's run does, or little memory; and all of it with self-checks.
MemoOptions options_of(uint64_t seed) {
  MemoOptions options;
  options.every_boundary = seed % 4 != 0;
  options.self_check = seed % 7 == 0;
  if (seed % 11 == 0) options.max_bytes = 20'000;
  return options;
}

TEST(RandomNests, JumpedEqualsWalked) {
  const uint64_t first = from_environment("LOCKSTEP_FIRST_SEED", 1);
  const uint64_t programs = from_environment("LOCKSTEP_RANDOM_PROGRAMS", LOCKSTEP_TEST_NESTS);
  JumpTotals totals;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const NestCase nest = random_nest(seed, seed % 16 == 0 ? 60'000 : 6'000);
    const std::string difference = compare_jumps(nest.chip, nest.program, nest.options, options_of(seed), totals);
    ASSERT_EQ(difference, "") << "seed " << seed;
  }
  std::printf("seeds %llu..%llu: %s\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + programs - 1), describe(totals).c_str());
  EXPECT_GT(totals.runs_with_jumps * 3, totals.runs);  // else the comparison says little
}

}  // namespace
}  // namespace lockstep::timing::test
