// What a schedule is expected to cost, from closed forms: the currency in which schedules are compared.
// It is an estimate (no arbitration, no dispatch detail), but its byte counts are exact.
#pragma once

#include <cstdint>

#include "compiler/analysis/tiling.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::analysis {

struct Cost {
  int64_t cycles = 0;           // estimate of the whole program
  int64_t matrix_cycles = 0;    // sum of tile periods: max(rows, La, R / b, 2)
  int64_t vector_cycles = 0;    // VX time of all drains (VX-1)
  int64_t memory_cycles = 0;    // bytes moved / bytes per cycle
  int64_t hbm_read_bytes = 0;   // exact
  int64_t hbm_write_bytes = 0;  // exact
  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost estimate_cost(const Tiling& tiling, const chip::ChipSpec& chip);

}  // namespace lockstep::analysis
