#include <gtest/gtest.h>

#include "hw/golden/golden.h"
#include "hw/isa/verify.h"
#include "tests/property/chip_gen.h"
#include "tests/property/features.h"
#include "tests/property/program_gen.h"
#include "tests/property/program_thinner.h"
#include "tests/property/regression_case.h"
#include "tests/property/shrinker.h"

namespace lockstep::testgen {
namespace {

/// Shrinks the first generated program that shows `feature`.
Shrunk shrink_to_feature(const std::string& feature, const chip::ChipSpec& chip) {
  const Failing failing = [&](const isa::Program& program) { return features_of(program, chip).count(feature) > 0; };
  for (uint64_t seed = 1; seed < 2000; ++seed) {
    const Scenario scenario = random_scenario(seed, chip);
    if (!failing(lower(scenario, chip))) continue;
    return shrink(scenario, chip, failing);
  }
  ADD_FAILURE() << "no program with " << feature;
  return {};
}

struct Goal {
  const char* feature;
  size_t max_words;  // HALT included
};

class ShrinkTo : public testing::TestWithParam<Goal> {};

TEST_P(ShrinkTo, AHandfulOfWordsThatStayLegal) {
  const chip::ChipSpec chip = random_chip(3);
  const Shrunk shrunk = shrink_to_feature(GetParam().feature, chip);
  EXPECT_LE(shrunk.program.code.size(), GetParam().max_words) << describe(shrunk.scenario) << regression_text(shrunk.program, chip, "", "");
  EXPECT_TRUE(features_of(shrunk.program, chip).count(GetParam().feature)) << "the failure must survive";
  EXPECT_TRUE(is_legal(shrunk.program, chip));
  const auto verified = isa::verify(shrunk.program, chip);
  EXPECT_TRUE(verified.ok()) << verified.diags().front().message;
  EXPECT_LE(shrunk.tries, ShrinkOptions{}.max_tries);
}

INSTANTIATE_TEST_SUITE_P(Goals, ShrinkTo,
                         testing::Values(Goal{"M = R/b + 1", 4}, Goal{"chain of relays", 5}, Goal{"zero-length ST", 2},
                                         Goal{"accumulation over 2 or more tiles", 6}, Goal{"VX over more than an accumulator row", 5},
                                         Goal{"SYNC in a loop", 4}, Goal{"ring of 3", 3}, Goal{"loop depth 3", 7}));

TEST(Shrinker, StopsAtTheBudget) {
  const chip::ChipSpec chip = random_chip(3);
  int calls = 0;
  const Shrunk shrunk = shrink(random_scenario(5, chip), chip, [&](const isa::Program&) { return ++calls, true; }, {.max_tries = 25});
  EXPECT_LE(calls, 25);
  EXPECT_EQ(shrunk.tries, calls);
}

TEST(Regression, TextRoundTrips) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const chip::ChipSpec chip = random_chip(seed);
    const isa::Program program = random_program(seed, chip);
    const auto parsed = parse_regression(regression_text(program, chip, "seed", "two\nlines"), "case.lk");
    ASSERT_TRUE(parsed.ok()) << parsed.diags().front().message;
    EXPECT_EQ(parsed->program, program);
    EXPECT_EQ(chip::timing_hash(parsed->chip), chip::timing_hash(chip));
  }
}

}  // namespace
}  // namespace lockstep::testgen
