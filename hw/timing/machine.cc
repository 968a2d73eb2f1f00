#include "hw/timing/machine.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::timing {

Machine::Machine(const StaticProgram& program, const MachineConfig& config, int64_t max_cycles, target::EventLog* log,
                 LoopMemo* memo)
    : program_(program),
      config_(config),
      log_(log),
      memo_(log == nullptr ? memo : nullptr),
      burst_divider_(config.burst_bytes),
      beat_divider_(config.beat_bytes),
      state_(config.dram),
      stop_cycle_(max_cycles) {
  next_issue_.fill(kNever);
  request_ready_.fill(kNever);
  for (size_t s = 0; s < kSlotCount; ++s) {
    state_.engines[s].queue = RingBuffer<QueuedWord>(static_cast<size_t>(config.queue_depth[s]));
  }
  for (size_t n = 0; n < state_.semaphores.size(); ++n) state_.semaphores[n].value = program.initial_tokens[n];
  for (DmaState& dma : state_.dma) dma.window.assign(static_cast<size_t>(config.max_outstanding), -1);  // DMA-7
}

void Machine::run() {
  run_sequencer();
  while (!halted_) {
    size_t slot = 0;
    for (size_t s = 1; s < kSlotCount; ++s) slot = next_issue_[s] < next_issue_[slot] ? s : slot;
    const int64_t cycle = next_issue_[slot];
    int64_t limit = std::min(cycle, stop_cycle_);
    if (state_.sequencer.stall == SequencerState::Stall::kBoundary) {
      limit = std::min(limit, state_.sequencer.cycle);
      if (std::min(cycle, next_grant_) >= std::min(stop_cycle_, state_.sequencer.cycle)) {
        leave_boundary();
        continue;
      }
    }
    if (next_grant_ < cycle) {
      if (next_grant_ >= stop_cycle_) break;
      run_grants(limit);
      continue;
    }
    if (cycle >= stop_cycle_) break;
    issue(static_cast<Slot>(slot), cycle);
  }
  finish();
}

void Machine::issue(Slot slot, int64_t cycle) {
  EngineState& engine = state_.engines[slot];
  const QueuedWord queued = engine.queue.front();
  engine.queue.pop_front();
  const StaticWord& word = program_.words[queued.pc];
  last_event_ = std::max(last_event_, cycle);
  consume(word, cycle);
  metrics::EngineCounters& counters = counters_.engines[kSlotEngine[slot]];
  ++counters.instrs;
  if (word.kind == WordKind::kDma) {
    issue_dma(queued, slot, cycle);
  } else {
    engine.free_cycle = cycle + word.occupancy;
    counters.busy_cycles += static_cast<uint64_t>(word.occupancy);
    if (word.kind != WordKind::kVx) issue_mxu(word, cycle);
    retire(slot, queued, cycle, cycle + word.source_free, cycle + word.done, cycle);
  }
  if (state_.sequencer.stall != SequencerState::Stall::kNone) resume_sequencer(slot, cycle);
  update_head(slot);
}

// MXU-2: the other queue sees the new plane state from the next cycle on.
void Machine::issue_mxu(const StaticWord& word, int64_t cycle) {
  counters_.macs += word.macs;
  if (word.kind == WordKind::kMm && !word.switch_plane) return;
  state_.plane.pending = word.kind == WordKind::kWld;
  state_.plane.changed = cycle;
  update_head(word.kind == WordKind::kWld ? kSlotMm0 : kSlotWld0);
}

void Machine::update_head(Slot slot) {
  next_issue_[slot] = state_.engines[slot].queue.empty() ? kNever : head_ready(slot);
}

// ISS-1. Every condition, once satisfied, stays so until this engine issues; so the first cycle in which all hold
// is the largest of their first cycles.
int64_t Machine::head_ready(Slot slot) const {
  const EngineState& engine = state_.engines[slot];
  const QueuedWord& queued = engine.queue.front();
  const StaticWord& word = program_.words[queued.pc];
  int64_t ready = std::max(queued.dispatch + 1, engine.free_cycle);
  for (size_t k = 0; k < word.wait_count; ++k) ready = std::max(ready, tokens_ready(word.waits[k]));
  switch (word.kind) {
    case WordKind::kWld:
      ready = std::max(ready, state_.plane.pending ? kNever : state_.plane.changed + 1);
      break;
    case WordKind::kMm:
      if (word.switch_plane) ready = std::max(ready, state_.plane.pending ? state_.plane.changed + 1 : kNever);
      break;
    case WordKind::kDma:
      if (program_.dma[word.dma].zero_length) ready = std::max(ready, state_.dma[slot].window_free_cycle());  // DMA-6
      break;
    default: break;
  }
  return ready;
}

