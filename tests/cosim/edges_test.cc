// Single programs at the edges of the rules that random programs do not reach, on RTL, golden and model.
#include <string>

#include <gtest/gtest.h>

#include "hw/golden/golden.h"
#include "hw/timing/timing_target.h"
#include "tests/cosim/rtl_run.h"
#include "tests/property/word_builder.h"

namespace lockstep::testcosim {
namespace {

using testgen::WordBuilder;

class Edges : public testing::Test {
 protected:
  /// One RTL build for all tests; limits differ.
  chip::ChipSpec chip_ = testgen::small_chip(8, 8, 2);

  void expect_agreement(const isa::Program& program, const target::MemoryImage& image, target::RunOptions options = {}) {
    const auto rtl = rtl_of(chip_);
    ASSERT_NE(rtl, nullptr);
    const Agreement agreement = run_trio(program, chip_, *rtl, image, options);
    for (const std::string& problem : agreement.problems) ADD_FAILURE() << problem;
    EXPECT_GT(agreement.cycles, 0);
  }

  target::RunResult run_on(target::Target& on, const isa::Program& program, int64_t max_cycles = 0) {
    target::MemoryImage image = noise(program.hbm_bytes, 1);
    target::RunOptions options;
    options.record_events = true;
    options.max_cycles = max_cycles;
    const Result<target::RunResult> result = on.run(program, image, options);
    EXPECT_TRUE(result.ok()) << result.diags().front().message;
    return result.ok() ? *result : target::RunResult{};
  }

  /// "code tag cycle" of the fault, the same on RTL and model.
  std::string common_fault(const isa::Program& program, int64_t max_cycles = 0) {
    const auto rtl = rtl_of(chip_);
    if (!rtl) return "no RTL";
    timing::TimingTarget model(chip_);
    const std::string on_model = text(run_on(model, program, max_cycles));
    const std::string on_rtl = text(run_on(*rtl, program, max_cycles));
    EXPECT_EQ(on_model, on_rtl);
    return on_rtl;
  }

