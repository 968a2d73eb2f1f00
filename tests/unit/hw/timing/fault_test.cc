// Runs that do not reach their HALT, and programs and chips that are refused.
#include <gmock/gmock.h>

#include "tests/unit/hw/timing/hand_computed.h"

namespace lockstep::timing::test {
namespace {

using testing::HasSubstr;

class Faults : public HandComputed {
 protected:
  target::Fault fault(const isa::Program& p, int64_t max_cycles = 0) {
    target::RunOptions options;
    options.max_cycles = max_cycles;
    target::MemoryImage image;
    const Result<target::RunResult> result = TimingTarget(chip_).run(p, image, options);
    EXPECT_TRUE(result.ok()) << result.diags().front().message;
    EXPECT_TRUE(result.ok() && result->fault);
    return result.ok() && result->fault ? *result->fault : target::Fault{};
  }
  target::Fault fault(std::vector<isa::Instr> code, int64_t max_cycles = 0) {
    return fault(program(chip_, std::move(code)), max_cycles);
  }
  std::string refusal(const isa::Program& p) {
    target::MemoryImage image;
    const Result<target::RunResult> result = TimingTarget(chip_).run(p, image, {});
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.diags().front().code + " " + result.diags().front().message;
  }
  std::string refusal(std::vector<isa::Instr> code) { return refusal(program(chip_, std::move(code))); }
};

// VX done in 21, so 22 cycles: a limit of 22 is enough, 21 is not.
TEST_F(Faults, TheWatchdogAllowsExactlyItsCycles) {
  target::RunOptions options;
  options.max_cycles = 22;
  target::MemoryImage image;
  EXPECT_FALSE(TimingTarget(chip_).run(program(chip_, {vx(8), halt()}), image, options)->fault);
  const target::Fault f = fault({vx(8).tag(3), vx(8).tag(4), halt()}, 21);
  EXPECT_EQ(f.code, "F-WATCHDOG");
  EXPECT_EQ(f.cycle, 21);
  EXPECT_EQ(f.tag, 4u);
  EXPECT_THAT(f.detail, HasSubstr("VX0 head word 1 (tag 4) issues in cycle 21"));
}

TEST_F(Faults, TheWatchdogEndsAnEndlessNestOfEmptyLoops) {
  std::vector<isa::Instr> code;
  for (uint8_t level = 0; level < 8; ++level) code.push_back(loop(level, (1u << 24) - 1, 15u - level));
  for (uint8_t level = 8; level-- > 0;) code.push_back(endloop(level));
  code.push_back(halt());
  const target::Fault f = fault(std::move(code), 1'000'000);
  EXPECT_EQ(f.code, "F-WATCHDOG");
  EXPECT_EQ(f.cycle, 1'000'000);
}

TEST_F(Faults, ADeadlockNamesEachHeadAndWhatItWaitsFor) {
  isa::Program p = program(chip_, {wld().tag(1), wld().tag(2), mm(1, true).wait(3, 2).tag(5), vx(8),
                                   vx(8).wait(7).tag(6), sync(0xFFF), halt()});
  p.semaphores[3] = 1;
  const target::Fault f = fault(p);
  EXPECT_EQ(f.code, "F-DEADLOCK");
  EXPECT_EQ(f.cycle, 4);  // the VX issued in 4, nothing after it
  EXPECT_THAT(f.detail, HasSubstr("sequencer before word 5 waits for the engines of its mask"));
  EXPECT_THAT(f.detail, HasSubstr("WLD0 head word 1 (tag 2) waits for an MM to switch planes"));
  EXPECT_THAT(f.detail, HasSubstr("MM0 head word 2 (tag 5) waits for semaphore 3 >= 2, which has 1"));
  EXPECT_THAT(f.detail, HasSubstr("VX0 head word 4 (tag 6) waits for semaphore 7 >= 1, which has 0"));
}

TEST_F(Faults, ADeadlockBehindAFullQueueNamesTheQueue) {
  chip_.queue_depth.mm = 1;
  const target::Fault f = fault({mm(1, true), mm(1), halt()});
  EXPECT_EQ(f.code, "F-DEADLOCK");
  EXPECT_THAT(f.detail, HasSubstr("sequencer before word 1 waits for a place in the queue of MM0"));
  EXPECT_THAT(f.detail, HasSubstr("MM0 head word 0 (tag 0) waits for a WLD"));
}

TEST_F(Faults, HbmRangeIsJudgedAtTheDispatchOfTheTransfer) {
  isa::Program p = program(chip_, {vx(0), ld(4096 - 64, 64), ld(4096 - 32, 64).tag(9), halt()});
  p.hbm_bytes = 4096;
  target::Fault f = fault(p);
  EXPECT_EQ(f.code, "F-HBM-RANGE");
  EXPECT_EQ(f.cycle, 2);
  EXPECT_EQ(f.tag, 9u);
  EXPECT_THAT(f.detail, HasSubstr("[4064, 4128) of 4096"));
  p.code = {ld(64, 64, 2, -128), halt()};
  EXPECT_EQ(fault(p).code, "F-HBM-RANGE");
  p.code = {ld(1 << 20, 0), halt()};  // nothing is touched
  target::MemoryImage image;
  EXPECT_FALSE(TimingTarget(chip_).run(p, image, {})->fault);
}

TEST_F(Faults, RunningPastTheLastWord) {
  const target::Fault f = fault({vx(8)});
  EXPECT_EQ(f.code, "F-PC-RANGE");
  EXPECT_EQ(f.cycle, 1);
  EXPECT_EQ(fault(std::vector<isa::Instr>{}).code, "F-PC-RANGE");
}

TEST_F(Faults, LoopsThatDoNotNest) {
  EXPECT_EQ(fault({endloop(0), halt()}).code, "F-LOOP");
  EXPECT_EQ(fault({loop(0, 2, 3), loop(0, 2, 2), endloop(0), endloop(0), halt()}).code, "F-LOOP");
  EXPECT_EQ(fault({loop(0, 2, 0), endloop(0), halt()}).code, "F-LOOP");
  EXPECT_EQ(fault({loop(0, 2, 2), endloop(0), endloop(0), halt()}).code, "F-LOOP");
}

TEST_F(Faults, AnotherChipIsRefused) {
  isa::Program p = program(chip_, {halt()});
  p.chip_hash ^= 1;
  EXPECT_THAT(refusal(p), HasSubstr("E0605 program 'test' was compiled for another chip"));
}

TEST_F(Faults, WhatIsNotBuiltIsRefused) {
  WordBuilder fill = ld(0, 64);
  std::get<isa::DmaBody>(fill.instr.body).fill = true;
  EXPECT_THAT(refusal({std::move(fill), halt()}), HasSubstr("E0802 word 0 (LD, tag 0): fill mode is not built"));
  WordBuilder term = ld(0, 64);
  std::get<isa::DmaBody>(term.instr.body).hbm.table.scale_granules = 1;
  EXPECT_THAT(refusal({std::move(term), halt()}), HasSubstr("an SMEM address term is not built"));
  WordBuilder count = mm(1);
  std::get<isa::MmBody>(count.instr.body).rows.from_table = true;
  EXPECT_THAT(refusal({std::move(count), halt()}), HasSubstr("a count from SMEM is not built"));
  EXPECT_THAT(refusal({word(isa::Op::kWldT), halt()}), HasSubstr("WLD.T is not built"));
  WordBuilder kernel = vx(8);
  std::get<isa::VxBody>(kernel.instr.body).kernel = 1;
  EXPECT_THAT(refusal({std::move(kernel), halt()}), HasSubstr("a vector kernel other than the copy kernel is not"));
  WordBuilder type = vx(8);
  isa::VxSlot& slot = std::get<isa::VxBody>(type.instr.body).slots[1];
  slot.space = isa::VxSpace::kVmem;
  slot.type = isa::VxType::kFp32;
  EXPECT_THAT(refusal({std::move(type), halt()}), HasSubstr("a vector type other than int32 is not built"));
}

TEST_F(Faults, ChipsThatAreNotTimedAreRefusedWithAllReasons) {
  chip_.mxu.count = 4;
  chip_.mxu.k_per_pe.int8 = 2;
  chip_.dram.preset = "hbm9";
  target::MemoryImage image;
  const Result<target::RunResult> result = TimingTarget(chip_).run(program(chip_, {halt()}), image, {});
  ASSERT_FALSE(result.ok());
  ASSERT_EQ(result.diags().size(), 3u);
  EXPECT_EQ(result.diags()[0].message, "mxu.count 4 is not built; only 1 is");
  EXPECT_EQ(result.diags()[1].message, "mxu.k_per_pe.int8 2 is not built; only 1 is");
  EXPECT_EQ(result.diags()[2].message, "dram.preset 'hbm9' is unknown; there are ideal, hbm2, hbm2_2000, hbm2_dramsim3, hbm2_dramsys, hbm2_gem5, "
            "hbm2e, hbm3, ddr4 or lpddr5");
}

// SEM-1: without one producer, one consumer and one moment the n-th token is not defined.
TEST_F(Faults, SemaphoresWithTwoOwnersAreRefused) {
  EXPECT_THAT(refusal({wld().post(0), vx(0).post(0), halt()}),
              HasSubstr("E0701 word 1 (VX, tag 0): semaphore 0 is posted to by both WLD0 and VX0"));
  EXPECT_THAT(refusal({wld().wait(0), vx(0).wait(0), halt()}), HasSubstr("waited on by both WLD0 and VX0"));
  EXPECT_THAT(refusal({wld().post(0), wld().post(0, kAtSourceFree), halt()}), HasSubstr("posted at both moments"));
  EXPECT_THAT(refusal({wld().wait(0).wait(0), halt()}), HasSubstr("both waits name one semaphore"));
}

TEST_F(Faults, SequencerWordsThatWaitOrPostAreRefused) {
  EXPECT_THAT(refusal({loop(0, 2, 1).wait(0), endloop(0), halt()}), HasSubstr("E0636 word 0 (LOOP, tag 0)"));
  EXPECT_THAT(refusal({sync(1).post(0), halt()}), HasSubstr("E0636 word 0 (SYNC, tag 0)"));
}

TEST_F(Faults, UnitsTheChipDoesNotHaveAreRefused) {
  EXPECT_THAT(refusal({ld1(0, 64), halt()}), HasSubstr("unit 1 does not exist on this chip"));
}

}  // namespace
}  // namespace lockstep::timing::test
