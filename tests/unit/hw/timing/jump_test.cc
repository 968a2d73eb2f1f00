// Jumps one at a time: what the certificate says, and what a jump must not pass.
#include <gtest/gtest.h>

#include "hw/timing/timing_target.h"
#include "tests/unit/hw/timing/jump_equality.h"
#include "tests/unit/hw/timing/test_program.h"

namespace lockstep::timing::test {
namespace {

constexpr int64_t kStripe = 8192;

/// A transfer whose address depends on loop indices.
isa::Instr moving(WordBuilder word, std::initializer_list<isa::LoopTerm> terms) {
  auto& body = std::get<isa::DmaBody>(word.instr.body);
  std::copy(terms.begin(), terms.end(), body.hbm.loops.begin());
  return std::move(word.instr);
}

class Jump : public testing::Test {
 protected:
  /// Checks both against the walk; returns the run with jumps.
  target::RunResult run(const isa::Program& input, const target::RunOptions& options = {}) {
    JumpTotals totals;
    EXPECT_EQ(compare_jumps(chip_, input, options, memo_, totals), "");
    MemoOptions checked = memo_;
    checked.self_check = true;
    EXPECT_EQ(compare_jumps(chip_, input, options, checked, totals), "");
    target::MemoryImage image;
    return TimingTarget(chip_, memo_).run(input, image, options).value();
  }
  target::RunResult run(std::vector<isa::Instr> code, const target::RunOptions& options = {}) {
    isa::Program input = program(chip_, std::move(code));
    input.hbm_bytes = int64_t{1} << 36;
    return run(input, options);
  }

