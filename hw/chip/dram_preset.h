// Datasheet figures of the DRAM parts a chip may name in `dram.preset`, in clocks of the part.
//
// Each row says which public configuration it comes from. Published models of one part disagree, so they stand here
// side by side under names of their own instead of as one averaged part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/chip/chip_spec.h"

namespace lockstep::chip {

/// The closed list of timers (MEM-4, MEM-5), in clocks. tCCD_L and tRRD_L have no member: MEM-1 hides them.
struct DramTimers {
  int tRCDrd = 0;
  int tRCDwr = 0;
  int tRP = 0;
  int tRAS = 0;
  int tRTP = 0;
  int tWR = 0;   // end of write data to precharge
  int tCCD_S = 0;
  int tWTR_S = 0;  // end of write data to read column
  int tRTW = 0;    // read column to write column
  int tRRD_S = 0;
  int tFAW = 0;
  int CL = 0;
  int CWL = 0;
  int BL = 0;  // clocks of data of one column
  int tRFC = 0;
  int tREFI = 0;
};

struct DramPreset {
  std::string_view name;
  std::string_view source;
  int clock_MHz = 0;
  int pseudo_channels = 0;  // independent channels of one stack, module or device
  int peak_GBps = 0;        // published peak of that unit, rounded down
  int capacity_GiB = 0;     // of that unit
  int bank_groups = 0;
  int banks = 0;  // of one pseudo-channel, ranks or stack ids included
  int rows = 0;
  int page_bytes = 0;    // row of one bank of one pseudo-channel
  int access_bytes = 0;  // one column of one pseudo-channel
  DramTimers timers;
};

const std::vector<DramPreset>& dram_presets();

/// nullptr for `ideal` and for names that do not exist.
const DramPreset* find_dram_preset(std::string_view name);

/// "ideal" and the names of dram_presets().
std::vector<std::string> dram_preset_names();

/// Bytes of one column access of a logical channel (MEM-1): all pseudo-channels of the gang.
int dram_access_bytes(const ChipSpec& chip);

/// From the arrival of a read at an idle channel with closed banks to its first data.
double dram_latency_ns(const ChipSpec& chip);

}  // namespace lockstep::chip
