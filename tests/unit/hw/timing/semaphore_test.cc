// SEM-1/2/3 and ISS-1 by hand. A WLD issued in 1 has source_free 6 and done 9.
#include "tests/unit/hw/timing/hand_computed.h"

namespace lockstep::timing::test {
namespace {

using Semaphore = HandComputed;

// SEM-3: a post of event cycle e satisfies a wait from e + 1 on.
TEST_F(Semaphore, Sem3APostOfCycleEIsSeenInEPlusOne) {
  auto r = run({wld().post(0, kAtSourceFree), mm(1).wait(0), halt()});
  EXPECT_EQ(times(r, isa::kWld0, 0), (Three{1, 6, 9}));
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{7}));
  r = run({wld().post(0, kAtDone), mm(1).wait(0), halt()});
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{10}));
}

// ISS-1: blocked while one of two is missing: WLD source_free in 6, VX (issued in 2) done in 22.
TEST_F(Semaphore, Iss1BothWaitsAreTestedTogether) {
  const auto r = run({wld().post(0, kAtSourceFree), vx(8).post(1), mm(1).wait(0).wait(1), halt()});
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{23}));
}

// ISS-1: a word whose other wait is missing consumes nothing. MM 0 waits for the VX of 22; MM 1 takes the second
// token of semaphore 0 right behind it (La = 2).
TEST_F(Semaphore, Iss1TokensAreConsumedAtIssue) {
  isa::Program p = program(chip_, {vx(8).post(1), mm(1).wait(0).wait(1), mm(1).wait(0), halt()});
  p.semaphores[0] = 2;
  const auto r = run(p);
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{22, 24}));
}

// SEM-2: start counts of the header, and a wait for more than one token: 1 + the post in 6.
TEST_F(Semaphore, Sem2StartCountsAndCountsAboveOne) {
  isa::Program p = program(chip_, {wld().post(0, kAtSourceFree), mm(1).wait(0, 2), halt()});
  p.semaphores[0] = 1;
  EXPECT_EQ(issues(run(p), isa::kMm0), (Cycles{7}));
  p.semaphores[0] = 2;
  EXPECT_EQ(issues(run(p), isa::kMm0), (Cycles{2}));
  isa::Program two = program(chip_, {wld().post(0, kAtSourceFree, 2), mm(1).wait(0, 2), halt()});
  EXPECT_EQ(issues(run(two), isa::kMm0), (Cycles{7}));
}

// ISS-1: the n-th token serves the n-th wait. The WLDs issue in 1 and, after the switch of MM 0 in 2, in 5 (their
// occupancy is 4): source_free 6 and 10.
TEST_F(Semaphore, Iss1TokensServeInOrder) {
  const auto r = run({wld().post(0, kAtSourceFree), mm(1, true), wld().post(0, kAtSourceFree), mm(1).wait(0),
                      mm(1).wait(0), halt()});
  EXPECT_EQ(issues(r, isa::kWld0), (Cycles{1, 5}));
  EXPECT_EQ(issues(r, isa::kMm0), (Cycles{2, 7, 11}));
}

// A word may wait for a post of its own engine.
TEST_F(Semaphore, AnEngineMayWaitForItself) {
  const auto r = run({vx(8).post(3), vx(0).wait(3), halt()});
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{1, 22}));
}

/// `idle` words of one cycle each, then the MM that takes a token, while semaphore 0 starts at 255 and the WLD posts
/// in 9. The MM is dispatched in 1 + idle and issues a cycle later.
isa::Program brim(const chip::ChipSpec& chip, int idle) {
  std::vector<isa::Instr> code = {wld().post(0, kAtDone).tag(77)};
  for (int k = 0; k < idle; ++k) code.push_back(sync(0));
  code.push_back(mm(1).wait(0));
  code.push_back(halt());
  isa::Program p = program(chip, std::move(code));
  p.semaphores[0] = 255;
  return p;
}

// SEM-2: the counter of a cycle's end counts: a wait consumed in the cycle of the post makes room for it.
TEST_F(Semaphore, Sem2OverflowIsJudgedAtTheEndOfTheCycle) {
  EXPECT_FALSE(run(brim(chip_, 7)).fault);  // MM issues in 9
  const auto r = run(brim(chip_, 8));       // MM would issue in 10
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->code, "F-SEM-OVERFLOW");
  EXPECT_EQ(r.fault->cycle, 9);
  EXPECT_EQ(r.fault->tag, 77u);
}

TEST_F(Semaphore, Sem2OverflowOfASemaphoreNobodyVisitsAgainIsFoundAtHalt) {
  isa::Program p = program(chip_, {wld().post(9, kAtSourceFree).tag(5), halt()});
  p.semaphores[9] = 255;
  const auto r = run(p);
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->cycle, 6);
  EXPECT_EQ(r.fault->tag, 5u);
  EXPECT_EQ(r.cycles, 0);
}

// The earliest of several faults counts: the overflow in 6 comes before the range fault of the LD dispatched in 24.
TEST_F(Semaphore, TheEarliestFaultWins) {
  isa::Program p = program(chip_, {wld().post(9, kAtSourceFree), vx(8), sync(0xFFF), sync(0), ld(1 << 24, 64), halt()});
  p.semaphores[9] = 255;
  const auto r = run(p);
  ASSERT_TRUE(r.fault);
  EXPECT_EQ(r.fault->code, "F-SEM-OVERFLOW");
  EXPECT_EQ(r.fault->cycle, 6);
  p.semaphores[9] = 0;
  const auto range = run(p);
  ASSERT_TRUE(range.fault);
  EXPECT_EQ(range.fault->code, "F-HBM-RANGE");
  EXPECT_EQ(range.fault->cycle, 24);
}

}  // namespace
}  // namespace lockstep::timing::test
