// Every figure here was computed by hand from docs/timing.md for the bench's core: R = C = 8, b = 2, Lv = La = 2,
// 8 lanes, one VX row per cycle (I = 8), beats of 32 bytes, bursts of 1,024 bytes, set-up 4, memory latency 20.
#include <gtest/gtest.h>

#include "tests/rtl/core/core_bench.h"
#include "tests/rtl/core/core_words.h"

namespace lockstep::rtl_test {
namespace {

using isa::Instr;
using target::BurstEvent;

/// {dispatch, issue, source_free, done} of word n of an engine.
std::array<int64_t, 4> times(const RunLog& log, isa::EngineId engine, size_t n = 0) {
  const target::InstrEvent& e = log.events.instrs.at(target::log_index(engine)).at(n);
  return {e.dispatch, e.issue, e.source_free, e.done};
}
using Times = std::array<int64_t, 4>;

/// {grant, first beat, last beat} of burst n.
std::array<int64_t, 3> burst(const RunLog& log, isa::EngineId engine, size_t n) {
  const BurstEvent& e = log.events.bursts.at(engine).at(n);
  return {e.grant, e.first_beat, e.last_beat};
}
using Beats = std::array<int64_t, 3>;

class CoreTiming : public testing::Test {
 protected:
  CoreBench bench;
};

TEST_F(CoreTiming, a_lone_halt_takes_one_cycle_SEQ_5) {
  const RunLog log = bench.run({halt()});
  EXPECT_EQ(times(log, isa::kSequencer), (Times{0, -1, -1, 0}));
  EXPECT_EQ(log.cycles, 1);
}

TEST_F(CoreTiming, one_load_burst_DMA_2_DMA_4) {
  const RunLog log = bench.run({ld(0, 0, 1024), halt()});
  EXPECT_EQ(times(log, isa::kLd0), (Times{0, 1, 5, 58}));       // grant 5, arrival 6, v 26
  EXPECT_EQ(burst(log, isa::kLd0, 0), (Beats{5, 27, 58}));
  EXPECT_EQ(times(log, isa::kSequencer), (Times{1, -1, -1, 58}));
  EXPECT_EQ(log.cycles, 59);
  EXPECT_EQ(log.busy_cycles[isa::kLd0], 5u);                    // issue 1 .. last grant 5
}

TEST_F(CoreTiming, a_run_is_cut_at_burst_boundaries_DMA_1) {
  const RunLog log = bench.run({ld(512, 0, 2048), halt()});
  const std::vector<Grant> expected = {{5, 0, 512, 512}, {6, 0, 1024, 1024}, {7, 0, 2048, 512}};
  EXPECT_EQ(log.grants, expected);
  EXPECT_EQ(burst(log, isa::kLd0, 0), (Beats{5, 27, 42}));
  EXPECT_EQ(burst(log, isa::kLd0, 1), (Beats{6, 43, 74}));
  EXPECT_EQ(burst(log, isa::kLd0, 2), (Beats{7, 75, 90}));
}

TEST_F(CoreTiming, runs_and_repetitions_walk_both_strides_DMA_1) {
  Instr word = ld(0, 0, 64, 2, 4096);
  auto& body = std::get<isa::DmaBody>(word.body);
  body.reps.imm = 2;
  body.hbm_shape.stride2_bytes = 128;
  body.vmem_shape.stride2_bytes = 128;
  const RunLog log = bench.run({word, halt()});
  const std::vector<Grant> expected = {{5, 0, 0, 64}, {6, 0, 4096, 64}, {7, 0, 128, 64}, {8, 0, 4224, 64}};
  EXPECT_EQ(log.grants, expected);
}

TEST_F(CoreTiming, the_next_descriptor_issues_behind_the_last_grant_DMA_2) {
  const RunLog log = bench.run({ld(0, 0, 1024), ld(1024, 1024, 1024), halt()});
  EXPECT_EQ(times(log, isa::kLd0, 1), (Times{1, 6, 10, 90}));
  EXPECT_EQ(burst(log, isa::kLd0, 1), (Beats{10, 59, 90}));
}

TEST_F(CoreTiming, a_store_reads_then_arrives_DMA_4) {
  const RunLog log = bench.run({st(0, 0, 2048), halt()});
  EXPECT_EQ(burst(log, isa::kSt0, 0), (Beats{5, 6, 37}));
  EXPECT_EQ(burst(log, isa::kSt0, 1), (Beats{6, 38, 69}));
  EXPECT_EQ(times(log, isa::kSt0), (Times{0, 1, 71, 71}));
}

TEST_F(CoreTiming, zero_length_transfers_are_markers_DMA_6) {
  RunLog log = bench.run({ld(0, 0, 0), halt()});
  EXPECT_EQ(times(log, isa::kLd0), (Times{0, 1, 1, 2}));
  log = bench.run({ld(0, 0, 1024), ld(0, 0, 0), halt()});
  EXPECT_EQ(times(log, isa::kLd0, 1), (Times{1, 6, 6, 59}));
  log = bench.run({st(0, 0, 0), halt()});
  EXPECT_EQ(times(log, isa::kSt0), (Times{0, 1, 4, 4}));
  log = bench.run({st(0, 0, 64), st(0, 0, 64, 0), halt()});
  EXPECT_EQ(times(log, isa::kSt0, 0), (Times{0, 1, 9, 9}));
  EXPECT_EQ(times(log, isa::kSt0, 1), (Times{1, 6, 10, 10}));
}

TEST_F(CoreTiming, the_window_holds_back_grants_and_markers_DMA_6) {
  bench.limits.max_outstanding = 2;
  RunLog log = bench.run({ld(0, 0, 4096), halt()});
  EXPECT_EQ(burst(log, isa::kLd0, 1), (Beats{6, 59, 90}));
  EXPECT_EQ(burst(log, isa::kLd0, 2)[0], 59);  // the entry of the burst that ended in 58
  EXPECT_EQ(burst(log, isa::kLd0, 3)[0], 91);
  log = bench.run({ld(0, 0, 2048), ld(0, 0, 0), halt()});
  EXPECT_EQ(times(log, isa::kLd0, 1), (Times{1, 59, 59, 91}));
}

TEST_F(CoreTiming, withheld_command_slots_delay_the_grant_DMA_3) {
  bench.behaviour.slot_free = [](int64_t cycle) { return cycle >= 10; };
  const RunLog log = bench.run({ld(0, 0, 1024), halt()});
  EXPECT_EQ(burst(log, isa::kLd0, 0), (Beats{10, 32, 63}));
}

std::vector<int> grant_engines(const RunLog& log) {
  std::vector<int> out;
  for (const Grant& grant : log.grants) out.push_back(grant.engine);
  return out;
}

TEST_F(CoreTiming, the_holder_keeps_the_grant_for_its_quantum_DMA_3) {
  bench.limits.quantum = 2;
  const RunLog log = bench.run({ld(0, 0, 4096), st(8192, 4096, 4096), halt()});
  EXPECT_EQ(grant_engines(log), (std::vector<int>{0, 0, 2, 2, 0, 0, 2, 2}));
  EXPECT_EQ(log.grants.front().cycle, 5);
  EXPECT_EQ(log.grants.back().cycle, 12);
}

TEST_F(CoreTiming, the_holder_loses_the_grant_at_a_stripe_DMA_3) {
  bench.limits.stripe_log2 = 11;
  const RunLog log = bench.run({ld(0, 0, 4096), st(8192, 4096, 4096), halt()});
  EXPECT_EQ(grant_engines(log), (std::vector<int>{0, 0, 2, 2, 0, 0, 2, 2}));
}

TEST_F(CoreTiming, weight_load_and_matmul_MXU_5) {
  const RunLog log = bench.run({wld(0), mm(64, 0, 8), halt()});
  EXPECT_EQ(times(log, isa::kWld0), (Times{0, 1, 6, 9}));
  EXPECT_EQ(times(log, isa::kMm0), (Times{1, 2, 11, 19}));
  EXPECT_EQ(log.cycles, 20);
  EXPECT_EQ(log.macs, 8u * 64u);
  EXPECT_EQ(log.busy_cycles[isa::kWld0], 4u);
  EXPECT_EQ(log.busy_cycles[isa::kMm0], 8u);
}

TEST_F(CoreTiming, planes_alternate_MXU_2) {
  RunLog log = bench.run({wld(0), mm(64, 0, 8), wld(0), mm(64, 8, 8), halt()});
  EXPECT_EQ(times(log, isa::kWld0, 1)[1], 5);   // its own occupancy of 4 behind the issue in 1
  EXPECT_EQ(times(log, isa::kMm0, 1)[1], 10);   // eight rows behind the issue in 2
  log = bench.run({wld(0), mm(64, 0, 1), wld(0), mm(64, 8, 1), halt()});
  EXPECT_EQ(times(log, isa::kMm0, 1)[1], 6);    // pending set in 5
  log = bench.run({wld(0), mm(64, 0, 0), mm(64, 8, 0, true, false), halt()});
  EXPECT_EQ(times(log, isa::kMm0, 0), (Times{1, 2, 4, 12}));  // M = 0 posts as M' = 1
  EXPECT_EQ(times(log, isa::kMm0, 1)[1], 4);                  // and occupies La
}

TEST_F(CoreTiming, copy_kernel_VX_1_VX_2) {
  RunLog log = bench.run({vx(0, 0, 8), halt()});
  EXPECT_EQ(times(log, isa::kVx0), (Times{0, 1, 13, 21}));
  EXPECT_EQ(log.busy_cycles[isa::kVx0], 20u);
  log = bench.run({vx(0, 0, 9), vx(0, 0, 0), halt()});
  EXPECT_EQ(times(log, isa::kVx0, 0), (Times{0, 1, 29, 37}));
  EXPECT_EQ(times(log, isa::kVx0, 1), (Times{1, 37, 38, 38}));
  bench.limits.vx_load_latency = 10;
  bench.limits.vx_store_latency = 9;
  log = bench.run({vx(0, 0, 1), halt()});
  EXPECT_EQ(times(log, isa::kVx0), (Times{0, 1, 15, 24}));
}

TEST_F(CoreTiming, a_post_is_seen_one_cycle_later_SEM_3) {
  RunLog log = bench.run({post(ld(0, 0, 1024), 3, kDone), wait(wld(0), 3), halt()});
  EXPECT_EQ(times(log, isa::kWld0), (Times{1, 59, 64, 67}));
  log = bench.run({post(ld(0, 0, 1024), 3, kSourceFree), wait(wld(0), 3), halt()});
  EXPECT_EQ(times(log, isa::kWld0)[1], 6);
}

TEST_F(CoreTiming, both_waits_are_taken_together_SEM_1) {
  isa::Program program = program_of({post(ld(0, 0, 1024), 1, kDone), wait(wait(wld(0), 1), 2, 3), halt()});
  program.semaphores[2] = 3;
  EXPECT_EQ(times(bench.run(program), isa::kWld0)[1], 59);
  // Two posts of one word and a wait in between: 2 of 3 tokens are not enough.
  program.semaphores[2] = 0;
  program.code = {post(post(ld(0, 0, 1024), 2, kSourceFree, 2), 1, kDone), post(ld(0, 0, 0), 2, kDone), wait(wld(0), 2, 3), halt()};
  EXPECT_EQ(times(bench.run(program), isa::kWld0)[1], 60);  // the marker is done in 59
}

TEST_F(CoreTiming, a_queue_place_is_free_one_cycle_after_the_issue_SEQ_4) {
  bench.limits.depth = 1;
  const RunLog log = bench.run({ld(0, 0, 1024), ld(0, 0, 1024), ld(0, 0, 1024), halt()});
  EXPECT_EQ(times(log, isa::kLd0, 1)[0], 2);
  EXPECT_EQ(times(log, isa::kLd0, 1)[1], 6);
  EXPECT_EQ(times(log, isa::kLd0, 2)[0], 7);
  EXPECT_EQ(times(log, isa::kSequencer)[0], 8);
}

TEST_F(CoreTiming, sync_waits_for_its_engines_only_SEQ_5) {
  // LD done 58; the store before it is done in 71.
  const RunLog log = bench.run({st(0, 0, 2048), ld(4096, 4096, 32), sync(1u << isa::kLd0), sync(1u << isa::kSt0), halt()});
  const int64_t ld_done = times(log, isa::kLd0)[3];
  EXPECT_EQ(times(log, isa::kSequencer, 0), (Times{2, -1, -1, ld_done}));
  EXPECT_EQ(times(log, isa::kSequencer, 1), (Times{ld_done + 1, -1, -1, 71}));
  EXPECT_EQ(times(log, isa::kSequencer, 2), (Times{72, -1, -1, 72}));
}

TEST_F(CoreTiming, every_word_takes_one_cycle_in_loops_SEQ_3) {
  RunLog log = bench.run({loop(0, 2, 4), loop(1, 3, 3), ld(0, 0, 0), endloop(1), endloop(0), halt()});
  std::vector<int64_t> dispatches;
  for (const auto& event : log.events.instrs[isa::kLd0]) dispatches.push_back(event.dispatch);
  EXPECT_EQ(dispatches, (std::vector<int64_t>{2, 4, 6, 10, 12, 14}));
  EXPECT_EQ(times(log, isa::kSequencer)[0], 17);
  log = bench.run({loop(0, 2, 4), loop(1, 0, 3), ld(0, 0, 0), endloop(1), endloop(0), halt()});
  EXPECT_TRUE(log.events.instrs[isa::kLd0].empty());
  EXPECT_EQ(times(log, isa::kSequencer)[0], 5);
}

}  // namespace
}  // namespace lockstep::rtl_test
