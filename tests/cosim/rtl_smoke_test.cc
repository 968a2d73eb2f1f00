// The shortest way through every engine of the RTL, against golden.
#include <gtest/gtest.h>

#include "hw/golden/golden.h"
#include "tests/cosim/rtl_run.h"
#include "tests/property/word_builder.h"

namespace lockstep::testcosim {
namespace {

using testgen::WordBuilder;

constexpr uint16_t kAllEngines = 0x0FFF;

/// One tile: load activations and weights, multiply, copy out, store; a SYNC after every step.
isa::Program one_tile(const chip::ChipSpec& chip, uint32_t rows) {
  WordBuilder words(chip, 8192);
  words.ld(0, 0, 1024);
  words.ld(1024, 1024, 1024);
  words.sync(kAllEngines);
  words.wld(1024, chip.mxu.cols);
  words.mm(0, chip.mxu.rows, 0, rows, true, true);
  words.sync(kAllEngines);
  words.vx(0, 4096, chip.mxu.cols * 4, rows, static_cast<uint32_t>(chip.mxu.cols));
  words.sync(kAllEngines);
  words.st(4096, 4096, static_cast<int64_t>(rows) * chip.mxu.cols * 4);
  words.halt();
  return words.program();
}

TEST(RtlSmoke, OneTileGivesGoldensBytesAndAWorkerRunsManyPrograms) {
  const chip::ChipSpec chip = testgen::small_chip(8, 8, 2);
  const auto rtl = rtl_of(chip);
  ASSERT_NE(rtl, nullptr);
  golden::GoldenTarget golden(chip);
  for (uint32_t rows = 1; rows <= 17; ++rows) {
    const isa::Program program = one_tile(chip, rows);
    target::MemoryImage expected = noise(program.hbm_bytes, rows);
    target::MemoryImage actual = expected;
    target::RunOptions options;
    options.record_events = true;
    const auto golden_result = golden.run(program, expected, options);
    ASSERT_TRUE(golden_result.ok()) << golden_result.diags().front().message;
    ASSERT_FALSE(golden_result->fault.has_value()) << golden_result->fault->detail;
    const auto rtl_result = rtl->run(program, actual, options);
    ASSERT_TRUE(rtl_result.ok()) << rtl_result.diags().front().message;
    ASSERT_FALSE(rtl_result->fault.has_value()) << rtl_result->fault->code << ' ' << rtl_result->fault->detail;
    EXPECT_EQ(diff_images(expected, actual), "") << "rows " << rows;
    EXPECT_GT(rtl_result->cycles, 0);
    EXPECT_EQ(rtl_result->events.instrs[isa::kMm0].size(), 1u);
  }
}

}  // namespace
}  // namespace lockstep::testcosim
