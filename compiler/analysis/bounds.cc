#include "compiler/analysis/bounds.h"

#include <algorithm>
#include <cmath>

#include "hw/base/check.h"

namespace lockstep::analysis {

namespace {

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

OperandBytes operand_bytes(const ir::Gemm& gemm) {
  return {gemm.m * gemm.k, gemm.k * gemm.n, 4 * gemm.m * gemm.n};
}

int64_t Bounds::lower_bound() const { return std::max({compute_cycles, weight_load_cycles, hbm_cycles}); }

const char* Bounds::limiter() const {
  if (compute_cycles >= weight_load_cycles && compute_cycles >= hbm_cycles) return "compute";
  return weight_load_cycles >= hbm_cycles ? "weight_load" : "hbm";
}

Bounds lower_bounds(const ir::Gemm& gemm, const chip::ChipSpec& chip) {
  const int64_t rows = chip.mxu.rows;
  const int64_t cols = chip.mxu.cols;
  const int64_t tiles = ceil_div(gemm.n, cols) * ceil_div(gemm.k, rows);
  const double bytes_per_cycle = chip::dram_bytes_per_cycle(chip);
  CHECK(bytes_per_cycle > 0) << "a validated chip has a memory bandwidth";
  Bounds bounds;
  bounds.ideal_cycles = ceil_div(gemm.m * gemm.n * gemm.k, rows * cols);
  bounds.compute_cycles = gemm.m * tiles;
  bounds.weight_load_cycles = tiles * (rows / chip.mxu.weight_load_rows);
  bounds.hbm_cycles = static_cast<int64_t>(std::ceil(static_cast<double>(operand_bytes(gemm).total()) / bytes_per_cycle));
  return bounds;
}

}  // namespace lockstep::analysis
