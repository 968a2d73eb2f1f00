#include "hw/timing/canonical_state.h"

#include <algorithm>

namespace lockstep::timing {

namespace {

class KeyWriter {
 public:
  KeyWriter(const Cut& cut, std::vector<int64_t>& key)
      : program_(cut.program), config_(cut.config), state_(cut.state), cut_(cut), key_(key), now_(cut.state.sequencer.cycle) {}

  bool run() {
    key_.clear();
    const int64_t index = state_.sequencer.indices[cut_.loop.level];
    key_.push_back(index % cut_.loop.phase_period);
    for (size_t s = 0; s < kSlotCount; ++s) engine(state_.engines[s], s < kDmaSlots);
    key_.push_back(state_.plane.pending ? 1 : 0);
    for (const uint8_t sem : program_.used_semaphores) {
      if (!semaphore(state_.semaphores[sem])) return false;
    }
    for (size_t q = 0; q < kDmaSlots; ++q) dma_queue(q);
    arbiter();
    key_.push_back(static_cast<int64_t>(state_.stores.size()));
    for (size_t k = 0; k < state_.stores.size(); ++k) store(state_.stores[k]);
    state_.dram.append_canonical(now_, key_);
    return true;
  }

 private:
  /// A cycle of which only the part from `floor` on counts, relative to the boundary.
  void cycle(int64_t value, int64_t floor) {
    key_.push_back(value == kNever ? kNever : std::max(value, floor) - now_);
  }

  int64_t frame(uint32_t pc) const {
    if (!cut_.loop.contains(pc)) return 0;
    return hbm_address(program_.dma[program_.words[pc].dma], state_.sequencer.indices);
  }

  void engine(const EngineState& engine, bool dma) {
    cycle(engine.free_cycle, now_);
    cycle(engine.last_done, now_);
    key_.push_back(static_cast<int64_t>(engine.queue.size()));
    for (size_t k = 0; k < engine.queue.size(); ++k) {
      const QueuedWord& word = engine.queue[k];
      key_.push_back(word.pc);
      if (dma && !program_.dma[program_.words[word.pc].dma].zero_length) key_.push_back(word.hbm_address - frame(word.pc));
    }
  }

  bool semaphore(const SemaphoreState& semaphore) {
    int64_t value = semaphore.value;
    size_t k = 0;
    for (; k < semaphore.pending.size() && semaphore.pending[k].cycle < now_; ++k) {
      value += semaphore.pending[k].count;
      if (value > isa::kSemaphoreMax) return false;
    }
    key_.push_back(value);
    key_.push_back(static_cast<int64_t>(semaphore.pending.size() - k));
    for (; k < semaphore.pending.size(); ++k) {
      const PendingPost& post = semaphore.pending[k];
      key_.push_back(post.cycle - now_);
      key_.push_back(int64_t{post.pc} << 32 | post.count);
    }
    return true;
  }

  void dma_queue(size_t queue) {
    const DmaState& dma = state_.dma[queue];
    cycle(queue == kSlotSt0 ? dma.last_beat : dma.last_end, now_);
    window(dma);
    key_.push_back(dma.active ? 1 : 0);
    if (!dma.active) return;
    const int64_t origin = frame(dma.word.pc);
    cycle(cut_.request_ready[queue], now_);
    key_.insert(key_.end(), {dma.word.pc, dma.issue - now_, dma.address - origin, dma.bytes, dma.run_left,
                             dma.run_address - origin, dma.outer_address - origin, dma.runs_left, dma.reps_left});
  }

  /// Ends increase in the order of the elements; those before T - 1 count as T - 1, which need not be written.
  void window(const DmaState& dma) {
    const size_t size = dma.window.size();
    const size_t count_at = key_.size();
    key_.push_back(0);
    auto place = static_cast<size_t>(dma.window_place);
    for (size_t k = 0; k < size; ++k) {
      place = place == 0 ? size - 1 : place - 1;
      if (dma.window[place] < now_) return;
      key_.push_back(dma.window[place] - now_);
      ++key_[count_at];
    }
  }

  void arbiter() {
    const ArbiterState& arbiter = state_.arbiter;
    key_.push_back(arbiter.holder);
    key_.push_back(arbiter.quantum);
    if (arbiter.holder < 0 || arbiter.quantum >= config_.quantum) return;
    key_.push_back(arbiter.last_pc);
    key_.push_back(arbiter.last_stripe * config_.dram.stripe_bytes - frame(arbiter.last_pc));
  }

  void store(const StoreInFlight& store) {
    // Its row stripe no longer matters; of its address only the columns it touches.
    const int64_t access = config_.dram.access_bytes;
    key_.push_back(store.arrival - now_);
    key_.push_back((store.address % access + store.bytes - 1) / access);
  }

  const StaticProgram& program_;
  const MachineConfig& config_;
  const MachineState& state_;
  const Cut& cut_;
  std::vector<int64_t>& key_;
  const int64_t now_;
};

}  // namespace

bool write_key(const Cut& cut, std::vector<int64_t>& key) { return KeyWriter(cut, key).run(); }

}  // namespace lockstep::timing
