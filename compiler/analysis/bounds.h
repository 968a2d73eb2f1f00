// Lower bounds of one GEMM on one chip, from shapes alone: no schedule and no program can beat them.
#pragma once

#include <cstdint>

#include "compiler/ir/gemm.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::analysis {

/// Bytes of each operand once, unpadded, of one of the gemm's `count` products.
struct OperandBytes {
  int64_t activations = 0;  // m * k
  int64_t weights = 0;      // k * n
  int64_t outputs = 0;      // 4 * m * n
  int64_t total() const { return activations + weights + outputs; }
};

OperandBytes operand_bytes(const ir::Gemm& gemm);

/// All of one product (count 1), in cycles.
struct Bounds {
  int64_t ideal_cycles = 0;        // ceil(m * n * k / (R * C)): every PE busy with a useful product
  int64_t compute_cycles = 0;      // m * ceil(n / C) * ceil(k / R): one activation row per cycle and tile
  int64_t weight_load_cycles = 0;  // ceil(n / C) * ceil(k / R) * R / b: every tile loaded at least once
  int64_t hbm_cycles = 0;          // compulsory bytes / nominal bytes per cycle
  int64_t lower_bound() const;
  const char* limiter() const;     // "compute", "weight_load" or "hbm": the largest of the three
};

Bounds lower_bounds(const ir::Gemm& gemm, const chip::ChipSpec& chip);

}  // namespace lockstep::analysis
