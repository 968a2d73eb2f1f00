// The complete state of the timing machine, component by component, as plain data.
//
// Everything that can influence a later event is here and nowhere else: absolute cycles, counts and positions. A
// cut of the machine at cycle t is this state once all events before t were processed; a component is relative to
// the cut after t is subtracted from its cycles. Counters and records live in Machine, apart from the state.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "hw/isa/operand.h"
#include "hw/mem/dram.h"
#include "hw/timing/machine_config.h"
#include "hw/timing/ring_buffer.h"

namespace lockstep::timing {

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// The sequencer stands before word `pc`, which it dispatches in `cycle` unless it must wait. It runs ahead of
/// the engines: as long as no queue it meets is full, dispatch times do not depend on them (SEQ-4), and the words
/// wait in their queues with dispatch cycles of the future.
struct SequencerState {
  /// kBoundary: a loop took its back-edge and its state is to be looked at once every event before `cycle` is done.
  enum class Stall : uint8_t { kNone, kQueueFull, kSync, kStopped, kBoundary };
  uint32_t pc = 0;
  Stall stall = Stall::kNone;
  Slot full_slot = kSlotLd0;  // kQueueFull: the engine whose issue lets it go on
  int64_t cycle = 0;
  struct Loop {
    uint32_t trip = 0;
    uint32_t body_pc = 0;
    uint32_t end_pc = 0;
    bool active = false;
  };
  std::array<Loop, isa::kLoopLevels> loops{};
  std::array<int64_t, isa::kLoopLevels> indices{};
};

/// A dispatched word that has not issued.
struct QueuedWord {
  int64_t dispatch = 0;
  int64_t hbm_address = 0;  // LD and ST
  uint32_t pc = 0;
};

struct EngineState {
  RingBuffer<QueuedWord> queue;
  int64_t free_cycle = 0;   // previous issue + its occupancy; kNever while a transfer is in progress
  int64_t last_done = -1;   // largest `done` of the words issued so far
};

/// MXU-2. `changed` is the cycle whose issue set the present value; others see it one cycle later.
struct PlaneState {
  bool pending = false;
  int64_t changed = -1;
};

/// A post whose event cycle is known but that has not been added to the counter.
struct PendingPost {
  int64_t cycle = 0;
  uint32_t pc = 0;
  int32_t count = 0;
};

/// Counter value with all posts before the last visit added; the later ones wait in order of their cycles.
struct SemaphoreState {
  int32_t value = 0;
  RingBuffer<PendingPost> pending;
};

/// One DMA queue: the transfer in progress and the order of its elements (bursts and markers).
struct DmaState {
  // The transfer in progress.
  bool active = false;
  QueuedWord word;
  int64_t issue = 0;
  int64_t address = 0;      // of the request that is or will be registered
  int64_t bytes = 0;        // of that request
  int64_t run_left = 0;     // bytes of the run from `address` on, the request included
  int64_t run_address = 0;  // start of the current run
  int64_t outer_address = 0;
  uint32_t runs_left = 0;   // runs of this repetition after the current one
  uint32_t reps_left = 0;   // repetitions after the current one
  // Element order (DMA-4, DMA-6).
  int64_t last_end = -1;
  int64_t last_beat = -1;
  std::vector<int64_t> window;  // ends of the last max_outstanding elements, a ring
  int window_place = 0;         // oldest entry, overwritten by the next element

  /// First cycle in which the window is not full at the start (DMA-6).
  int64_t window_free_cycle() const { return window[static_cast<size_t>(window_place)] + 1; }
};

/// DMA-3.
struct ArbiterState {
  int holder = -1;  // -1 at reset
  int quantum = 0;
  int64_t last_stripe = -1;
  uint32_t last_pc = 0;    // word of the last granted burst, whose row stripe last_stripe is
  int64_t next_cycle = 0;  // one grant per cycle: the last grant + 1
};

/// A granted store on its way to the channel.
struct StoreInFlight {
  int64_t arrival = 0;
  int64_t address = 0;
  int64_t bytes = 0;
};

struct MachineState {
  SequencerState sequencer;
  std::array<EngineState, kSlotCount> engines;
  std::array<SemaphoreState, isa::kSemaphores> semaphores;
  PlaneState plane;
  std::array<DmaState, kDmaSlots> dma;
  ArbiterState arbiter;
  RingBuffer<StoreInFlight> stores;
  mem::Dram dram;

  explicit MachineState(const mem::DramConfig& config) : dram(config) {}
};

}  // namespace lockstep::timing
