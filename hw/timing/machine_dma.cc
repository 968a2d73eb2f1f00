// The DMA queues, the arbiter and the memory of the timing machine: DMA-1..7, MEM-3/6.
#include <algorithm>

#include "hw/timing/machine.h"

namespace lockstep::timing {

/// A descriptor issues (DMA-2); a zero-length one puts its marker into the element order (DMA-6).
void Machine::issue_dma(const QueuedWord& queued, Slot slot, int64_t cycle) {
  const StaticDma& shape = program_.dma[program_.words[queued.pc].dma];
  if (shape.zero_length) {
    issue_marker(queued, slot, cycle);
    return;
  }
  DmaState& dma = state_.dma[slot];
  dma.active = true;
  dma.word = queued;
  dma.issue = cycle;
  dma.outer_address = dma.run_address = dma.address = queued.hbm_address;
  dma.run_left = shape.run_bytes;
  dma.runs_left = shape.n1 - 1;
  dma.reps_left = shape.reps - 1;
  cut_request(dma);
  state_.engines[slot].free_cycle = kNever;
  request_ready_[slot] = std::max(cycle + config_.setup_cycles, dma.window_free_cycle());
  update_next_grant();
}

void Machine::issue_marker(const QueuedWord& queued, Slot slot, int64_t cycle) {
  DmaState& dma = state_.dma[slot];
  state_.engines[slot].free_cycle = cycle + 1;
  counters_.engines[kSlotEngine[slot]].busy_cycles += 1;
  if (slot == kSlotSt0) {
    dma.last_beat = std::max(cycle, dma.last_beat) + 1;
    const int64_t end = dma.last_beat + config_.read_latency;
    push_element(dma, end);
    retire(slot, queued, cycle, end, end, cycle);
  } else {
    const int64_t end = std::max(cycle, dma.last_end) + 1;
    push_element(dma, end);
    retire(slot, queued, cycle, cycle, end, cycle);
  }
}

void Machine::push_element(DmaState& dma, int64_t end) {
  dma.last_end = end;
  dma.window[static_cast<size_t>(dma.window_place)] = end;
  dma.window_place = dma.window_place + 1 == config_.max_outstanding ? 0 : dma.window_place + 1;
}

/// DMA-1: the request at dma.address ends at the next multiple of burst_bytes or with its run.
void Machine::cut_request(DmaState& dma) const {
  const int64_t burst = config_.burst_bytes;
  const int64_t offset = dma.address - burst_divider_.floor(dma.address) * burst;
  dma.bytes = std::min(dma.run_left, burst - offset);
}

/// Moves on to the next request; false when there is none.
bool Machine::next_request(DmaState& dma) const {
  dma.run_left -= dma.bytes;
  if (dma.run_left > 0) {
    dma.address += dma.bytes;  // a multiple of burst_bytes
    dma.bytes = std::min(dma.run_left, config_.burst_bytes);
    return true;
  }
  const StaticDma& shape = program_.dma[program_.words[dma.word.pc].dma];
  if (dma.runs_left > 0) {
    --dma.runs_left;
    dma.run_address += shape.stride1_bytes;
  } else if (dma.reps_left > 0) {
    --dma.reps_left;
    dma.runs_left = shape.n1 - 1;
    dma.outer_address += shape.stride2_bytes;
    dma.run_address = dma.outer_address;
  } else {
    return false;
  }
  dma.address = dma.run_address;
  dma.run_left = shape.run_bytes;
  cut_request(dma);
  return true;
}

// DMA-3. Called in a cycle in which some queue is eligible; the one command channel has a free slot.
int Machine::choose_queue(int64_t cycle) {
  ArbiterState& arbiter = state_.arbiter;
  if (arbiter.holder >= 0 && request_ready_[static_cast<size_t>(arbiter.holder)] <= cycle) {
    const DmaState& dma = state_.dma[static_cast<size_t>(arbiter.holder)];
    const int64_t stripe = state_.dram.stripe_of(dma.address);
    if (memo_ != nullptr && arbiter.quantum < config_.quantum) note_stripe_test(dma.word.pc, stripe);
    if (arbiter.quantum < config_.quantum && stripe == arbiter.last_stripe) {
      ++arbiter.quantum;
      arbiter.last_pc = dma.word.pc;
      return arbiter.holder;
    }
  }
  int queue = arbiter.holder;
  do {
    queue = queue + 1 == kDmaSlots ? 0 : queue + 1;
  } while (request_ready_[static_cast<size_t>(queue)] > cycle);
  arbiter.holder = queue;
  arbiter.quantum = 1;
  arbiter.last_stripe = state_.dram.stripe_of(state_.dma[static_cast<size_t>(queue)].address);
  arbiter.last_pc = state_.dma[static_cast<size_t>(queue)].word.pc;
  return queue;
}

/// Grants burst after burst, all before `limit`, until a transfer has had its last grant.
void Machine::run_grants(int64_t limit) {
  bool finished = false;
  while (!finished && next_grant_ < limit) {
    finished = grant(next_grant_);
    update_next_grant();
  }
}

/// One grant; true when it was the last of its transfer.
bool Machine::grant(int64_t cycle) {
  const auto queue = static_cast<size_t>(choose_queue(cycle));
  DmaState& dma = state_.dma[queue];
  const int64_t beats = beat_divider_.ceil(dma.bytes);
  last_event_ = std::max(last_event_, cycle);
  state_.arbiter.next_cycle = cycle + 1;
  state_.dram.take_slot(state_.dram.channel_of(dma.address), cycle);
  if (queue == kSlotSt0) {
    // DMA-4 (store)
    const int64_t first_beat = std::max(cycle, dma.last_beat) + 1;
    dma.last_beat = first_beat + beats - 1;
    state_.stores.push_back({dma.last_beat + config_.read_latency, dma.address, dma.bytes});
    push_element(dma, dma.last_beat + config_.read_latency);
    ++counters_.write_bursts;
    counters_.hbm_write_bytes += static_cast<uint64_t>(dma.bytes);
    if (log_ != nullptr) record_burst(queue, cycle, first_beat, dma.last_beat);
  } else {
    // DMA-4 (load). Stores granted later arrive after cycle + 1, so this burst is the next arrival after the
    // stores of up to `cycle`; of one cycle's arrivals the loads come first.
    while (!state_.stores.empty() && state_.stores.front().arrival <= cycle) send_store();
    const mem::Service service = arrive(cycle + 1, dma.address, dma.bytes, false);
    const int64_t first_beat = std::max(service.data_cycle, dma.last_end) + 1;
    push_element(dma, first_beat + beats - 1);
    ++counters_.read_bursts;
    counters_.hbm_read_bytes += static_cast<uint64_t>(dma.bytes);
    if (log_ != nullptr) record_burst(queue, cycle, first_beat, dma.last_end);
  }
  if (next_request(dma)) {
    request_ready_[queue] = std::max(cycle + 1, dma.window_free_cycle());  // DMA-2, DMA-6
    return false;
  }
  finish_transfer(static_cast<Slot>(queue), cycle);
  return true;
}

void Machine::finish_transfer(Slot slot, int64_t last_grant) {
  DmaState& dma = state_.dma[slot];
  dma.active = false;
  request_ready_[slot] = kNever;
  state_.engines[slot].free_cycle = last_grant + 1;
  counters_.engines[kSlotEngine[slot]].busy_cycles += static_cast<uint64_t>(last_grant - dma.issue + 1);
  retire(slot, dma.word, dma.issue, slot == kSlotSt0 ? dma.last_end : last_grant, dma.last_end, last_grant);
  if (state_.sequencer.stall == SequencerState::Stall::kSync) resume_sequencer(slot, last_grant);
  update_head(slot);
}

mem::Service Machine::arrive(int64_t cycle, int64_t address, int64_t bytes, bool write) {
  const mem::Service service = state_.dram.arrive(cycle, {.channel = state_.dram.channel_of(address),
                                                          .address = address,
                                                          .bytes = static_cast<int>(bytes),
                                                          .write = write});
  counters_.hbm_bus_bytes += static_cast<uint64_t>(service.columns) * static_cast<uint64_t>(config_.dram.access_bytes);
  return service;
}

void Machine::send_store() {
  const StoreInFlight& store = state_.stores.front();
  arrive(store.arrival, store.address, store.bytes, true);
  state_.stores.pop_front();
}

/// First cycle at whose start the channel has a free command slot. When every slot is held by a store that has not
/// arrived, nothing can be granted and so nothing arrives before the first of them; it is served ahead of time.
int64_t Machine::command_slot_cycle() {
  int64_t cycle = state_.dram.slot_free_at(0);
  while (cycle == mem::Dram::kNever) {
    send_store();
    cycle = state_.dram.slot_free_at(0);
  }
  return cycle;
}

void Machine::update_next_grant() {
  const int64_t ready = std::min({request_ready_[kSlotLd0], request_ready_[kSlotLd1], request_ready_[kSlotSt0]});
  next_grant_ = ready == kNever ? kNever : std::max({ready, command_slot_cycle(), state_.arbiter.next_cycle});
}

void Machine::record_burst(size_t queue, int64_t cycle, int64_t first_beat, int64_t last_beat) {
  const isa::EngineId engine = kSlotEngine[queue];
  auto& records = log_->bursts[engine];
  records.push_back({engine, records.size(), cycle, first_beat, last_beat});
}

}  // namespace lockstep::timing
