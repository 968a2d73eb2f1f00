// Where a layer of a gemm flow keeps its operands, and its channels.
#pragma once

#include "tests/property/channel.h"

namespace lockstep::testgen {

/// Rows of an operand tile in VMEM relative to the item: row r of tile k at start + k * tile_step + r * row_stride.
struct TileLayout {
  int64_t start = 0;
  int64_t row_stride = 0;
  int64_t tile_step = 0;
  int64_t item_bytes = 0;
};

TileLayout weight_layout(const chip::ChipSpec& chip, const LayerSpec& spec, int tiles);
/// Activations of `mms` MMs, `spec.a_step` rows apart.
TileLayout activation_layout(const chip::ChipSpec& chip, const LayerSpec& spec, int tiles);

/// The VX of a layer: rows it reads in the accumulators, bytes it writes.
struct DrainLayout {
  int64_t chunks = 1, cols = 1, rows = 1;
  int64_t pitch = 0;       // bytes from row to row in VMEM
  int64_t acc_rows = 0;    // rows read, all parts
  int64_t out_bytes = 0;   // all parts
  PartSteps steps;
  bool dense = false;  // writes every byte of out_bytes
};
DrainLayout drain_layout(const chip::ChipSpec& chip, const LayerSpec& spec);

/// Contiguous in VMEM; with `strided` cut into runs and repetitions apart in HBM.
Transfer tile_transfer(const ShapeSpec& gaps, bool strided, int64_t bytes, int64_t granule);

/// A loaded operand: storage, tokens and where it comes from.
struct Operand {
  Transfer load;
  Store store;
  Link link;
  int64_t hbm = 0;
  int64_t hbm_tile_step = 0;
  int ahead = 0;  // items loaded before they are consumed in program order
};

}  // namespace lockstep::testgen
