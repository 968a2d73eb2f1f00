// What a machine that does not come to its HALT is waiting for, engine by engine.
#include <fmt/format.h>

#include "hw/timing/machine.h"

namespace lockstep::timing {

using Stall = SequencerState::Stall;

/// Tag of the first engine head that waits, in the order of engine ids; the sequencer's word when none does.
uint32_t Machine::stuck_tag() const {
  for (size_t s = 0; s < kSlotCount; ++s) {
    const EngineState& engine = state_.engines[s];
    if (s < kDmaSlots && state_.dma[s].active) return program_.words[state_.dma[s].word.pc].tag;
    if (!engine.queue.empty()) return program_.words[engine.queue.front().pc].tag;
  }
  const uint32_t pc = state_.sequencer.pc;
  return pc < program_.words.size() ? program_.words[pc].tag : 0;
}

std::string Machine::stuck_text() const {
  const SequencerState& seq = state_.sequencer;
  std::string text = fmt::format("sequencer before word {}", seq.pc);
  if (seq.stall == Stall::kQueueFull) {
    text += fmt::format(" waits for a place in the queue of {}", isa::engine_name(kSlotEngine[seq.full_slot]));
  } else if (seq.stall == Stall::kSync) {
    text += " waits for the engines of its mask";
  }
  for (size_t s = 0; s < kSlotCount; ++s) {
    const std::string head = head_text(static_cast<Slot>(s));
    if (!head.empty()) text += "; " + head;
  }
  return text;
}

/// Empty for an idle engine.
std::string Machine::head_text(Slot slot) const {
  const EngineState& engine = state_.engines[slot];
  const std::string name = isa::engine_name(kSlotEngine[slot]);
  if (slot < kDmaSlots && state_.dma[slot].active) {
    const DmaState& dma = state_.dma[slot];
    return fmt::format("{} transfers word {} (tag {}), next request in cycle {}", name, dma.word.pc,
                       program_.words[dma.word.pc].tag, request_ready_[slot]);
  }
  if (engine.queue.empty()) return {};
  const QueuedWord& queued = engine.queue.front();
  const StaticWord& word = program_.words[queued.pc];
  std::string text = fmt::format("{} head word {} (tag {})", name, queued.pc, word.tag);
  if (next_issue_[slot] != kNever) return text + fmt::format(" issues in cycle {}", next_issue_[slot]);
  for (size_t k = 0; k < word.wait_count; ++k) {
    if (tokens_ready(word.waits[k]) != kNever) continue;
    const SemaphoreState& semaphore = state_.semaphores[word.waits[k].sem];
    int64_t value = semaphore.value;
    for (size_t n = 0; n < semaphore.pending.size(); ++n) value += semaphore.pending[n].count;
    text += fmt::format(" waits for semaphore {} >= {}, which has {}", word.waits[k].sem, word.waits[k].count, value);
  }
  if (word.kind == WordKind::kWld && state_.plane.pending) text += " waits for an MM to switch planes";
  if (word.kind == WordKind::kMm && word.switch_plane && !state_.plane.pending) text += " waits for a WLD";
  return text;
}

}  // namespace lockstep::timing
