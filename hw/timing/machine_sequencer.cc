// The sequencer of the timing machine: SEQ-3, SEQ-4, SEQ-5.
#include <algorithm>

#include <fmt/format.h>

#include "hw/timing/machine.h"

namespace lockstep::timing {

using Stall = SequencerState::Stall;

/// Dispatches words until one must wait for an engine, the program ends or the stop cycle is reached.
void Machine::run_sequencer() {
  SequencerState& seq = state_.sequencer;
  while (seq.stall == Stall::kNone) {
    if (seq.cycle >= stop_cycle_) {
      seq.stall = Stall::kStopped;
      return;
    }
    if (seq.pc >= program_.words.size()) {
      stop_sequencer(isa::FaultCode::kPcRange, 0, "execution ran past the last word");
      return;
    }
    const StaticWord& word = program_.words[seq.pc];
    switch (word.kind) {
      case WordKind::kLoop: open_loop(word); break;
      case WordKind::kEndloop: close_loop(word); break;
      case WordKind::kSync:
      case WordKind::kHalt: dispatch_sync(word); break;
      default: dispatch_engine_word(word); break;
    }
  }
}

/// The queue of `issued` lost a word in `cycle`, or its transfer ended then; the sequencer may have waited for it.
void Machine::resume_sequencer(Slot issued, int64_t cycle) {
  SequencerState& seq = state_.sequencer;
  if (seq.stall == Stall::kQueueFull) {
    if (seq.full_slot != issued || !has_place(issued)) return;
    seq.cycle = std::max(seq.cycle, cycle + 1);  // SEQ-4: the place is free from the next cycle on
  } else if (seq.stall != Stall::kSync) {
    return;
  }
  seq.stall = Stall::kNone;
  run_sequencer();
}

bool Machine::has_place(Slot slot) const {
  return state_.engines[slot].queue.size() < static_cast<size_t>(config_.queue_depth[slot]);
}

void Machine::dispatch_engine_word(const StaticWord& word) {
  SequencerState& seq = state_.sequencer;
  if (!has_place(word.slot)) {
    seq.stall = Stall::kQueueFull;
    seq.full_slot = word.slot;
    return;
  }
  int64_t address = 0;
  if (word.kind == WordKind::kDma) {
    const StaticDma& dma = program_.dma[word.dma];
    address = hbm_address(dma, seq.indices);
    if (!dma.zero_length && (address + dma.lowest < 0 || address + dma.highest > program_.hbm_bytes)) {
      stop_sequencer(isa::FaultCode::kHbmRange, word.tag,
                     fmt::format("word {} touches HBM bytes [{}, {}) of {}", seq.pc, address + dma.lowest,
                                 address + dma.highest, program_.hbm_bytes));
      return;
    }
  }
  EngineState& engine = state_.engines[word.slot];
  engine.queue.push_back({seq.cycle, address, seq.pc});
  if (engine.queue.size() == 1) update_head(word.slot);
  next_word(seq.pc + 1);
}

/// The present word is dispatched; the next one is at `pc`, a cycle later.
void Machine::next_word(uint32_t pc) {
  state_.sequencer.pc = pc;
  ++state_.sequencer.cycle;
  ++counters_.words;
}

// SEQ-3
void Machine::open_loop(const StaticWord& word) {
  SequencerState& seq = state_.sequencer;
  SequencerState::Loop& loop = seq.loops[word.level];
  if (loop.active || word.end_pc <= seq.pc) {
    stop_sequencer(isa::FaultCode::kLoop, word.tag, fmt::format("LOOP at word {} of level {}", seq.pc, word.level));
    return;
  }
  if (word.trip == 0) {
    next_word(word.end_pc + 1);
    return;
  }
  loop = {word.trip, seq.pc + 1, word.end_pc, true};
  seq.indices[word.level] = 0;
  if (memo_ != nullptr) memo_->open(word.level, seq.pc, work());
  next_word(seq.pc + 1);
}

// SEQ-3
void Machine::close_loop(const StaticWord& word) {
  SequencerState& seq = state_.sequencer;
  SequencerState::Loop& loop = seq.loops[word.level];
  if (!loop.active || loop.end_pc != seq.pc) {
    stop_sequencer(isa::FaultCode::kLoop, word.tag, fmt::format("ENDLOOP at word {} of level {}", seq.pc, word.level));
    return;
  }
  int64_t& index = seq.indices[word.level];
  if (++index < loop.trip) {
    next_word(loop.body_pc);
    if (memo_ != nullptr && memo_->wants(word.level, index, work())) {
      seq.stall = Stall::kBoundary;
      boundary_level_ = word.level;
    }
    return;
  }
  index = 0;
  loop.active = false;
  if (memo_ != nullptr) memo_->close(word.level);
  next_word(seq.pc + 1);
}

// SEQ-5: `done` is known once every earlier word of the masked engines has issued and every transfer has had its
// last grant.
void Machine::dispatch_sync(const StaticWord& word) {
  SequencerState& seq = state_.sequencer;
  int64_t done = seq.cycle;
  for (size_t s = 0; s < kSlotCount; ++s) {
    if ((word.sync_slots >> s & 1) == 0) continue;
    const EngineState& engine = state_.engines[s];
    if (!engine.queue.empty() || engine.free_cycle == kNever) {
      seq.stall = Stall::kSync;
      return;
    }
    done = std::max(done, engine.last_done);
  }
  if (done >= stop_cycle_) {
    seq.stall = Stall::kStopped;
    return;
  }
  if (log_ != nullptr) {
    auto& records = log_->instrs[target::log_index(isa::kSequencer)];
    records.push_back({isa::kSequencer, seq.pc, records.size(), word.tag, seq.cycle, -1, -1, done});
  }
  last_event_ = std::max(last_event_, done);
  seq.cycle = done;
  next_word(seq.pc + 1);
  if (word.kind != WordKind::kHalt) return;
  seq.stall = Stall::kStopped;
  halted_ = true;
  cycles_ = done + 1;
}

void Machine::stop_sequencer(isa::FaultCode code, uint32_t tag, std::string detail) {
  note_fault(isa::fault_name(code), tag, state_.sequencer.cycle, std::move(detail));
  state_.sequencer.stall = Stall::kStopped;
}

}  // namespace lockstep::timing
