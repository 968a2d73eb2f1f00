#include "compiler/analysis/tiling.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "compiler/ir/integer_math.h"
#include "hw/base/check.h"

namespace lockstep::analysis {

namespace {

using ir::ceil_div;
using ir::round_up;

constexpr int64_t kOutputElementBytes = 4;

void place_in_hbm(Tiling& t, int64_t granule) {
  HbmLayout& h = t.hbm;
  h.activation_row_bytes = round_up(t.shape.k, granule);
  // Whole granules of C-byte rows; C and the granule are powers of two, so lcm is the larger.
  h.weight_block_bytes = round_up(t.shape.k * t.cols, std::lcm(granule, t.cols));
  h.weight_rows = h.weight_block_bytes / t.cols;
  h.output_rows = round_up(t.shape.m, t.row_pad);
  h.output_block_bytes = h.output_rows * t.cols * kOutputElementBytes;
  h.activations = 0;
  h.weights = round_up(h.activations + t.shape.m * h.activation_row_bytes, kHbmAlign);
  h.outputs = round_up(h.weights + t.n_tile.count * h.weight_block_bytes, kHbmAlign);
  h.bytes = h.outputs + t.n_tile.count * h.output_block_bytes;
}

void place_in_vmem(Tiling& t, int64_t line, int64_t granule) {
  VmemLayout& v = t.vmem;
  const ir::Schedule& s = t.schedule;
  const int64_t align = std::lcm(line, granule);  // of slots: a transfer's end may be padded to the granule
  const int64_t slice_k = t.resident() ? t.k_tile.count : t.k.full;
  v.activation_row_bytes = round_up(slice_k * t.rows, std::lcm(granule, t.rows));
  v.activation_slot_bytes = round_up(t.m.full * v.activation_row_bytes, align);
  v.weight_slot_bytes = round_up(t.k.full * t.rows * t.cols, align);
  v.output_slot_bytes = round_up(t.n.full * round_up(t.m.full, t.row_pad) * t.cols * kOutputElementBytes, align);
  v.weights = 0;
  v.activations = v.weights + s.weight_buffers * v.weight_slot_bytes;
  v.outputs = v.activations + s.activation_buffers * v.activation_slot_bytes;
  v.bytes = v.outputs + s.output_buffers * v.output_slot_bytes;
}

}  // namespace

Cut cut(int64_t total, int64_t piece) {
  CHECK(total >= 1 && piece >= 1) << total << " in pieces of " << piece;
  Cut c;
  c.full = std::min(piece, total);
  c.count = ceil_div(total, c.full);
  c.last = total - (c.count - 1) * c.full;
  return c;
}

int64_t slice_quantum(const chip::ChipSpec& chip) {
  return std::lcm<int64_t>(chip.dma.granule_bytes, chip.mxu.rows) / chip.mxu.rows;
}

int64_t output_row_pad(const chip::ChipSpec& chip) {
  const int64_t row_bytes = chip.mxu.cols * kOutputElementBytes;
  return std::lcm<int64_t>(chip.dma.granule_bytes, row_bytes) / row_bytes;
}

int64_t Tiling::padded_rows(int64_t m_block) const { return round_up(m.extent(m_block), row_pad); }

int64_t Tiling::slice_k_bytes(int64_t k_slice) const {
  return k_slice < k.count - 1 ? k.full * rows : hbm.activation_row_bytes - k_slice * k.full * rows;
}

int64_t Tiling::slice_weight_bytes(int64_t k_slice) const {
  return k_slice < k.count - 1 ? k.full * rows * cols : hbm.weight_block_bytes - k_slice * k.full * rows * cols;
}

Tiling resolve_tiling(const ir::Gemm& gemm, const chip::ChipSpec& chip, const ir::Schedule& schedule) {
  Tiling t;
  t.shape = {gemm.m, gemm.n, gemm.k};
  t.schedule = schedule;
  t.rows = chip.mxu.rows;
  t.cols = chip.mxu.cols;
  t.row_pad = output_row_pad(chip);
  t.m = cut(gemm.m, schedule.tm);
  t.n_tile = cut(gemm.n, t.cols);
  t.k_tile = cut(gemm.k, t.rows);
  t.n_tile.full = t.cols;  // an array tile keeps its size even when it is the only one
  t.k_tile.full = t.rows;
  t.n = cut(t.n_tile.count, schedule.tn);
  t.k = cut(t.k_tile.count, schedule.tk);
  place_in_hbm(t, chip.dma.granule_bytes);
  place_in_vmem(t, chip::line_bytes(chip), chip.dma.granule_bytes);
  t.accumulator_rows = schedule.accumulator_buffers * t.n.full * round_up(t.m.full, t.row_pad);
  return t;
}

std::string vmem_breakdown(const Tiling& t) {
  return fmt::format("weights {} x {} B + activations {} x {} B + outputs {} x {} B = {} B", t.schedule.weight_buffers,
                     t.vmem.weight_slot_bytes, t.schedule.activation_buffers, t.vmem.activation_slot_bytes,
                     t.schedule.output_buffers, t.vmem.output_slot_bytes, t.vmem.bytes);
}

}  // namespace lockstep::analysis