  static std::string text(const target::RunResult& result) {
    if (!result.fault) return "none";
    // A run out of time has no offender: the model names the word that waits, the RTL none.
    const std::string tag = result.fault->code == "F-WATCHDOG" ? "" : " tag " + std::to_string(result.fault->tag);
    return result.fault->code + tag + " cycle " + std::to_string(result.fault->cycle);
  }
};

// DMA-6: 256 bursts under way at once, loads and markers; the element order must hold all of them.
TEST_F(Edges, AWindowOf256IsFullBeforeItsFirstBurstReturns) {
  chip_.dma.max_outstanding = 256;
  chip_.dram.bandwidth_GBps = 16;  // one access a cycle
  chip_.dram.latency_ns = 2000;    // 1,000 cycles
  chip_.dram.command_slots = 16;
  WordBuilder words(chip_, 65536);
  isa::Instr& load = words.ld(0, 0, 32);
  WordBuilder::dma_body(load).hbm_shape = {32, 600, 64, 0};
  WordBuilder::dma_body(load).vmem_shape = testgen::contiguous(32 * 600);
  for (int k = 0; k < 300; ++k) words.ld(0, 0, 0);
  words.sync(1u << isa::kLd0);
  words.st(40000 / 32 * 32, 0, 32 * 600);
  words.halt();
  expect_agreement(words.program(), noise(65536, 5));
}

// MXU-6: accumulators wrap. 16,384 x 8 products of -128 x -128 are 2^31.
TEST_F(Edges, AccumulatorsWrapAfter16384Tiles) {
  WordBuilder words(chip_, 8192);
  words.ld(0, 0, 1024);
  words.sync(1u << isa::kLd0);
  words.wld(0, chip_.mxu.cols);
  words.mm(0, chip_.mxu.rows, 0, 2, true, true);
  const size_t loop = words.loop(16'400);
  words.mm(0, chip_.mxu.rows, 0, 2, false, false);
  words.end_loop(loop);
  words.sync(1u << isa::kMm0);
  words.vx(0, 4096, chip_.mxu.cols * 4, 2, 8);
  words.sync(1u << isa::kVx0);
  words.st(4096, 4096, 64);
  words.halt();
  target::MemoryImage image(8192, 0x80);
  expect_agreement(words.program(), image);
  golden::GoldenTarget golden(chip_);
  ASSERT_TRUE(golden.run(words.program(), image, {}).ok());
  EXPECT_EQ(image[4099], 0x80) << "16,401 x 2^17 is 2^31 + 2^21 + 2^17: negative";
}

// VX-1: groups of 8 rows, then chunks. Row 8 of chunk 0 and row 0 of chunk 1 share their place in VMEM; the later one stays.
TEST_F(Edges, OverlappingDestinationsOfVxShowTheOrderOfGroupsAndChunks) {
  WordBuilder words(chip_, 16384);
  words.ld(0, 0, 1024);
  words.sync(1u << isa::kLd0);
  words.wld(0, chip_.mxu.cols);
  words.mm(64, chip_.mxu.rows, 0, 32, true, true);
  words.sync(1u << isa::kMm0);
  isa::VxBody& vx = WordBuilder::vx_body(words.vx(0, 4096, 32, 16, 16));
  vx.slots[0].chunk_stride = 16;
  vx.slots[1].chunk_stride = 8 * 32;
  words.sync(1u << isa::kVx0);
  words.st(8192, 4096, 1024);
  words.halt();
  expect_agreement(words.program(), noise(16384, 9));
}

// A transfer may last longer than any patience with a machine that does nothing.
TEST_F(Edges, ATransferOfThreeMillionCyclesIsNoDeadlock) {
  chip_.dram.bandwidth_GBps = 0.01;
  WordBuilder words(chip_, 65536);
  words.ld(0, 0, 61440);
  words.halt();
  expect_agreement(words.program(), noise(65536, 2));
}

// SEQ-5: `cycles` is done(HALT) + 1, and a limit of that many cycles is enough on every target.
TEST_F(Edges, TheWatchdogAllowsExactlyItsCycles) {
  WordBuilder words(chip_, 4096);
  words.ld(0, 0, 1024);
  words.halt();
  const auto rtl = rtl_of(chip_);
  ASSERT_NE(rtl, nullptr);
  const int64_t cycles = run_on(*rtl, words.program()).cycles;
  EXPECT_EQ(common_fault(words.program(), cycles), "none");
  const std::string too_few = common_fault(words.program(), cycles - 1);
  EXPECT_EQ(too_few, "F-WATCHDOG cycle " + std::to_string(cycles - 1));
}

// ISA-2: a fault names the tag and the cycle of its offender.
TEST_F(Edges, FaultsNameTheSameWordAndCycleOnModelAndRtl) {
  WordBuilder past_hbm(chip_, 4096);
  past_hbm.ld(0, 0, 1024);
  past_hbm.ld(4096, 0, 32);
  past_hbm.halt();
  EXPECT_EQ(common_fault(past_hbm.program()), "F-HBM-RANGE tag 2 cycle 1");

  WordBuilder no_halt(chip_, 4096);
  no_halt.ld(0, 0, 32);
  EXPECT_EQ(common_fault(no_halt.program()), "F-PC-RANGE tag 0 cycle 1");

  WordBuilder overflow(chip_, 4096);
  overflow.program().semaphores[5] = 250;
  overflow.ld(0, 0, 32).posts[0] = {5, 5, isa::PostWhen::kSourceFree};
  overflow.ld(0, 0, 32).posts[0] = {5, 1, isa::PostWhen::kSourceFree};
  overflow.halt();
  const std::string fault = common_fault(overflow.program());
  EXPECT_EQ(fault.find("F-SEM-OVERFLOW tag 2 cycle "), 0u) << fault;
}

// A wait that nothing answers ends the run, soon, with the same fault.
TEST_F(Edges, ADeadlockIsAFaultOnModelAndRtl) {
  WordBuilder words(chip_, 4096);
  words.ld(0, 0, 1024);
  words.ld(0, 0, 1024).waits[0] = {9, 1};
  words.halt();
  const auto rtl = rtl_of(chip_);
  ASSERT_NE(rtl, nullptr);
  timing::TimingTarget model(chip_);
  EXPECT_EQ(run_on(model, words.program()).fault.value().code, "F-DEADLOCK");
  const target::Fault fault = run_on(*rtl, words.program()).fault.value();
  EXPECT_EQ(fault.code, "F-DEADLOCK");
  EXPECT_NE(fault.detail.find("LD0 head waits for a semaphore"), std::string::npos) << fault.detail;
}

// The memory of the program survives the reset between runs; its length must not.
TEST_F(Edges, AnEmptyProgramDoesNotRunTheProgramBeforeIt) {
  WordBuilder words(chip_, 4096);
  words.ld(0, 0, 1024);
  words.halt();
  const auto rtl = rtl_of(chip_);
  ASSERT_NE(rtl, nullptr);
  EXPECT_EQ(text(run_on(*rtl, words.program())), "none");
  isa::Program empty = words.program();
  empty.code.clear();
  EXPECT_EQ(text(run_on(*rtl, empty)), "F-PC-RANGE tag 0 cycle 0");
  EXPECT_EQ(common_fault(empty), "F-PC-RANGE tag 0 cycle 0");
}

// An image size that no memory has is refused, not thrown.
TEST_F(Edges, AnImpossibleImageSizeIsRefused) {
  WordBuilder words(chip_, 4096);
  words.halt();
  const auto rtl = rtl_of(chip_);
  ASSERT_NE(rtl, nullptr);
  for (const int64_t bytes : {int64_t{-1}, int64_t{1} << 62}) {
    isa::Program program = words.program();
    program.hbm_bytes = bytes;
    target::MemoryImage image;
    const Result<target::RunResult> result = rtl->run(program, image, {});
    EXPECT_FALSE(result.ok()) << bytes;
    EXPECT_TRUE(image.empty());
  }
}

}  // namespace
}  // namespace lockstep::testcosim