/// First cycle at whose start the counter is high enough (SEM-3: one after the event of the last post needed).
int64_t Machine::tokens_ready(const isa::Wait& wait) const {
  const SemaphoreState& semaphore = state_.semaphores[wait.sem];
  int32_t value = semaphore.value;
  if (value >= wait.count) return 0;
  for (size_t k = 0; k < semaphore.pending.size(); ++k) {
    value += semaphore.pending[k].count;
    if (value >= wait.count) return semaphore.pending[k].cycle + 1;
  }
  return kNever;
}

void Machine::consume(const StaticWord& word, int64_t cycle) {
  for (size_t k = 0; k < word.wait_count; ++k) {
    add_posts_before(word.waits[k].sem, cycle);
    state_.semaphores[word.waits[k].sem].value -= word.waits[k].count;
  }
}

/// Adds the posts of event cycles before `cycle`. All waits consumed before `cycle` must have been subtracted, and
/// none of `cycle` itself: then the value after each addition is the counter at the end of that post's cycle.
void Machine::add_posts_before(uint8_t sem, int64_t cycle) {
  SemaphoreState& semaphore = state_.semaphores[sem];
  while (!semaphore.pending.empty() && semaphore.pending.front().cycle < cycle) {
    const PendingPost& post = semaphore.pending.front();
    semaphore.value += post.count;
    if (semaphore.value > isa::kSemaphoreMax) {
      note_fault(isa::fault_name(isa::FaultCode::kSemOverflow), program_.words[post.pc].tag, post.cycle,
                 fmt::format("word {} takes semaphore {} to {}", post.pc, sem, semaphore.value));
    }
    semaphore.pending.pop_front();
  }
}

/// A word's moments are known: its posts become future tokens, its record is complete. `now` is the cycle of the
/// event being processed.
void Machine::retire(Slot slot, const QueuedWord& queued, int64_t issue, int64_t source_free, int64_t done,
                     int64_t now) {
  const StaticWord& word = program_.words[queued.pc];
  state_.engines[slot].last_done = std::max(state_.engines[slot].last_done, done);
  for (size_t k = 0; k < word.post_count; ++k) {
    const StaticPost& post = word.posts[k];
    add_posts_before(post.sem, now);
    state_.semaphores[post.sem].pending.push_back({post.at_done ? done : source_free, queued.pc, post.count});
    const uint8_t consumer = program_.consumer[post.sem];
    if (consumer != kSlotCount && next_issue_[consumer] == kNever) update_head(static_cast<Slot>(consumer));
  }
  if (log_ == nullptr) return;
  const isa::EngineId engine = kSlotEngine[slot];
  auto& records = log_->instrs[engine];
  records.push_back({engine, queued.pc, records.size(), word.tag, queued.dispatch, issue, source_free, done});
}

void Machine::note_fault(const char* code, uint32_t tag, int64_t cycle, std::string detail) {
  if (fault_ && fault_->cycle <= cycle) return;
  fault_ = target::Fault{code, tag, cycle, std::move(detail)};
  stop_cycle_ = std::min(stop_cycle_, cycle);
}

void Machine::finish() {
  while (halted_ && !state_.stores.empty()) send_store();
  const bool stopped = state_.sequencer.stall == SequencerState::Stall::kStopped;
  const bool stuck = !halted_ && !stopped && next_grant_ == kNever &&
                     std::all_of(next_issue_.begin(), next_issue_.end(), [](int64_t cycle) { return cycle == kNever; });
  // A post that overflows is noticed when its semaphore is visited next; the rest are visited here.
  for (size_t sem = 0; sem < state_.semaphores.size(); ++sem) {
    add_posts_before(static_cast<uint8_t>(sem), halted_ || stuck ? kNever : stop_cycle_);
  }
  if (halted_ || fault_) return;
  if (stuck) {
    note_fault("F-DEADLOCK", stuck_tag(), last_event_, stuck_text());
  } else {
    note_fault(isa::fault_name(isa::FaultCode::kWatchdog), stuck_tag(), stop_cycle_, stuck_text());
  }
}

}  // namespace lockstep::timing
