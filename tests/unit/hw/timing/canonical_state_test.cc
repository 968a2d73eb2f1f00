// The table of canonical_state.h, line by line: what can influence the future changes the key, down to the last cycle
// that counts; what cannot does not.
#include <algorithm>

#include <gtest/gtest.h>

#include "hw/timing/canonical_state.h"
#include "tests/unit/hw/timing/test_program.h"

namespace lockstep::timing::test {
namespace {

constexpr int64_t kNow = 1000;

isa::Instr moving(WordBuilder word, int64_t stride) {
  std::get<isa::DmaBody>(word.instr.body).hbm.loops[0] = {0, stride};
  return std::move(word.instr);
}

/// LOOP of 100 at word 1 with loads (words 2, 3), a store (4) and compute; word 0 is a load of before the loop.
class CanonicalState : public testing::Test {
 protected:
  CanonicalState()
      : program_(program(chip_, {ld(0, 256), loop(0, 100, 7), moving(ld(4096, 512).post(0), 2048),
                                 moving(ld(0, 512), 8192), moving(st(65536, 256).post(1), 256), vx(8).wait(0).wait(1),
                                 mm(4), endloop(0), halt()})),
        config_(make_machine_config(chip_).value()),
        prepared_(prepare(program_, config_).value()),
        loops_(prepared_, config_),
        state_(config_.dram) {
    for (EngineState& engine : state_.engines) engine.queue = RingBuffer<QueuedWord>(4);
    for (DmaState& dma : state_.dma) dma.window.assign(static_cast<size_t>(config_.max_outstanding), -1);
    state_.sequencer.cycle = kNow;
    state_.sequencer.indices[0] = 5;
    request_ready_.fill(kNever);
  }

  std::vector<int64_t> key() const {
    std::vector<int64_t> out;
    valid_ = write_key({prepared_, config_, state_, request_ready_, loops_.loops()[0]}, out);
    return out;
  }

  /// The key with `place` set to `value`.
  std::vector<int64_t> with(int64_t& place, int64_t value) const {
    const int64_t old = place;
    place = value;
    std::vector<int64_t> out = key();
    place = old;
    return out;
  }

  void expect_counts_after(int64_t& place, int64_t floor) const {
    EXPECT_EQ(with(place, floor), with(place, floor - 1));
    EXPECT_EQ(with(place, floor), with(place, floor - 900));
    EXPECT_NE(with(place, floor), with(place, floor + 1));
    EXPECT_NE(with(place, floor + 1), with(place, floor + 2));
  }
  void expect_counts_always(int64_t& place) const {
    EXPECT_NE(with(place, kNow - 50), with(place, kNow - 51));
    EXPECT_NE(with(place, kNow + 50), with(place, kNow + 51));
  }
  void expect_dead(int64_t& place) const { EXPECT_EQ(with(place, kNow - 1), with(place, kNow - 400)); }

  template <typename T>
  void expect_value_counts(T& place, T other) const {
    const std::vector<int64_t> before = key();
    const T old = place;
    place = other;
    EXPECT_NE(key(), before);
    place = old;
    EXPECT_EQ(key(), before);
  }

  DmaState& transfer(size_t queue, uint32_t pc) {
    DmaState& dma = state_.dma[queue];
    dma.active = true;
    dma.word.pc = pc;
    dma.address = dma.run_address = dma.outer_address = 8192;
    dma.bytes = 256;
    dma.run_left = 512;
    state_.engines[queue].free_cycle = kNever;
    request_ready_[queue] = kNow + 3;
    return dma;
  }

