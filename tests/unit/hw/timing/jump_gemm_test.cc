// Compiled GEMMs of the Llama-3.1-8B block, and the programs that golden and RTL run: jumped equals walked.
#include <gtest/gtest.h>

#include "compiler/frontend/huggingface.h"
#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_file.h"
#include "tests/property/chip_gen.h"
#include "tests/property/program_gen.h"
#include "tests/unit/hw/timing/equality.h"
#include "tests/unit/hw/timing/jump_equality.h"

namespace lockstep::timing::test {
namespace {

const std::string kSource = LOCKSTEP_TEST_SOURCE_DIR;

struct Block {
  const char* chip;
  frontend::ModelRequest request;
};

class LlamaBlock : public testing::TestWithParam<Block> {};

TEST_P(LlamaBlock, JumpedEqualsWalked) {
  const chip::ChipSpec chip = chip::parse_chip(kSource + "/configs/chips/" + GetParam().chip + ".yaml").value().spec;
  const ir::Workload workload =
      frontend::read_model(kSource + "/workloads/models/llama-3.1-8b.json", GetParam().request).value();
  JumpTotals totals;
  for (const ir::Gemm& gemm : workload.gemms) {
    const auto compiled = pipeline::compile(gemm, chip, {}).value();
    const isa::Program& program = std::get<pipeline::Compiled>(compiled).program;
    for (const bool self_check : {false, true}) {
      EXPECT_EQ(compare_jumps(chip, program, {}, {.self_check = self_check}, totals), "") << gemm.name;
    }
  }
  std::printf("%s\n", describe(totals).c_str());
  EXPECT_LT(totals.events_simulated * 2, totals.events);
}

constexpr frontend::ModelRequest kPrefill = {frontend::Phase::kPrefill, 1, 512, 512};
constexpr frontend::ModelRequest kDecode = {frontend::Phase::kDecode, 8, 1, 2048};
INSTANTIATE_TEST_SUITE_P(Chips, LlamaBlock,
                         testing::Values(Block{"tpu128", kPrefill}, Block{"tpu128", kDecode}, Block{"edge16", kPrefill},
                                         Block{"edge16", kDecode}),
                         [](const auto& block) {
                           return std::string(block.param.chip) +
                                  frontend::phase_name(block.param.request.phase);
                         });

TEST(GeneratedPrograms, JumpedEqualsWalked) {
  const uint64_t first = from_environment("LOCKSTEP_FIRST_SEED", 1);
  const uint64_t programs = from_environment("LOCKSTEP_RANDOM_PROGRAMS", 300);
  JumpTotals totals;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const chip::ChipSpec build = testgen::random_chip(seed);
    const chip::ChipSpec chip = seed % 2 == 0 ? build : testgen::with_random_limits(build, seed);
    const MemoOptions memo{.self_check = seed % 3 == 0, .every_boundary = true};
    ASSERT_EQ(compare_jumps(chip, testgen::random_program(seed, chip), {}, memo, totals), "") << "seed " << seed;
  }
  std::printf("%s\n", describe(totals).c_str());
}

}  // namespace
}  // namespace lockstep::timing::test
