// SEQ-3, SEQ-4, SEQ-5 by hand on the chip of test_program.h. A VX of 8 rows and one chunk occupies 20 cycles.
#include "tests/unit/hw/timing/hand_computed.h"

namespace lockstep::timing::test {
namespace {

using Sequencer = HandComputed;

// SEQ-3: LOOP 0, then body and ENDLOOP alternate: bodies in 1, 3, 5, HALT in 7.
TEST_F(Sequencer, Seq3EveryWordOfALoopTakesOneCycle) {
  const auto r = run({loop(0, 3, 2), vx(0), endloop(0), halt()});
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{1, 3, 5}));
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{2, 4, 6}));
  EXPECT_EQ(instr(r, isa::kSequencer, 0).dispatch, 7);
  EXPECT_EQ(instr(r, isa::kSequencer, 0).done, 7);
  EXPECT_EQ(r.cycles, 8);
  EXPECT_EQ(r.counters.words, 8u);
}

// SEQ-3: a LOOP with trip 0 spends its own cycle; the word behind the ENDLOOP comes next.
TEST_F(Sequencer, Seq3TripZeroSkipsTheBody) {
  const auto r = run({loop(0, 0, 2), vx(8), endloop(0), vx(0), halt()});
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{1}));
  EXPECT_EQ(instr(r, isa::kVx0, 0).pc, 3u);
  EXPECT_EQ(instr(r, isa::kSequencer, 0).dispatch, 2);
  EXPECT_EQ(r.counters.words, 3u);
}

// SEQ-3: two outer trips around an inner loop of trip 0 and one word: LOOPs in 0, 1, word in 2, ENDLOOP in 3,
// inner LOOP in 4, word in 5, ENDLOOP in 6, HALT in 7.
TEST_F(Sequencer, Seq3AnInnerLoopOfTripZeroCostsOneCyclePerOuterTrip) {
  const auto r = run({loop(0, 2, 5), loop(1, 0, 3), vx(8), endloop(1), vx(0), endloop(0), halt()});
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{2, 5}));
  EXPECT_EQ(instr(r, isa::kSequencer, 0).dispatch, 7);
}

// SEQ-3: the index counts from 0 in every visit: outer stride 0x10000, inner stride 0x1000, checked by the range of
// the last address, 1 * 0x10000 + 2 * 0x1000 + 64.
TEST_F(Sequencer, Seq3IndicesFormAddressesAndRestart) {
  const auto nest = [] {
    WordBuilder load = ld(0, 64);
    auto& body = std::get<isa::DmaBody>(load.instr.body);
    body.hbm.loops[0] = {0, 0x10000};
    body.hbm.loops[2] = {1, 0x1000};
    return std::vector<isa::Instr>{loop(0, 2, 4), loop(1, 3, 3), std::move(load), endloop(1), endloop(0), halt()};
  };
  isa::Program exact = program(chip_, nest());
  exact.hbm_bytes = 0x12000 + 64;
  EXPECT_FALSE(run(exact).fault);
  exact.hbm_bytes -= 1;
  const auto r = run(exact);
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->code, "F-HBM-RANGE");
  // The sixth LD: LOOP, LOOP, LD in 2, 4, 6, ENDLOOPs in 7 and 8, LOOP in 9, LD in 10, 12 ... unless its queue of
  // four is full. LDs issue in 3, 8, 13, 18 ... (setup 4, one grant, next issue): five are dispatched by 12, of
  // which two have issued; the sixth finds three in the queue in 14.
  EXPECT_EQ(r.fault->cycle, 14);
}

// SEQ-4, depth 4: words 1..4 fill the queue while word 0 runs from 1 to 21; a place is free the cycle after an issue.
TEST_F(Sequencer, Seq4AFullQueueBlocksUntilTheCycleAfterAnIssue) {
  const auto r = run({vx(8), vx(8), vx(8), vx(8), vx(8), vx(8), vx(8), halt()});
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{0, 1, 2, 3, 4, 22, 42}));
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{1, 21, 41, 61, 81, 101, 121}));
}

// SEQ-4, depth 1: word 1 finds word 0, issuing in 1, still in its place at the start of 1.
TEST_F(Sequencer, Seq4DepthOneIsJudgedAtTheStartOfTheCycle) {
  chip_.queue_depth.vx = 1;
  const auto r = run({vx(8), vx(8), vx(8), halt()});
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{0, 2, 22}));
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{1, 21, 41}));
}

// SEQ-4: dispatch is in order; the WLD behind a blocked VX waits although its own queue is empty.
TEST_F(Sequencer, Seq4AWordThatCannotGoBlocksAllBehindIt) {
  chip_.queue_depth.vx = 1;
  const auto r = run({vx(8), vx(8), vx(8), wld(), halt()});
  EXPECT_EQ(dispatches(r, isa::kWld0), (Cycles{23}));
}

// SEQ-5: the VX is done in 21. SYNC over VX, reached in 2, has done = 21; the next word goes in 22.
TEST_F(Sequencer, Seq5SyncWaitsForTheMaskedEngines) {
  const auto r = run({vx(8), wld(), sync(1u << isa::kVx0), vx(0), halt()});
  EXPECT_EQ(instr(r, isa::kSequencer, 0).dispatch, 2);
  EXPECT_EQ(instr(r, isa::kSequencer, 0).issue, -1);
  EXPECT_EQ(instr(r, isa::kSequencer, 0).source_free, -1);
  EXPECT_EQ(instr(r, isa::kSequencer, 0).done, 21);
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{0, 22}));
}

// SEQ-5: the WLD issues in 2 and is done in 10; an engine outside the mask does not count.
TEST_F(Sequencer, Seq5SyncIgnoresOtherEngines) {
  const auto r = run({vx(8), wld(), sync(1u << isa::kWld0), vx(0), halt()});
  EXPECT_EQ(instr(r, isa::kSequencer, 0).done, 10);
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{0, 11}));
}

TEST_F(Sequencer, Seq5SyncOverNothingTakesOneCycle) {
  const auto r = run({vx(8), sync(0), sync(1u << isa::kMm0), halt()});
  EXPECT_EQ(instr(r, isa::kSequencer, 0).done, 1);
  EXPECT_EQ(instr(r, isa::kSequencer, 1).done, 2);
  EXPECT_EQ(instr(r, isa::kSequencer, 2).dispatch, 3);
}

// SEQ-5: HALT is SYNC over all engines; cycles = done + 1.
TEST_F(Sequencer, Seq5HaltWaitsForEveryEngine) {
  const auto r = run({wld(), vx(8), halt()});
  EXPECT_EQ(instr(r, isa::kSequencer, 0).dispatch, 2);
  EXPECT_EQ(instr(r, isa::kSequencer, 0).done, 22);
  EXPECT_EQ(r.cycles, 23);
}

TEST_F(Sequencer, Seq5AnEmptyProgramTakesOneCycle) {
  const auto r = run({halt()});
  EXPECT_EQ(r.cycles, 1);
  EXPECT_EQ(r.counters.words, 1u);
}

// SEQ-5: SYNC over a load waits for its last beat, not for its last grant. LD of 256 bytes: done 24 (dma_test).
TEST_F(Sequencer, Seq5SyncWaitsForTheBeatsOfALoad) {
  const auto r = run({ld(0, 256), sync(1u << isa::kLd0), vx(0), halt()});
  EXPECT_EQ(instr(r, isa::kSequencer, 0).done, 24);
  EXPECT_EQ(dispatches(r, isa::kVx0), (Cycles{25}));
}

}  // namespace
}  // namespace lockstep::timing::test