  chip::ChipSpec chip_ = small_chip();
  MemoOptions memo_{.every_boundary = true};
};

TEST_F(Jump, TripsCostNothingOnceTheLoopRecurs) {
  const auto loads = [](uint32_t trip) {
    return std::vector<isa::Instr>{loop(0, trip, 3), moving(ld(0, 512).post(0), {{0, kStripe}}), vx(8).wait(0), endloop(0), halt()};
  };
  const target::RunResult some = run(loads(2'000));
  const target::RunResult many = run(loads(200'000));
  EXPECT_EQ(some.certificate->jump_count, 1u);
  EXPECT_EQ(many.certificate->jump_count, 1u);
  EXPECT_TRUE(many.certificate->exact);
  EXPECT_EQ(many.certificate->events, 200'000u * 4);  // two bursts each
  EXPECT_EQ(many.certificate->events_simulated, some.certificate->events_simulated);
  ASSERT_EQ(many.certificate->jumps.size(), 1u);
  const target::LoopJump& jump = many.certificate->jumps[0];
  EXPECT_EQ(jump.loop_pc, 0u);
  EXPECT_EQ(jump.period, 1u);
  EXPECT_GE(jump.transient + jump.periods + 2, 200'000u);
}

TEST_F(Jump, PhasesOfTheAddressesSetThePeriod) {
  const target::RunResult result =
      run({loop(0, 5'000, 2), moving(ld(0, 512), {{0, kStripe / 4 * 3}}), endloop(0), halt()});
  ASSERT_EQ(result.certificate->jumps.size(), 1u);
  EXPECT_EQ(result.certificate->jumps[0].period % 4, 0u);
}

/// Two words of one queue in different stripes; those of the second move, those of the first stay. Every meeting of
/// the two changes the arbiter's choice.
TEST_F(Jump, StopsWhereRowStripesMeet) {
  chip_.dma.load_queues = 2;
  chip_.dma.setup_cycles = 0;  // the holder's next word is there before another queue is chosen
  for (const int64_t meets : {3, 50, 51, 500, 1999, 2000, 5000}) {
    for (const int64_t sign : {1, -1}) {
      const int64_t fixed = 10'000 * kStripe;
      const int64_t start = fixed - sign * meets * kStripe;
      const target::RunResult result = run({loop(0, 2'000, 4), ld(fixed, 256), moving(ld(start, 512), {{0, sign * kStripe}}),
                                            moving(ld1(1 << 20, 1024), {}), endloop(0), halt()});
      EXPECT_GE(result.certificate->jump_count, 1u) << meets;
    }
  }
}

/// The same with the meeting in an inner loop, brought about by the outer one. Here it shortens the iteration: MM waits
/// for the moving load, which otherwise comes after the other queue's last bursts. SYNC ends each iteration before
/// its boundary, so that nothing of the iterations jumped over is left to be simulated behind them.
TEST_F(Jump, StopsWhereRowStripesMeetInsideAnInnerJump) {
  chip_.dma.load_queues = 2;
  chip_.dma.setup_cycles = 0;
  chip_.dma.quantum = 4;
  const auto nest = [&](int64_t meets) {
    const int64_t fixed = 10'000 * kStripe;
    isa::Program input =
        program(chip_, {loop(0, 300, 8), loop(1, 100, 7), ld1(1 << 20, 2048), ld(fixed, 256),
                        moving(ld(fixed - meets * kStripe, 512).post(0), {{0, kStripe}, {1, kStripe}}),
                        mm(40).wait(0), sync(0xFFF), endloop(1), endloop(0), halt()});
    input.hbm_bytes = int64_t{1} << 36;
    return input;
  };
  const target::RunResult never = run(nest(5'000));
  EXPECT_LE(never.certificate->events_simulated, 500u);
  for (const int64_t meets : {100, 150, 199, 260, 395}) {
    const target::RunResult result = run(nest(meets));
    EXPECT_LT(result.cycles, never.cycles) << meets;
    EXPECT_GE(result.certificate->jump_count, 2u) << meets;
  }
}

TEST_F(Jump, NeverPassesTheWatchdog) {
  const std::vector<isa::Instr> code = {loop(0, 5'000, 2), moving(ld(0, 512), {{0, kStripe}}), endloop(0), halt()};
  const int64_t cycles = run(code).cycles;
  for (const int64_t limit : {cycles + 1, cycles, cycles - 1, cycles - 10, cycles / 2, int64_t{40}}) {
    target::RunOptions options;
    options.max_cycles = limit;
    EXPECT_EQ(run(code, options).fault.has_value(), limit < cycles) << limit;
  }
}

TEST_F(Jump, FindsTheAddressThatLeavesTheMemory) {
  for (const int64_t last : {10, 1000, 1999, 2000}) {
    isa::Program input = program(chip_, {loop(0, 2'000, 2), moving(ld(0, 512).tag(7), {{0, kStripe}}), endloop(0), halt()});
    input.hbm_bytes = (last - 1) * kStripe + 512;  // iterations 0 .. last - 1
    const target::RunResult result = run(input);
    EXPECT_EQ(result.fault.has_value(), last < 2000) << last;
    if (result.fault) {
      EXPECT_EQ(result.fault->code, "F-HBM-RANGE");
      EXPECT_EQ(result.fault->tag, 7u);
    }
  }
}

TEST_F(Jump, FindsTheSemaphoreThatOverflows) {
  const target::RunResult result = run({loop(0, 2'000, 2), mm(4).post(0), endloop(0), halt()});
  ASSERT_TRUE(result.fault.has_value());
  EXPECT_EQ(result.fault->code, "F-SEM-OVERFLOW");
  EXPECT_EQ(result.certificate->jump_count, 0u);
}

TEST_F(Jump, EmptyBodiesAndSyncs) {
  EXPECT_GE(run({loop(0, 4'000, 3), mm(7), sync(0xFFF), endloop(0), halt()}).certificate->jump_count, 1u);
  memo_ = {};
  EXPECT_GE(run({mm(3000), loop(0, 1'000'000, 2), endloop(0), halt()}).certificate->jump_count, 1u);
}

TEST_F(Jump, SaysWhyItDoesNot) {
  const std::vector<isa::Instr> code = {loop(0, 9, 2), moving(ld(0, 512), {{0, 32}}), endloop(0), halt()};
  const target::RunResult phases = run(code);
  ASSERT_EQ(phases.certificate->fallbacks.size(), 1u);
  EXPECT_EQ(phases.certificate->fallbacks[0], "loop at word 0: its address phases recur after 256 iterations, it has 9");
  EXPECT_EQ(phases.certificate->events_simulated, phases.certificate->events);
  target::RunOptions recorded;
  recorded.record_events = true;
  target::MemoryImage image;
  const auto walked = TimingTarget(chip_).run(program(chip_, code), image, recorded).value();
  ASSERT_EQ(walked.certificate->fallbacks.size(), 1u);
  EXPECT_EQ(walked.certificate->fallbacks[0], "events are recorded");
}

TEST_F(Jump, AMemoryCapDropsStatesAndNoResult) {
  memo_.max_bytes = 2'000;
  std::vector<isa::Instr> code = {loop(0, 40, 5), loop(1, 40, 4), moving(ld(0, 512), {{1, 256}}), mm(100), endloop(1),
                                  endloop(0), halt()};
  const target::RunResult result = run(code);
  ASSERT_FALSE(result.certificate->fallbacks.empty());
  EXPECT_NE(result.certificate->fallbacks.back().find("at the memory cap"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::timing::test
