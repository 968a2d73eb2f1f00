#include "hw/chip/dram_preset.h"

#include <algorithm>

namespace lockstep::chip {

namespace {

/// CL + BL + 2 - CWL, the read-to-write distance of parts whose source does not give one.
constexpr int bus_turn(int cl, int bl, int cwl) { return cl + bl + 2 - cwl; }

// Banks: 4 groups x 4, times stack ids or ranks where there are two.
std::vector<DramPreset> make_presets() {
  return {
      {"hbm2", "Ramulator 2.1, HBM2 8Gb at 2.4 Gb/s", 1200, 16, 307, 8, 4, 16, 32768, 1024, 32,
       {.tRCDrd = 17, .tRCDwr = 14, .tRP = 17, .tRAS = 40, .tRTP = 6, .tWR = 19, .tCCD_S = 2, .tWTR_S = 8,
        .tRTW = bus_turn(17, 2, 6), .tRRD_S = 5, .tFAW = 19, .CL = 17, .CWL = 6, .BL = 2, .tRFC = 421, .tREFI = 4682}},
      {"hbm2_2000", "Ramulator 2.1, HBM2 8Gb at 2.0 Gb/s", 1000, 16, 256, 8, 4, 16, 32768, 1024, 32,
       {.tRCDrd = 14, .tRCDwr = 12, .tRP = 14, .tRAS = 34, .tRTP = 5, .tWR = 16, .tCCD_S = 2, .tWTR_S = 6,
        .tRTW = bus_turn(14, 2, 5), .tRRD_S = 4, .tFAW = 15, .CL = 14, .CWL = 5, .BL = 2, .tRFC = 350, .tREFI = 3900}},
      // 128-bit legacy mode: a channel is not split in two, its 64-byte column takes two clocks of data although the
      // file allows one clock between columns.
      {"hbm2_dramsim3", "DRAMsim3, HBM2_8Gb_x128", 1000, 8, 256, 8, 4, 32, 32768, 1024, 64,
       {.tRCDrd = 14, .tRCDwr = 14, .tRP = 14, .tRAS = 34, .tRTP = 4, .tWR = 16, .tCCD_S = 2, .tWTR_S = 6,
        .tRTW = bus_turn(14, 2, 4), .tRRD_S = 4, .tFAW = 30, .CL = 14, .CWL = 4, .BL = 2, .tRFC = 260, .tREFI = 3900}},
      {"hbm2_dramsys", "DRAMSys, HBM2 (from a graphics BIOS)", 1000, 16, 256, 16, 4, 32, 32768, 1024, 32,
       {.tRCDrd = 12, .tRCDwr = 6, .tRP = 14, .tRAS = 28, .tRTP = 5, .tWR = 14, .tCCD_S = 2, .tWTR_S = 4, .tRTW = 18,
        .tRRD_S = 4, .tFAW = 16, .CL = 17, .CWL = 7, .BL = 2, .tRFC = 220, .tREFI = 3900}},
      {"hbm2_gem5", "gem5, HBM_2000_4H_1x64", 1000, 16, 256, 4, 4, 16, 16384, 1024, 32,
       {.tRCDrd = 12, .tRCDwr = 6, .tRP = 14, .tRAS = 28, .tRTP = 5, .tWR = 14, .tCCD_S = 2, .tWTR_S = 4, .tRTW = 18,
        .tRRD_S = 4, .tFAW = 16, .CL = 18, .CWL = 7, .BL = 2, .tRFC = 220, .tREFI = 3900}},
      {"hbm2e", "extrapolated: the hbm2 bin scaled in nanoseconds to 3.2 Gb/s", 1600, 16, 409, 8, 4, 16, 32768, 1024,
       32,
       {.tRCDrd = 23, .tRCDwr = 19, .tRP = 23, .tRAS = 54, .tRTP = 8, .tWR = 26, .tCCD_S = 2, .tWTR_S = 11,
        .tRTW = bus_turn(23, 2, 8), .tRRD_S = 7, .tFAW = 24, .CL = 23, .CWL = 8, .BL = 2, .tRFC = 560, .tREFI = 6240}},
      {"hbm3", "Ramulator 2.1, HBM3 16Gb 8-high at 6.4 Gb/s", 1600, 32, 819, 16, 4, 32, 16384, 1024, 32,
       {.tRCDrd = 31, .tRCDwr = 15, .tRP = 26, .tRAS = 45, .tRTP = 9, .tWR = 33, .tCCD_S = 2, .tWTR_S = 7, .tRTW = 20,
        .tRRD_S = 4, .tFAW = 24, .CL = 20, .CWL = 10, .BL = 2, .tRFC = 560, .tREFI = 6240}},
      {"ddr4", "Ramulator 2.1, DDR4-3200AA 8Gb x8, one rank of 64 bits", 1600, 1, 25, 8, 4, 16, 65536, 8192, 64,
       {.tRCDrd = 22, .tRCDwr = 22, .tRP = 22, .tRAS = 52, .tRTP = 12, .tWR = 24, .tCCD_S = 4, .tWTR_S = 4,
        .tRTW = bus_turn(22, 4, 16), .tRRD_S = 4, .tFAW = 34, .CL = 22, .CWL = 16, .BL = 4, .tRFC = 576,
        .tREFI = 12480}},
      // The clock is CK; data are strobed by WCK at four times its rate. The read-to-write distance is the bus formula:
      // the source derives its own from WCK rules that are not modelled. tRP is that of one bank (all banks: 17).
      {"lpddr5", "Ramulator 2.1, LPDDR5-6400 16Gb x16", 800, 1, 12, 2, 4, 16, 65536, 2048, 32,
       {.tRCDrd = 15, .tRCDwr = 15, .tRP = 15, .tRAS = 34, .tRTP = 8, .tWR = 28, .tCCD_S = 2, .tWTR_S = 5,
        .tRTW = bus_turn(17, 2, 9), .tRRD_S = 4, .tFAW = 16, .CL = 17, .CWL = 9, .BL = 2, .tRFC = 224, .tREFI = 3125}},
  };
}

}  // namespace

const std::vector<DramPreset>& dram_presets() {
  static const std::vector<DramPreset> kPresets = make_presets();
  return kPresets;
}

const DramPreset* find_dram_preset(std::string_view name) {
  const auto& presets = dram_presets();
  const auto found = std::find_if(presets.begin(), presets.end(), [name](const DramPreset& p) { return p.name == name; });
  return found == presets.end() ? nullptr : &*found;
}

std::vector<std::string> dram_preset_names() {
  std::vector<std::string> names = {"ideal"};
  for (const DramPreset& preset : dram_presets()) names.emplace_back(preset.name);
  return names;
}

int dram_access_bytes(const ChipSpec& chip) {
  const DramPreset* preset = find_dram_preset(chip.dram.preset);
  return preset == nullptr ? chip.dram.access_bytes : preset->access_bytes * chip.dram.gang;
}

double dram_latency_ns(const ChipSpec& chip) {
  const DramPreset* preset = find_dram_preset(chip.dram.preset);
  if (preset == nullptr) return chip.dram.latency_ns;
  const DramTimers& t = preset->timers;
  const int clocks = (preset->bank_groups - 1) * t.tRRD_S + t.tRCDrd + t.CL;  // MEM-4
  return clocks * 1000.0 / preset->clock_MHz;
}

}  // namespace lockstep::chip
