// DRAM timing behind the burst arbiter: one class, used by the fast model and, behind the TLM socket, by RTL.
//
//   grant ----> take_slot()           a command slot of the channel is held from the grant ...
//   arrival --> arrive() -> Service   ... to the last column command (MEM-4); reads get their data cycle
//
// Calls must come in non-decreasing cycle order; arrivals of one cycle in unit order LD0, LD1, ST0.
// Within one cycle the order of slot_free / take_slot / arrive does not matter: a slot released by an arrival
// of cycle a is free at a + 1 at the earliest. A caller that knows that no other arrival can come first may run
// arrive() ahead of the clock.
// Built: preset `ideal` (MEM-6). Times inside are ticks of 1/ticks_per_cycle core cycle; the interface is cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "hw/base/check.h"
#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/mem/fixed_divider.h"

namespace lockstep::mem {

/// Resolved timing of a chip's DRAM, in ticks; what the class uses and `lockstep check` prints.
struct DramConfig {
  int ticks_per_cycle = 1;  // D of MEM-3
  int channels = 1;
  int access_bytes = 0;       // bytes of one column access
  int64_t stripe_bytes = 0;   // row stripe of DMA-3; ideal: 8,192
  int command_slots = 0;      // per channel
  int tCCD_ticks = 0;
  int CL_ticks = 0;
  int BL_ticks = 0;
  double nominal_bytes_per_cycle = 0;    // before rounding to ticks
  double effective_bytes_per_cycle = 0;  // access_bytes * ticks_per_cycle / tCCD_ticks
  double rounding_loss_pct = 0;          // 100 * (1 - effective / nominal)
  uint32_t jitter_seed = 0;      // test instrument, see target::RunOptions
  int jitter_max_cycles = 0;
};

/// E-coded Diag when the preset is not built or a figure cannot be used.
Result<DramConfig> make_dram_config(const chip::ChipSpec& chip);

/// The test instrument's extra data latency of the `arrival`-th burst (reads and writes counted alike, from 0 at
/// reset): hash(seed, arrival) mod (max_cycles + 1), a pure function so that RTL and model see the same delays.
int64_t jitter_cycles(uint32_t seed, uint64_t arrival, int max_cycles);

struct Burst {
  int channel = 0;
  int64_t address = 0;  // HBM byte
  int bytes = 0;        // > 0, does not cross a burst_bytes boundary
  bool write = false;
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
    const int64_t first_column = std::max(cycle * config_.ticks_per_cycle, c.next_column_tick);
    const int64_t last_column = first_column + (columns - 1) * config_.tCCD_ticks;
    c.next_column_tick = last_column + config_.tCCD_ticks;
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

  int channel_of(int64_t) const { return 0; }  // ideal: one channel
  int64_t stripe_of(int64_t address) const { return stripe_.floor(address); }
  const DramConfig& config() const { return config_; }

 private:
  // State of one channel. `held` bursts were granted and have not arrived; the release cycles of `known` more are
  // in a ring that begins at `first`. held + known <= command_slots. Releases never decrease, because columns are
  // issued in order of arrival.
  struct Channel {
    int64_t next_column_tick = 0;  // earliest tick of the next column
    int held = 0;
    int known = 0;
    int first = 0;
    std::vector<int64_t> releases;  // command_slots entries
  };

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
  FixedDivider stripe_;
  std::vector<Channel> channels_;
  uint64_t arrivals_ = 0;
};

}  // namespace lockstep::mem
