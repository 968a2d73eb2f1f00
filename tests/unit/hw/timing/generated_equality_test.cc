// The same comparison over the programs that golden and RTL run: tests/property's race-free copies, fan-outs and GEMMs,
// each on chips of its build with other queue depths, windows, quanta and memories.
#include <gtest/gtest.h>

#include "tests/property/chip_gen.h"
#include "tests/property/program_gen.h"
#include "tests/unit/hw/timing/equality.h"
#include "tests/unit/hw/timing/random_program.h"

namespace lockstep::timing::test {
namespace {

constexpr uint64_t kChipsPerProgram = 8;

TEST(GeneratedEquality, ModelEqualsTheSteppedReferenceOnGeneratedPrograms) {
  const uint64_t first = from_environment("LOCKSTEP_FIRST_SEED", 1);
  const uint64_t programs = from_environment("LOCKSTEP_RANDOM_PROGRAMS", 100);
  Totals totals;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const chip::ChipSpec build = testgen::random_chip(seed);
    for (uint64_t n = 0; n < kChipsPerProgram; ++n) {
      const uint64_t limits = seed * kChipsPerProgram + n;
      const chip::ChipSpec chip = n == 0 ? build : testgen::with_random_limits(build, limits);
      target::RunOptions options = random_options(limits);
      options.max_cycles = 2'000'000;
      const std::string difference = compare(chip, testgen::random_program(seed, chip), options, totals);
      ASSERT_EQ(difference, "") << "program and chip seed " << seed << ", limits seed " << limits;
    }
  }
  std::printf("seeds %llu..%llu: %s\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + programs - 1), describe(totals).c_str());
}

}  // namespace
}  // namespace lockstep::timing::test
