// Jumps over iterations of a loop whose state recurred (docs/exactness.md).
#include <algorithm>
#include <bit>

#include "hw/base/check.h"
#include "hw/timing/canonical_state.h"
#include "hw/timing/machine.h"

namespace lockstep::timing {

namespace {

static_assert(sizeof(metrics::Counters) % sizeof(uint64_t) == 0);
static_assert(std::has_unique_object_representations_v<metrics::Counters>, "every counter is a 64-bit sum");
using CounterWords = std::array<uint64_t, sizeof(metrics::Counters) / sizeof(uint64_t)>;

/// now + periods * (now - then), counter by counter.
metrics::Counters advance(const metrics::Counters& then, const metrics::Counters& now, int64_t periods) {
  const auto before = std::bit_cast<CounterWords>(then);
  auto after = std::bit_cast<CounterWords>(now);
  for (size_t k = 0; k < after.size(); ++k) after[k] += static_cast<uint64_t>(periods) * (after[k] - before[k]);
  return std::bit_cast<metrics::Counters>(after);
}

uint64_t events_of(const metrics::Counters& counters) {
  uint64_t events = counters.read_bursts + counters.write_bursts;
  for (const metrics::EngineCounters& engine : counters.engines) events += engine.instrs;
  return events;
}

/// All bytes that `transfer` touches in the iterations from the present one to the one `iterations` later lie in HBM.
bool stays_in_memory(const StaticProgram& program, const LoopTransfer& transfer, int64_t frame, int64_t iterations) {
  const auto inside = [&](int64_t address) {
    int64_t lowest = 0;
    int64_t highest = 0;
    return !__builtin_add_overflow(address, transfer.lowest, &lowest) && lowest >= 0 &&
           !__builtin_add_overflow(address, transfer.highest, &highest) && highest <= program.hbm_bytes;
  };
  int64_t last = 0;
  return transfer.bounded && inside(frame) && !__builtin_mul_overflow(transfer.step, iterations, &last) &&
         !__builtin_add_overflow(frame, last, &last) && inside(last);
}

}  // namespace

uint64_t Machine::events() const { return events_of(counters_); }

/// Every event before the sequencer's cycle is done: the state is a time cut.
void Machine::leave_boundary() {
  state_.sequencer.stall = SequencerState::Stall::kNone;
  if (state_.sequencer.cycle < stop_cycle_ && !fault_) visit_boundary();
  run_sequencer();
}

void Machine::visit_boundary() {
  const int64_t now = state_.sequencer.cycle;
  const uint8_t level = boundary_level_;
  // No load can arrive before now + 1, so these stores are the next arrivals whatever happens.
  while (!state_.stores.empty() && state_.stores.front().arrival <= now) send_store();
  const LoopInfo& loop = memo_->loop(level);
  if (!write_key({program_, config_, state_, request_ready_, loop}, memo_->key())) return;
  const BoundaryTotals totals{state_.sequencer.indices[level], now, last_event_, counters_};
  if (memo_->expects(level, totals.index)) {
    const std::string difference = memo_->check_expected(level, totals);
    CHECK(difference.empty()) << "self-check of the loop at word " << loop.loop_pc << ", iteration " << totals.index
                              << ": " << difference;
  }
  const std::optional<Recurrence> found = memo_->visit(level, totals, work());
  if (!found) return;
  int64_t periods = safe_periods(loop, *found, totals);
  if (memo_->options().self_check) {
    // One period before the end of the jump is left to be simulated; its last boundary must not be the loop's exit.
    const int64_t period = totals.index - found->then.index;
    periods -= totals.index + periods * period == loop.trip ? 2 : 1;
  }
  if (periods < 1) {
    memo_->renew(level, totals);
  } else {
    jump(loop, *found, totals, periods);
  }
}

/// How many whole periods may be jumped over: not past the loop, the watchdog, a fault or another choice of the arbiter.
int64_t Machine::safe_periods(const LoopInfo& loop, const Recurrence& found, const BoundaryTotals& now) {
  const int64_t period = now.index - found.then.index;
  int64_t periods = (int64_t{loop.trip} - now.index) / period;
  periods = std::min(periods, (stop_cycle_ - now.cycle) / (now.cycle - found.then.cycle));
  periods = memo_->periods_with_equal_tests(loop, found.first_test, period, periods);
  if (periods < 1) return 0;
  for (const LoopTransfer& transfer : loop.transfers) {
    if (transfer.step == 0) continue;  // as in the iterations done
    const int64_t frame = hbm_address(program_.dma[program_.words[transfer.pc].dma], state_.sequencer.indices);
    if (!stays_in_memory(program_, transfer, frame, periods * period - 1)) {
      memo_->give_up(loop.level, "an address leaves the memory");
      return 0;
    }
  }
  return periods;
}

void Machine::jump(const LoopInfo& loop, const Recurrence& found, const BoundaryTotals& now, int64_t periods) {
  const int64_t period_cycles = now.cycle - found.then.cycle;
  const int64_t period = now.index - found.then.index;
  const int64_t work_before = work();
  BoundaryTotals after = now;
  after.index += periods * period;
  after.cycle += periods * period_cycles;
  after.counters = advance(found.then.counters, now.counters, periods);
  // With an event in the period, the largest cycle is one of it and moves along.
  if (now.last_event != found.then.last_event) after.last_event += periods * period_cycles;

  shift_times(periods * period_cycles);
  shift_addresses(loop, periods * period);
  last_event_ = after.last_event;
  counters_ = after.counters;
  SequencerState& seq = state_.sequencer;
  seq.indices[loop.level] = after.index;
  memo_->count_saved_events(events_of(after.counters) - events_of(now.counters));
  memo_->jumped(loop.level, found, now, after, periods, work() - work_before);
  if (memo_->options().self_check) {
    BoundaryTotals expected = after;
    expected.index += period;
    expected.cycle += period_cycles;
    expected.counters = advance(found.then.counters, now.counters, periods + 1);
    if (now.last_event != found.then.last_event) expected.last_event += period_cycles;
    memo_->expect(loop.level, expected);
  }
  if (after.index < int64_t{loop.trip}) return;
  // SEQ-3: the ENDLOOP before this boundary was the last one.
  seq.indices[loop.level] = 0;
  seq.loops[loop.level].active = false;
  seq.pc = loop.end_pc + 1;
  memo_->close(loop.level);
}

void Machine::shift_times(int64_t cycles) {
  const auto move = [cycles](int64_t& cycle) { cycle += cycle == kNever ? 0 : cycles; };
  move(state_.sequencer.cycle);
  for (EngineState& engine : state_.engines) {
    for (size_t k = 0; k < engine.queue.size(); ++k) move(engine.queue[k].dispatch);
    move(engine.free_cycle);
    move(engine.last_done);
  }
  for (const uint8_t sem : program_.used_semaphores) {
    RingBuffer<PendingPost>& pending = state_.semaphores[sem].pending;
    for (size_t k = 0; k < pending.size(); ++k) move(pending[k].cycle);
  }
  move(state_.plane.changed);
  for (DmaState& dma : state_.dma) {
    move(dma.word.dispatch);
    move(dma.issue);
    move(dma.last_end);
    move(dma.last_beat);
    for (int64_t& end : dma.window) move(end);
  }
  move(state_.arbiter.next_cycle);
  for (size_t k = 0; k < state_.stores.size(); ++k) move(state_.stores[k].arrival);
  state_.dram.shift(cycles);
  for (int64_t& cycle : next_issue_) move(cycle);
  for (int64_t& cycle : request_ready_) move(cycle);
  move(next_grant_);
}

/// Words of the loop move with their frames; all other words stay. A store in flight matters by the number of its
/// columns only, which moves by whole accesses leave as it is.
void Machine::shift_addresses(const LoopInfo& loop, int64_t iterations) {
  const auto distance = [&](uint32_t pc) -> int64_t {
    if (!loop.contains(pc)) return 0;
    const StaticDma& dma = program_.dma[program_.words[pc].dma];
    return dma.zero_length ? 0 : step_of(dma, loop.level) * iterations;
  };
  for (size_t q = 0; q < kDmaSlots; ++q) {
    RingBuffer<QueuedWord>& queue = state_.engines[q].queue;
    for (size_t k = 0; k < queue.size(); ++k) queue[k].hbm_address += distance(queue[k].pc);
    DmaState& dma = state_.dma[q];
    if (!dma.active) continue;
    const int64_t bytes = distance(dma.word.pc);
    for (int64_t* address : {&dma.word.hbm_address, &dma.address, &dma.run_address, &dma.outer_address}) *address += bytes;
  }
  ArbiterState& arbiter = state_.arbiter;
  if (arbiter.holder < 0 || arbiter.quantum >= config_.quantum) return;
  const int64_t bytes = distance(arbiter.last_pc);
  CHECK(bytes % config_.dram.stripe_bytes == 0);
  arbiter.last_stripe += bytes / config_.dram.stripe_bytes;
}

/// DMA-3 compared the last row stripe with that of the holder's next burst, of word `pc`.
void Machine::note_stripe_test(uint32_t pc, int64_t stripe) {
  if (pc != state_.arbiter.last_pc) memo_->note_test(state_.arbiter.last_pc, pc, stripe - state_.arbiter.last_stripe);
}

}  // namespace lockstep::timing
