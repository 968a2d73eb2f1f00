#include <gtest/gtest.h>

#include "hw/chip/chip_checks.h"
#include "hw/golden/golden.h"
#include "tests/property/chip_gen.h"
#include "tests/property/program_gen.h"

namespace lockstep::testgen {
namespace {

TEST(ProgramGen, GoldenRunsEveryProgram) {
  int shown = 0;
  for (uint64_t c = 1; c <= 8; ++c) {
    const chip::ChipSpec chip = random_chip(c);
    for (uint64_t seed = 1; seed <= 300 && shown < 10; ++seed) {
      const isa::Program program = random_program(seed, chip);
      target::MemoryImage image = random_image(seed, program), other = image;
      golden::GoldenTarget golden(chip);
      const auto run = golden.run(program, image, {.vmem_fill = 0x11});
      ASSERT_TRUE(run.ok()) << run.diags().front().message << " chip " << c << " seed " << seed;
      if (run->fault) {
        ADD_FAILURE() << run->fault->code << " " << run->fault->detail << " tag " << run->fault->tag << " chip " << c << " seed " << seed;
        ++shown;
        continue;
      }
      ASSERT_TRUE(golden.run(program, other, {.vmem_fill = 0xE7}).ok());
      if (image != other) {
        ADD_FAILURE() << "fill matters: chip " << c << " seed " << seed;
        ++shown;
      }
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
