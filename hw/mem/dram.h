// DRAM timing behind the burst arbiter: one class, used by the fast model and, behind the TLM socket, by RTL.
//
//   grant ----> take_slot()           a command slot of the channel is held from the grant ...
//   arrival --> arrive() -> Service   ... to the last column command (MEM-4); reads get their data cycle
//
// Calls must come in non-decreasing cycle order; arrivals of one cycle in unit order LD0, LD1, ST0.
// Built: preset `ideal` (MEM-6). Times inside are ticks of 1/ticks_per_cycle core cycle; the interface is cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"

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
  double rounding_loss_pct = 0;
  uint32_t jitter_seed = 0;      // test instrument, see target::RunOptions
  int jitter_max_cycles = 0;
};

/// E-coded Diag when the preset is not built.
Result<DramConfig> make_dram_config(const chip::ChipSpec& chip);

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

  /// True when the channel has a free command slot at the start of `cycle`.
  bool slot_free(int channel, int64_t cycle) const;

  /// Earliest cycle at whose start a slot is free given the arrivals so far; INT64_MAX when every slot is held
  /// by a burst that has not arrived.
  int64_t slot_free_at(int channel) const;

  /// A burst was granted in `cycle`.
  void take_slot(int channel, int64_t cycle);

  /// The burst reached its channel: LD at grant + 1, ST at last beat read + Lv.
  Service arrive(int64_t cycle, const Burst& burst);

  int channel_of(int64_t address) const;
  int64_t stripe_of(int64_t address) const { return address / config_.stripe_bytes; }
  const DramConfig& config() const { return config_; }

 private:
  struct Channel {
    int64_t next_column_tick = 0;     // earliest tick of the next column
    int held = 0;                     // granted, last column not yet known
    std::deque<int64_t> releases;     // known release cycles, non-decreasing, pruned lazily
  };

  DramConfig config_;
  std::vector<Channel> channels_;
  uint64_t arrivals_ = 0;
};

}  // namespace lockstep::mem
