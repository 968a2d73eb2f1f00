// The figures of a chip's DRAM that decide time, resolved once per chip (MEM-1..3): ticks of 1/D core cycle.
#pragma once

#include <cstdint>
#include <type_traits>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::mem {

/// Resolved timing of a chip's DRAM; what the class uses and `lockstep check` prints. Plain bytes: it is sent to the
/// RTL worker as they stand.
struct DramConfig {
  int ticks_per_cycle = 1;  // D of MEM-3
  int channels = 1;
  int access_bytes = 0;       // bytes of one column access of a logical channel
  int64_t stripe_bytes = 0;   // row stripe of DMA-3: channels x row; ideal: 8,192
  int command_slots = 0;      // per channel
  int tCCD_ticks = 0;
  int CL_ticks = 0;
  int BL_ticks = 0;
  double nominal_bytes_per_cycle = 0;    // before rounding to ticks
  double effective_bytes_per_cycle = 0;  // of all channels: access_bytes * ticks_per_cycle / tCCD_ticks each
  double rounding_loss_pct = 0;          // 100 * (1 - effective / nominal)
  uint32_t jitter_seed = 0;      // test instrument, see target::RunOptions
  int jitter_max_cycles = 0;

  // Banks, rows and refresh; all 0 for `ideal` (MEM-6).
  int banks = 0;               // logical banks of a channel (MEM-1)
  int bank_groups = 1;         // G
  int interleave_bytes = 1;    // MEM-2: channel interleave = dma.burst_bytes
  int64_t row_bytes = 0;       // row of a logical bank: page x G x gang
  int tRCDrd_ticks = 0;
  int tRCDwr_ticks = 0;
  int tRP_ticks = 0;
  int tRAS_ticks = 0;
  int tRTP_ticks = 0;
  int tWR_ticks = 0;
  int tWTR_ticks = 0;
  int tRTW_ticks = 0;
  int tRRD_ticks = 0;
  int tFAW_ticks = 0;
  int CWL_ticks = 0;
  int tRFC_ticks = 0;
  int tREFI_ticks = 0;  // 0: no refresh

  /// P of MEM-2: addresses this far apart lie in the same bank of the same channel.
  int64_t period_bytes() const { return stripe_bytes * banks; }

  /// MEM-5: the part of the time that refresh leaves.
  double refresh_share() const {
    return tREFI_ticks == 0 ? 1.0 : 1.0 - static_cast<double>(tRFC_ticks) / tREFI_ticks;
  }

  /// The rate that "bound by DRAM" is measured against.
  double bound_bytes_per_cycle() const { return effective_bytes_per_cycle * refresh_share(); }
};
static_assert(std::is_trivially_copyable_v<DramConfig>);

/// E0911 when a figure cannot be used.
Result<DramConfig> make_dram_config(const chip::ChipSpec& chip);

}  // namespace lockstep::mem
