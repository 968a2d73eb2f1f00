// A GEMM cut by a schedule on a chip, all derived numbers resolved once: counts, remainders, the layout of the
// operands in HBM and of their slices in VMEM.
//
// HBM (base 0; each operand starts at a multiple of kHbmAlign):
//   activations  row-major, a row padded to the DMA granule
//   weights      one block of C columns per n tile: rows of C bytes, contiguous over k, so that any k slice of an n tile
//                is one run; the rows are padded to the granule only
//   outputs      one block of C int32 columns per n tile, rows contiguous, so that an m block of an n tile is one run
// VMEM:
//   weight slots | activation slots | output slots, each operand aligned to the VMEM line
#pragma once

#include <cstdint>
#include <string>

#include "compiler/ir/gemm.h"
#include "compiler/ir/schedule.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::analysis {

/// Operands start at multiples of this, so that none shares a DRAM row stripe with another.
inline constexpr int64_t kHbmAlign = 8192;

/// A count of equal pieces of which the last may be smaller.
struct Cut {
  int64_t count = 0;
  int64_t full = 0;  // extent of every piece but the last
  int64_t last = 0;  // extent of the last, 1..full
  bool has_tail() const { return last != full; }
  int64_t extent(int64_t piece) const { return piece == count - 1 ? last : full; }
};

/// [0, total) in pieces of `piece`.
Cut cut(int64_t total, int64_t piece);

struct HbmLayout {
  int64_t activation_row_bytes = 0;
  int64_t weight_rows = 0;          // k rows stored per n tile, padding included
  int64_t weight_block_bytes = 0;   // of one n tile
  int64_t output_rows = 0;          // m rows stored per n tile, padding included
  int64_t output_block_bytes = 0;   // of one n tile
  int64_t activations = 0;          // offsets
  int64_t weights = 0;
  int64_t outputs = 0;
  int64_t bytes = 0;
};

struct VmemLayout {
  int64_t weight_slot_bytes = 0;
  int64_t activation_slot_bytes = 0;  // resident: a whole m block
  int64_t activation_row_bytes = 0;   // stride of a row within a slot
  int64_t output_slot_bytes = 0;
  int64_t weights = 0;  // offsets
  int64_t activations = 0;
  int64_t outputs = 0;
  int64_t bytes = 0;
};

/// Extents of one product: C[m x n] = A[m x k] * B[k x n].
struct Shape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
};

struct Tiling {
  Shape shape;
  ir::Schedule schedule;
  int64_t rows = 0;        // R
  int64_t cols = 0;        // C
  Cut m;                   // rows into m blocks
  Cut n_tile;              // columns into array tiles
  Cut k_tile;              // depth into array tiles
  Cut n;                   // n tiles into n blocks
  Cut k;                   // k tiles into k slices
  int64_t row_pad = 1;     // stored output rows come in multiples of this (a granule of C int32)
  HbmLayout hbm;
  VmemLayout vmem;
  int64_t accumulator_rows = 0;  // all buffers

  bool resident() const { return schedule.activations == ir::Activations::kResident; }
  int64_t padded_rows(int64_t m_block) const;         // rows of an m block as stored
  int64_t slice_k_bytes(int64_t k_slice) const;       // bytes of one activation row in a slice, padded
  int64_t slice_weight_bytes(int64_t k_slice) const;  // of one n tile, padded
  int64_t n_tiles_before(int64_t n_block) const { return n_block * n.full; }
};

/// k tiles a slice must be a multiple of, so that its activation runs are whole granules.
int64_t slice_quantum(const chip::ChipSpec& chip);

/// Output rows that make a granule.
int64_t output_row_pad(const chip::ChipSpec& chip);

/// Any schedule whose tile extents are >= 1; legality is a question for the passes.
Tiling resolve_tiling(const ir::Gemm& gemm, const chip::ChipSpec& chip, const ir::Schedule& schedule);

/// "weights 3 x 65,536 B + activations ... = ... B": the bytes of each VMEM user, for messages.
std::string vmem_breakdown(const Tiling& tiling);

}  // namespace lockstep::analysis
