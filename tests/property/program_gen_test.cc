#include <gtest/gtest.h>

#include "hw/chip/chip_checks.h"
#include "hw/golden/golden.h"
#include "hw/isa/verify.h"
#include "tests/property/chip_gen.h"
#include "tests/property/features.h"
#include "tests/property/program_gen.h"
#include "tests/property/race_check.h"

namespace lockstep::testgen {
namespace {

TEST(ProgramGen, GoldenRunsEveryProgram) {
  int shown = 0;
  for (uint64_t c = 1; c <= 8; ++c) {
    const chip::ChipSpec chip = random_chip(c);
    for (uint64_t seed = 1; seed <= 300 && shown < 10; ++seed) {
      const isa::Program program = random_program(seed, chip);
      const auto verified = isa::verify(program, chip);
      EXPECT_TRUE(verified.ok()) << verified.diags().front().message << " chip " << c << " seed " << seed;
      if (!verified.ok()) ++shown;
      target::MemoryImage image = random_image(seed, program), other = image;
      golden::GoldenTarget golden(chip);
      const auto run = golden.run(program, image, {.vmem_fill = 0x11});
      ASSERT_TRUE(run.ok()) << run.diags().front().message << " chip " << c << " seed " << seed;
      if (run->fault) {
        ADD_FAILURE() << run->fault->code << " " << run->fault->detail << " tag " << run->fault->tag << " chip " << c << " seed " << seed;
        ++shown;
        continue;
      }
      for (const std::string& race : find_races(program, chip)) {
        ADD_FAILURE() << race << " chip " << c << " seed " << seed;
        ++shown;
      }
      ASSERT_TRUE(golden.run(program, other, {.vmem_fill = 0xE7}).ok());
      if (image != other) {
        ADD_FAILURE() << "fill matters: chip " << c << " seed " << seed;
        ++shown;
      }
    }
  }
}

TEST(ProgramGen, EveryFeatureOccursInOnePercentOfPrograms) {
  std::map<std::string, int> counts;
  int programs = 0;
  size_t words = 0;
  for (uint64_t c = 1; c <= 10; ++c) {
    const chip::ChipSpec chip = random_chip(c);
    for (uint64_t seed = 1; seed <= 100; ++seed, ++programs) {
      const isa::Program program = random_program(seed + 1000 * c, chip);
      words += program.code.size();
      for (const std::string& feature : features_of(program, chip)) ++counts[feature];
    }
  }
  std::printf("%d programs, %.1f words on average\n", programs, static_cast<double>(words) / programs);
  for (const std::string& feature : all_features()) {
    if (feature == "MXU 1") continue;  // chips with several MXUs are not drawn
    std::printf("%6.1f %%  %s\n", 100.0 * counts[feature] / programs, feature.c_str());
    EXPECT_GE(counts[feature] * 100, programs) << feature;
  }
  for (const auto& [feature, count] : counts) {
    EXPECT_TRUE(std::count(all_features().begin(), all_features().end(), feature)) << feature << " is not listed";
  }
}

TEST(ChipGen, EveryChipPassesTheChipChecks) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const auto diags = chip::check_chip(random_chip(seed));
    ASSERT_TRUE(diags.empty()) << "seed " << seed << ": " << diags.front().message;
  }
}

}  // namespace
}  // namespace lockstep::testgen
