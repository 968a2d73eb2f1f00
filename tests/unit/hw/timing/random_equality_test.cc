// The event model against the cycle-stepped reference: every event, every counter, on random programs and chips.
#include <gtest/gtest.h>

#include "tests/unit/hw/timing/equality.h"
#include "tests/unit/hw/timing/random_program.h"

namespace lockstep::timing::test {
namespace {

constexpr uint64_t kChipsPerProgram = 8;

TEST(RandomEquality, ModelEqualsTheSteppedReferenceOnRandomProgramsAndChips) {
  const uint64_t first = from_environment("LOCKSTEP_FIRST_SEED", 1);
  const uint64_t programs = from_environment("LOCKSTEP_RANDOM_PROGRAMS", 250);
  Totals totals;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    for (uint64_t n = 0; n < kChipsPerProgram; ++n) {
      const uint64_t chip_seed = seed * kChipsPerProgram + n;
      const chip::ChipSpec chip = random_chip(chip_seed);
      const isa::Program program = random_program(seed, chip);
      const std::string difference = compare(chip, program, random_options(chip_seed), totals);
      ASSERT_EQ(difference, "") << "program seed " << seed << ", chip seed " << chip_seed;
    }
  }
  std::printf("seeds %llu..%llu: %s\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + programs - 1), describe(totals).c_str());
}

}  // namespace
}  // namespace lockstep::timing::test
