// Compiled GEMMs on three targets: every peer shape (the sizes that broke other accelerators) on the small chips.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_file.h"
#include "tests/cosim/rtl_run.h"

namespace lockstep::testcosim {
namespace {

struct Shape {
  int64_t m, n, k;
};

constexpr std::array<Shape, 13> kPeerShapes = {{{96, 96, 96}, {128, 128, 128}, {48, 48, 48}, {12, 16, 16}, {30, 32, 17},
                                                {24, 32, 1}, {31, 32, 31}, {17, 32, 3}, {5, 32, 3}, {36, 31, 32},
                                                {23, 31, 31}, {24, 17, 32}, {23, 20, 33}}};
constexpr std::array<Shape, 2> kMoreShapes = {{{3, 11, 32}, {17, 13, 17}}};

class GemmCosim : public testing::TestWithParam<const char*> {};

TEST_P(GemmCosim, EveryPeerShapeAndBufferCountAgreesInBitsAndEvents) {
  const auto parsed = chip::parse_chip(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/" + GetParam() + ".yaml");
  ASSERT_TRUE(parsed.ok());
  const chip::ChipSpec& chip = parsed->spec;
  const auto rtl = rtl_of(chip);
  ASSERT_NE(rtl, nullptr);
  std::vector<Shape> shapes(kPeerShapes.begin(), kPeerShapes.end());
  shapes.insert(shapes.end(), kMoreShapes.begin(), kMoreShapes.end());
  size_t instrs = 0;
  for (const Shape& shape : shapes) {
    for (int64_t buffers = 1; buffers <= 3; ++buffers) {
      SCOPED_TRACE(testing::Message() << shape.m << 'x' << shape.n << 'x' << shape.k << " buffers " << buffers);
      ir::Gemm gemm;
      gemm.name = "peer";
      gemm.m = shape.m;
      gemm.n = shape.n;
      gemm.k = shape.k;
      pipeline::Knobs knobs;
      knobs.buffers = buffers;
      const auto compiled = pipeline::compile(gemm, chip, knobs);
      ASSERT_TRUE(compiled.ok());
      ASSERT_TRUE(std::holds_alternative<pipeline::Compiled>(*compiled));
      const isa::Program& program = std::get<pipeline::Compiled>(*compiled).program;
      const Agreement agreement = run_trio(program, chip, *rtl, noise(program.hbm_bytes, 7));
      for (const std::string& problem : agreement.problems) ADD_FAILURE() << problem;
      if (HasFailure()) return;
      EXPECT_GT(agreement.cycles, 0);
      instrs += agreement.instrs;
    }
  }
  RecordProperty("instructions_compared", static_cast<int>(instrs));
}

INSTANTIATE_TEST_SUITE_P(Chips, GemmCosim, testing::Values("edge8", "edge16", "wide", "tall"),
                         [](const auto& chip) { return std::string(chip.param); });

}  // namespace
}  // namespace lockstep::testcosim
