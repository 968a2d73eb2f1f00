// DRAM timing behind the burst arbiter: one class, used by the fast model and, behind the TLM socket, by RTL.
//
//   grant ----> take_slot()           a command slot of the channel is held from the grant ...
//   arrival --> arrive() -> Service   ... to the last column command (MEM-4); reads get their data cycle
//
// Calls must come in non-decreasing cycle order; arrivals of one cycle in unit order LD0, LD1, ST0.
// Within one cycle the order of slot_free / take_slot / arrive does not matter: a slot released by an arrival
// of cycle a is free at a + 1 at the earliest. A caller that knows that no other arrival can come first may run
// arrive() ahead of the clock.
//
// A burst's commands are scheduled when it arrives (docs/timing.md, Memory), so a channel is a handful of stored times
// and nothing is stepped. Times inside are ticks of 1/ticks_per_cycle core cycle; the interface is cycles. Each time
// is only ever used in the expression on its right, with `a` the arrival tick of a burst, all later ones being >= a;
// the value at or below which it no longer matters follows from that:
//
//   state                       used as                                    does not matter when at most
//   Channel::next_read, _write  max(a, x)                                  a
//   Channel::next_act           max(a, x)                                  a
//   Bank::ready, closed         max(a, x); at a refresh max(due, x)        a
//   Bank::ready, open           max(a, x) + tRP; refresh max(due, x) + tRP a
//   Bank::act, open             x + (G-1) tRRD_S + tRCD, max with a        a - (G-1) tRRD_S - max(tRCDrd, tRCDwr)
//   Bank::act, closed           never                                      any value
//   Channel::releases           x + 1 <= cycle                             cycle - 1: the slot is free
//   Channel::refresh_due        x <= a, x <= first column                  never: the phase of a free-running counter
//                                                                          (MEM-5), kept apart from the rest
//   Bank::row, owner; Queue::stripe   compared; rows shift with the address frame, banks do not
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "hw/base/check.h"
#include "hw/mem/dram_config.h"
#include "hw/mem/fixed_divider.h"

namespace lockstep::mem {

/// The test instrument's extra data latency of the `arrival`-th burst (reads and writes counted alike, from 0 at
/// reset): hash(seed, arrival) mod (max_cycles + 1), a pure function so that RTL and model see the same delays.
int64_t jitter_cycles(uint32_t seed, uint64_t arrival, int max_cycles);

inline constexpr int kQueues = 3;  // LD0, LD1, ST0

struct Burst {
  int channel = 0;      // channel_of(address)
  int64_t address = 0;  // HBM byte
  int bytes = 0;        // > 0, does not cross a burst_bytes boundary
  bool write = false;
  uint8_t queue = 0;   // 0 LD0, 1 LD1, 2 ST0: whose row stripe it belongs to (MEM-4)
  bool close = false;  // last burst of a descriptor without `continues`
};

struct Service {
  int64_t release_cycle = 0;  // last column: the command slot counts as free from release_cycle + 1
  int64_t data_cycle = 0;     // reads: the burst's last byte is visible; first_beat >= data_cycle + 1 (DMA-4)
  int columns = 0;            // column accesses made
};

class Dram {
 public:
  explicit Dram(const DramConfig& config);

  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// True when the channel has a free command slot at the start of `cycle`.
  bool slot_free(int channel, int64_t cycle) const { return slot_free_at(channel) <= cycle; }

  /// Earliest cycle at whose start a slot is free given the arrivals so far; kNever (INT64_MAX) when every slot is
  /// held by a burst that has not arrived.
  int64_t slot_free_at(int channel) const {
    const Channel& c = channels_[static_cast<size_t>(channel)];
    if (c.held + c.known < config_.command_slots) return 0;
    return c.known == 0 ? kNever : c.releases[static_cast<size_t>(c.first)] + 1;
  }

  /// A burst was granted in `cycle`.
  void take_slot(int channel, int64_t cycle) {
    Channel& c = channels_[static_cast<size_t>(channel)];
    while (c.known > 0 && c.releases[static_cast<size_t>(c.first)] < cycle) {
      c.first = c.first + 1 == config_.command_slots ? 0 : c.first + 1;
      --c.known;
    }
    CHECK(c.held + c.known < config_.command_slots) << "grant in cycle " << cycle << " without a command slot";
    ++c.held;
  }

