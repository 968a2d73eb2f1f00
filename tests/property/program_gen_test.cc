#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "hw/chip/chip_checks.h"
#include "hw/chip/chip_file.h"
#include "hw/golden/golden.h"
#include "hw/isa/verify.h"
#include "tests/property/chip_gen.h"
#include "tests/property/features.h"
#include "tests/property/program_gen.h"
#include "tests/property/program_thinner.h"
#include "tests/property/race_check.h"
#include "tests/property/word_builder.h"

namespace lockstep::testgen {
namespace {

TEST(ProgramGen, GoldenRunsEveryProgram) {
  int shown = 0;
  for (uint64_t c = 1; c <= 5; ++c) {
    const chip::ChipSpec chip = random_chip(c);
    for (uint64_t seed = 1; seed <= 2000 && shown < 10; ++seed) {
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

TEST(ProgramGen, ShippedChipsGetFullProgramsToo) {
  for (const char* name : {"edge8", "edge16", "wide", "tall"}) {
    const auto chip = chip::parse_chip(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/" + name + ".yaml");
    ASSERT_TRUE(chip.ok()) << chip.diags().front().message;
    size_t words = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      const isa::Program program = random_program(seed, chip->spec);
      words += program.code.size();
      EXPECT_TRUE(is_legal(program, chip->spec)) << name << " seed " << seed;
      const auto verified = isa::verify(program, chip->spec);
      EXPECT_TRUE(verified.ok()) << verified.diags().front().message << " " << name << " seed " << seed;
    }
    EXPECT_GT(words, 40u * 30) << name << ": flows are being dropped";
  }
}

TEST(ProgramGen, TheSameSeedGivesTheSameProgram) {
  const chip::ChipSpec chip = random_chip(2);
  EXPECT_EQ(random_program(9, chip), random_program(9, chip));
  EXPECT_NE(random_program(9, chip), random_program(10, chip));
}

TEST(PairProgram, AccumulatesOneTileAsManyTimesAsThereArePairs) {
  for (const int load_rows : {1, 2, 4, 8}) {
    const chip::ChipSpec chip = small_chip(16, 16, load_rows);
    const int wave = 16 / load_rows;
    for (const int rows : {1, wave - 1, wave, wave + 1, 16}) {
      if (rows == 0) continue;
      const isa::Program program = pair_program(chip, 16, rows);
      SCOPED_TRACE(testing::Message() << "b " << load_rows << " M " << rows);
      EXPECT_TRUE(is_legal(program, chip));
      EXPECT_TRUE(isa::verify(program, chip).ok());
      target::MemoryImage image = random_image(7, program);
      const target::MemoryImage before = image;
      ASSERT_TRUE(golden::GoldenTarget(chip).run(program, image, {}).ok());
      const size_t weights = 256, activations = (static_cast<size_t>(rows) * 16 + 63) / 64 * 64;
      int32_t sum = 0, stored = 0;
      const size_t row = static_cast<size_t>(rows) - 1;
      for (size_t k = 0; k < 16; ++k) {
        sum += static_cast<int8_t>(before[weights + row * 16 + k]) * static_cast<int8_t>(before[k * 16 + 5]);
      }
      std::memcpy(&stored, image.data() + weights + activations + row * 64 + 5 * 4, 4);
      EXPECT_EQ(stored, 16 * sum);
    }
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
