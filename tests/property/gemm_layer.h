// One layer of a gemm flow: its weights, accumulators and the words of an item.
//
//   item:  [LD w] [LD a]  K tile 0 .. K tile n-1  VX        K tile: [LD w] [LD a] WLD MM MM ..
#pragma once

#include "tests/property/gemm_layout.h"

namespace lockstep::testgen {

/// Which K tile a word belongs to: a number, or every iteration of the middle loop.
struct TileAt {
  int index = 0;
  bool first = true, last = true;
  bool in_loop = false;
  uint8_t loop = 0;
};

/// Where a layer's activations are: loaded by the flow, or left in VMEM by the layer before (`loaded` null).
struct ActivationUse {
  const Operand* loaded = nullptr;
  TileLayout tile;
  Store store;
  Link link;
  int residency = kPerTile;
};

class LayerLowering {
 public:
  /// References must outlive the object.
  LayerLowering(Resources& res, const GemmSpec& flow, const LayerSpec& spec, const Nest& nest, const ActivationUse& act);

  bool ahead() const { return ahead_; }
  const Operand& weights() const { return w_; }
  Access weight_use() const { return {&w_.link, false}; }

  /// The words of one item up to its VX; `out` is where the VX writes.
  Block item(const Store& out, const Link& out_link, const PartsSpec& vx_parts);
  isa::Instr weight_load(const TileAt& at, bool in_nest);
  isa::Instr activation_load(const TileAt& at, bool in_nest);
  isa::Instr wld(const TileAt& at);

 private:
  uint8_t unit() const { return static_cast<uint8_t>(flow_.mxu); }
  uint32_t rows_valid(int limit, bool last) const;
  uint32_t cols_valid(int limit) const;
  void make_weights();
  void make_accumulators();
  isa::Instr operand_load(const Operand& operand, int unit, const TileAt& at, bool in_nest) const;
  Block middle_tiles();
  Block tile(const TileAt& at);
  Block weight_words(const TileAt& at);
  isa::Instr mm(const TileAt& at, int j);
  void add_mm_tokens(isa::Instr& word, const TileAt& at, int j);
  Block drain_words(const Store& out, const Link& out_link, PartsSpec parts);

  Resources& res_;
  const GemmSpec& flow_;
  const LayerSpec& spec_;
  const Nest& nest_;
  const ActivationUse& act_;
  int tiles_, mms_;
  bool ahead_;
  DrainLayout drain_;
  TileLayout w_tile_;
  Operand w_;
  Store acc_;
  Link acc_link_;
  bool acc_counted_ = false;
};

/// True when the LD of an item goes before its use in the body: always without lookahead, never with a full one.
inline bool loads_first(int ahead, int slots, int late) { return ahead == 0 || (ahead < slots && late == 0); }

/// Steps of activations per loop of the nest keep rows in their lines.
int64_t chip_stride_unit(const chip::ChipSpec& chip);

}  // namespace lockstep::testgen