  /// The burst reached its channel: LD at grant + 1, ST at last beat read + Lv.
  Service arrive(int64_t cycle, const Burst& burst) {
    Channel& c = channels_[static_cast<size_t>(burst.channel)];
    CHECK(c.held > 0) << "arrival in cycle " << cycle << " without a grant";
    const int64_t columns = access_.floor(burst.address + burst.bytes - 1) - access_.floor(burst.address) + 1;
    const int64_t length = (columns - 1) * config_.tCCD_ticks;
    const int64_t arrival = cycle * config_.ticks_per_cycle;
    int64_t last_column = 0;
    if (config_.banks == 0) {  // MEM-6
      last_column = std::max(arrival, c.next_read) + length;
      c.next_read = last_column + config_.tCCD_ticks;
    } else {
      last_column = schedule(arrival, burst, length);
    }
    Service service;
    service.columns = static_cast<int>(columns);
    service.release_cycle = ticks_.ceil(last_column);
    service.data_cycle = ticks_.ceil(last_column + config_.CL_ticks + config_.BL_ticks);
    if (config_.jitter_max_cycles > 0 && !burst.write) {
      service.data_cycle += jitter_cycles(config_.jitter_seed, arrivals_, config_.jitter_max_cycles);
    }
    ++arrivals_;
    release_slot(c, service.release_cycle);
    return service;
  }

  /// Preset `ideal` only. Appends to `key` what can still influence a grant or arrival, seen from the start of `cycle`:
  /// all arrivals of up to `cycle` were made and all later calls are of `cycle` or later. Two states with equal
  /// appendices serve equal futures equally (without jitter).
  void append_canonical(int64_t cycle, std::vector<int64_t>& key) const;

  /// Preset `ideal` only. Moves the whole state `cycles` into the future.
  void shift(int64_t cycles);

  // MEM-2, from the low end: interleave, channel, column, bank, row. A stripe is one row of one bank of all channels.
  int channel_of(int64_t address) const { return static_cast<int>(address >> interleave_log2_) & (config_.channels - 1); }
  int64_t stripe_of(int64_t address) const { return address >> stripe_log2_; }
  int bank_of(int64_t stripe) const { return static_cast<int>(stripe) & (config_.banks - 1); }
  int64_t row_of(int64_t stripe) const { return stripe >> bank_log2_; }
  const DramConfig& config() const { return config_; }

  /// Refreshes that were due at or before the last command of the channel.
  int64_t refreshes(int channel) const { return channels_[static_cast<size_t>(channel)].refreshes; }

 private:
  static constexpr int64_t kClosed = -1;

  struct Bank {
    int64_t row = kClosed;
    int64_t act = 0;    // open: tick of the first of its G activates
    int64_t ready = 0;  // closed: earliest activate; open: earliest precharge
    uint8_t owner = 0;  // open: the queue that opened the row
  };

  // State of one channel. `held` bursts were granted and have not arrived; the release cycles of `known` more are
  // in a ring that begins at `first`. held + known <= command_slots. Releases never decrease, because columns are
  // issued in order of arrival.
  struct Channel {
    int64_t next_read = 0;  // earliest tick of the next column; ideal: of any direction
    int64_t next_write = 0;
    int64_t next_act = 0;
    int64_t refresh_due = kNever;  // the first refresh that was not served
    int64_t refreshes = 0;
    std::vector<Bank> banks;
    int held = 0;
    int known = 0;
    int first = 0;
    std::vector<int64_t> releases;  // command_slots entries
  };

  // The row stripe of a queue's latest burst; -1 after a closing burst. A row is only open in its owner's stripe.
  struct Queue {
    int64_t stripe = -1;
  };

  int64_t schedule(int64_t arrival, const Burst& burst, int64_t length);
  void refresh(Channel& c);
  void catch_up(Channel& c, int64_t tick);
  void close_rows(uint8_t queue, int64_t tick);

  void release_slot(Channel& c, int64_t cycle) {
    int place = c.first + c.known;
    if (place >= config_.command_slots) place -= config_.command_slots;
    c.releases[static_cast<size_t>(place)] = cycle;
    --c.held;
    ++c.known;
  }

  DramConfig config_;
  FixedDivider ticks_;
  FixedDivider access_;
  int interleave_log2_ = 0;
  int stripe_log2_ = 0;
  int bank_log2_ = 0;
  int64_t act_span_ = 0;   // (G-1) tRRD_S: from the first to the last activate of a logical bank
  int64_t act_pitch_ = 0;  // max(G tRRD_S, tFAW)
  int64_t write_to_read_ = 0;
  int64_t read_to_write_ = 0;
  int64_t write_recovery_ = 0;
  std::vector<Channel> channels_;
  std::array<Queue, kQueues> queues_;
  uint64_t arrivals_ = 0;
};

}  // namespace lockstep::mem