  const chip::ChipSpec chip_ = small_chip();
  const isa::Program program_;
  const MachineConfig config_;
  const StaticProgram prepared_;
  const LoopTable loops_;
  MachineState state_;
  std::array<int64_t, kDmaSlots> request_ready_;
  mutable bool valid_ = false;
};

TEST_F(CanonicalState, AddressPhasesEnterThroughTheIndex) {
  // Strides 2,048, 8,192 and 256 against row stripes of 8,192: 32 iterations.
  ASSERT_EQ(loops_.loops()[0].phase_period, 32);
  const std::vector<int64_t> before = key();
  state_.sequencer.indices[0] = 6;
  EXPECT_NE(key(), before);
  state_.sequencer.indices[0] = 5 + 32;
  EXPECT_EQ(key(), before);
}

TEST_F(CanonicalState, EngineTimes) {
  for (EngineState& engine : state_.engines) {
    expect_counts_after(engine.free_cycle, kNow);
    expect_counts_after(engine.last_done, kNow);
  }
  for (size_t q = 0; q < kDmaSlots; ++q) EXPECT_NE(with(state_.engines[q].free_cycle, kNever), key());
  expect_dead(state_.plane.changed);
  expect_value_counts(state_.plane.pending, true);
}

TEST_F(CanonicalState, QueuedWords) {
  const std::vector<int64_t> empty = key();
  RingBuffer<QueuedWord>& queue = state_.engines[kSlotLd0].queue;
  queue.push_back({kNow - 5, 4096 + 5 * 2048, 2});
  EXPECT_NE(key(), empty);
  expect_dead(queue[0].dispatch);
  expect_value_counts(queue[0].hbm_address, int64_t{4096 + 4 * 2048});
  expect_value_counts(queue[0].pc, uint32_t{3});
  const std::vector<int64_t> one = key();
  queue.push_back({kNow - 4, 5 * 8192, 3});
  EXPECT_NE(key(), one);
  RingBuffer<QueuedWord>& compute = state_.engines[kSlotVx0].queue;
  compute.push_back({kNow - 4, 0, 5});
  expect_value_counts(compute[0].pc, 6u);
  // The same words in other queues are another state.
  compute[0].pc = 0;
  const std::vector<int64_t> vx = key();
  compute.pop_front();
  state_.engines[kSlotMm0].queue.push_back({kNow - 4, 0, 0});
  EXPECT_NE(key(), vx);
}

TEST_F(CanonicalState, AddressesMoveWithTheLoopsWordsOnly) {
  state_.engines[kSlotLd0].queue.push_back({0, 4096 + 5 * 2048, 2});
  const std::vector<int64_t> before = key();
  state_.sequencer.indices[0] += 32;
  EXPECT_NE(key(), before);
  state_.engines[kSlotLd0].queue[0].hbm_address += 32 * 2048;
  EXPECT_EQ(key(), before);
  // The same with a word of before the loop: it stays.
  state_.engines[kSlotLd0].queue[0] = {0, 0, 0};
  const std::vector<int64_t> earlier = key();
  state_.sequencer.indices[0] += 32;
  EXPECT_EQ(key(), earlier);
  expect_value_counts(state_.engines[kSlotLd0].queue[0].hbm_address, int64_t{8192});
}

TEST_F(CanonicalState, Semaphores) {
  SemaphoreState& semaphore = state_.semaphores[0];
  expect_value_counts(semaphore.value, 1);
  const std::vector<int64_t> none = key();
  semaphore.pending.push_back({kNow - 1, 2, 1});
  EXPECT_NE(key(), none);
  const std::vector<int64_t> due = key();
  semaphore.pending.pop_front();
  semaphore.value = 1;
  EXPECT_EQ(key(), due);  // a post of before the boundary is part of the value
  semaphore.value = 0;
  semaphore.pending.push_back({kNow, 2, 1});
  EXPECT_NE(key(), due);  // one of the boundary's cycle is not: waits see it in the next one
  expect_counts_after(semaphore.pending[0].cycle, kNow - 1);
  expect_value_counts(semaphore.pending[0].pc, uint32_t{3});
  expect_value_counts(semaphore.pending[0].count, 2);
  semaphore.value = 255;
  key();
  EXPECT_TRUE(valid_);
  semaphore.pending[0].cycle = kNow - 1;
  key();
  EXPECT_FALSE(valid_);  // F-SEM-OVERFLOW in the cycle before: nothing to jump from
}

TEST_F(CanonicalState, ElementOrderAndWindow) {
  expect_counts_after(state_.dma[kSlotLd0].last_end, kNow);
  expect_counts_after(state_.dma[kSlotLd1].last_end, kNow);
  expect_counts_after(state_.dma[kSlotSt0].last_beat, kNow);
  expect_dead(state_.dma[kSlotLd0].last_beat);
  expect_dead(state_.dma[kSlotSt0].last_end);
  for (DmaState& dma : state_.dma) {
    expect_counts_after(dma.window.back(), kNow - 1);  // the newest element
    dma.window.back() = kNow + 40;
    expect_counts_after(dma.window[dma.window.size() - 2], kNow - 1);
  }
  // The ring may begin anywhere.
  std::vector<int64_t>& window = state_.dma[0].window;
  const std::vector<int64_t> before = key();
  std::rotate(window.begin(), window.begin() + 3, window.end());
  state_.dma[0].window_place = static_cast<int>(window.size()) - 3;
  EXPECT_EQ(key(), before);
}

TEST_F(CanonicalState, TransferInProgress) {
  for (const auto& [queue, pc] : {std::pair<size_t, uint32_t>{kSlotLd0, 2}, {kSlotLd1, 3}, {kSlotSt0, 4}}) {
    const std::vector<int64_t> idle = key();
    DmaState& dma = transfer(queue, pc);
    EXPECT_NE(key(), idle);
    expect_counts_after(request_ready_[queue], kNow);
    expect_counts_always(dma.issue);
    expect_counts_always(dma.address);
    expect_counts_always(dma.bytes);
    expect_counts_always(dma.run_left);
    expect_counts_always(dma.run_address);
    expect_counts_always(dma.outer_address);
    expect_value_counts(dma.runs_left, 1u);
    expect_value_counts(dma.reps_left, 1u);
    dma.word.pc = 0;
    expect_value_counts(dma.word.pc, 8u);  // neither is a word of the loop: the addresses stay as they are
  }
}

TEST_F(CanonicalState, Arbiter) {
  ArbiterState& arbiter = state_.arbiter;
  expect_value_counts(arbiter.holder, 1);
  arbiter = {.holder = 0, .quantum = 1, .last_stripe = 7, .last_pc = 3};
  expect_value_counts(arbiter.holder, 1);
  expect_value_counts(arbiter.quantum, 2);
  expect_value_counts(arbiter.last_stripe, int64_t{8});
  expect_value_counts(arbiter.last_pc, 2u);
  arbiter.last_pc = 0;
  expect_value_counts(arbiter.last_pc, 8u);
  arbiter.last_pc = 3;
  expect_dead(arbiter.next_cycle);
  // The stripe moves with its word.
  const std::vector<int64_t> before = key();
  state_.sequencer.indices[0] += 32;
  EXPECT_NE(key(), before);
  arbiter.last_stripe += 32;
  EXPECT_EQ(key(), before);
  // Without quantum left it is not looked at again.
  arbiter.quantum = config_.quantum;
  expect_dead(arbiter.last_stripe);
}

TEST_F(CanonicalState, StoresInFlight) {
  const std::vector<int64_t> none = key();
  state_.stores.push_back({kNow + 7, 65536, 256});
  EXPECT_NE(key(), none);
  expect_counts_always(state_.stores[0].arrival);
  expect_value_counts(state_.stores[0].bytes, int64_t{192});    // a column less
  expect_value_counts(state_.stores[0].address, int64_t{65550});  // a column more
  EXPECT_EQ(with(state_.stores[0].address, 65536 + 64), key());
}

/// One tick a cycle, tCCD 1: a burst of 4 columns that arrives in cycle c has its last column in c + 3.
TEST_F(CanonicalState, Memory) {
  const auto arrive = [&](int64_t cycle) {
    mem::Dram dram(config_.dram);
    dram.take_slot(0, cycle - 1);
    dram.arrive(cycle, {.channel = 0, .address = 0, .bytes = 256, .write = true});
    state_.dram = dram;
    return key();
  };
  // Release in kNow - 1: free for every grant to come; next column in kNow.
  const std::vector<int64_t> reset = arrive(kNow - 500);
  EXPECT_EQ(arrive(kNow - 4), reset);
  EXPECT_NE(arrive(kNow - 3), reset);  // its slot is free from kNow + 1 on
  EXPECT_NE(arrive(kNow - 2), arrive(kNow - 3));
  state_.dram = mem::Dram(config_.dram);
  const std::vector<int64_t> free = key();
  state_.dram.take_slot(0, kNow - 1);
  EXPECT_NE(key(), free);
  // Behind a burst that began in kNow - 1 the next column is that of kNow + 3, behind one of kNow - 2 it is kNow + 2;
  // until kNow + 1 it delays no arrival.
  const auto columns = [&](int64_t cycle) {
    arrive(cycle);
    std::vector<int64_t> part;
    state_.dram.append_canonical(kNow, part);
    return part[0];
  };
  EXPECT_EQ(columns(kNow - 3), 0);
  EXPECT_EQ(columns(kNow - 2), 1);
  EXPECT_EQ(columns(kNow - 1), 2);
}

TEST_F(CanonicalState, MemoryReleases) {
  const auto releases = [&](int64_t first) {
    state_.dram = mem::Dram(config_.dram);
    for (const int64_t cycle : {first, kNow + 5}) {
      state_.dram.take_slot(0, kNow - 1);
      state_.dram.arrive(cycle, {.channel = 0, .address = 0, .bytes = 64, .write = true});
    }
    return key();
  };
  EXPECT_NE(releases(kNow), releases(kNow + 1));
  EXPECT_NE(releases(kNow), releases(kNow - 1));
  EXPECT_EQ(releases(kNow - 2), releases(kNow - 1));
}

TEST_F(CanonicalState, MemoryMovesInTime) {
  const auto run = [&](int64_t cycle) {
    mem::Dram dram(config_.dram);
    dram.take_slot(0, cycle);
    dram.arrive(cycle + 1, {.channel = 0, .address = 0, .bytes = 256, .write = false});
    dram.take_slot(0, cycle + 1);
    return dram;
  };
  mem::Dram moved = run(kNow - 2);
  moved.shift(600);
  const mem::Dram later = run(kNow + 598);
  std::vector<int64_t> a;
  std::vector<int64_t> b;
  moved.append_canonical(kNow + 600, a);
  later.append_canonical(kNow + 600, b);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace lockstep::timing::test
