#include "tests/property/gemm_layout.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::testgen {
namespace {

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// VMEM-1: `width` bytes a row, strides multiples of the width, so that no row straddles a line. With a byte offset
/// the rows are whole lines apart.
TileLayout tile_layout(const chip::ChipSpec& chip, int64_t width, int64_t extra_stride, int64_t offset, int64_t rows,
                       int64_t step, int64_t steps, int64_t tiles) {
  const int64_t line = chip::line_bytes(chip);
  const int64_t room = line - width;
  offset = room == 0 ? 0 : std::abs(offset) % (room + 1);
  TileLayout tile;
  const int64_t unit = offset % width == 0 ? width : line;
  tile.row_stride = (1 + extra_stride) * unit;
  Extent extent{0, width + offset};
  extent.walk(tile.row_stride, rows);
  extent.walk(step * unit, steps);
  extent.low = -round_up(-extent.low, line);
  tile.start = -extent.low + offset;
  tile.tile_step = round_up(extent.size(), std::max<int64_t>(line, chip.dma.granule_bytes));
  tile.item_bytes = tile.tile_step * tiles;
  return tile;
}

}  // namespace

TileLayout weight_layout(const chip::ChipSpec& chip, const LayerSpec& spec, int tiles) {
  const int64_t extra = spec.w_stride < 0 ? spec.w_stride - 1 : spec.w_stride;  // -1: packed, backwards
  return tile_layout(chip, chip.mxu.cols, extra, spec.w_offset, chip.mxu.rows, 0, 1, tiles);
}

TileLayout activation_layout(const chip::ChipSpec& chip, const LayerSpec& spec, int tiles) {
  return tile_layout(chip, chip.mxu.rows, spec.a_stride, 0, std::max(1, spec.rows), spec.a_step, spec.mms_per_wld, tiles);
}

DrainLayout drain_layout(const chip::ChipSpec& chip, const LayerSpec& spec) {
  DrainLayout drain;
  const int64_t lanes = chip.vpu.lanes;
  drain.chunks = std::max(0, spec.vx_chunks);
  drain.cols = std::clamp<int64_t>(spec.vx_cols, 0, drain.chunks * lanes);
  drain.rows = std::max(0, spec.vx_rows);
  // A multiple of R too: the next layer reads rows of R bytes from it (VMEM-1).
  drain.pitch = round_up((std::max<int64_t>(1, drain.chunks) + std::max(0, spec.vx_gap)) * lanes * 4, chip.mxu.rows);
  const int64_t parts = std::max(1, spec.vx_parts.count);
  Extent acc{0, 1};
  acc.walk(std::max(0, spec.vx_row_stride), std::max<int64_t>(1, drain.rows));
  acc.walk(1, (std::max<int64_t>(1, drain.chunks) - 1) / (chip.mxu.cols / lanes) + 1);
  acc.walk(1, parts);
  drain.acc_rows = acc.size();
  drain.steps.acc = 1;
  drain.steps.chip = drain.pitch * std::max<int64_t>(1, drain.rows);
  drain.out_bytes = drain.steps.chip * parts;
  drain.dense = drain.rows > 0 && drain.chunks > 0 && drain.pitch == drain.cols * 4;
  return drain;
}

Transfer tile_transfer(const ShapeSpec& gaps, bool strided, int64_t bytes, int64_t granule) {
  ShapeSpec shape;
  shape.unit = static_cast<int>(bytes / granule);
  if (strided) {
    if (shape.unit % 2 == 0) shape.unit /= 2, shape.hbm_n1 = 2;
    if (shape.unit % 2 == 0) shape.unit /= 2, shape.reps = 2;
    shape.hbm_gap = gaps.hbm_gap;
    shape.hbm_rep_gap = gaps.hbm_rep_gap;
  }
  return make_transfer(shape, granule);
}

}  // namespace lockstep::testgen
