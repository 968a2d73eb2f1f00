#include "hw/chip/chip_spec.h"

#include <algorithm>
#include <string>

// One hash in one file: the header-only form avoids a run-time dependency on the shared library.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hw/chip/dram_preset.h"
#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"

namespace lockstep::chip {

namespace {

constexpr int kWordBytes = 4;     // a VPU lane and an accumulator word are 32 bit
constexpr int kSublanes = 8;      // rows of a vector register (VPU-1)
constexpr int64_t kKiB = 1024;

}  // namespace

int line_bytes(const ChipSpec& chip) {
  // int8 operands, 1 byte each: an activation row is R * k_per_pe, a weight row C elements.
  return std::max({kWordBytes * chip.vpu.lanes, chip.mxu.rows * chip.mxu.k_per_pe.int8, chip.mxu.cols});
}

int issue_interval(const ChipSpec& chip) { return kSublanes / chip.vpu.rows_per_cycle; }

int64_t vmem_bytes(const ChipSpec& chip) { return chip.vmem.size_KiB * kKiB; }

double dram_bytes_per_cycle(const ChipSpec& chip) {
  if (const DramPreset* preset = find_dram_preset(chip.dram.preset)) {
    const double column_cycles = static_cast<double>(preset->timers.tCCD_S) * chip.clock_MHz / preset->clock_MHz;
    return static_cast<double>(chip.dram.channels) * dram_access_bytes(chip) / column_cycles;
  }
  // GB/s over MHz: 1e9 / 1e6 leaves a factor of 1000.
  return chip.dram.bandwidth_GBps * 1000.0 / chip.clock_MHz;
}

uint64_t timing_hash(const ChipSpec& chip) {
  // Text, not memory: no padding, no byte order, doubles in their shortest round-trip form.
  std::string canonical;
  for (const Field& field : chip_fields()) {
    if (field.is_timing_relevant) canonical.append(field.name).append("=").append(field_text(field, chip)).append(";");
  }
  return XXH3_64bits(canonical.data(), canonical.size());
}

}  // namespace lockstep::chip
