// Gemm flows: LD of weights and activations, one or two layers, ST of the result.
#include <algorithm>
#include <memory>
#include <utility>

#include "tests/property/flows.h"
#include "tests/property/gemm_layer.h"

namespace lockstep::testgen {

using isa::Op;

isa::Instr mm_gate(Resources& res, int mxu, const std::vector<Access>& accesses, uint16_t step) {
  isa::Instr word = isa::blank_instr(Op::kMm);
  word.unit = static_cast<uint8_t>(mxu);
  std::get<isa::MmBody>(word.body).first = true;  // an accumulating one could hit MXU-4
  word.step = step;
  add_waits(res, word, accesses);
  add_posts(res, word, accesses);
  return word;
}

Block gate_pair(Resources& res, int mxu, const std::vector<Access>& wld, const std::vector<Access>& mm, uint16_t wld_step) {
  isa::Instr load = isa::blank_instr(Op::kWld);
  load.unit = static_cast<uint8_t>(mxu);
  load.step = wld_step;
  add_waits(res, load, wld);
  add_posts(res, load, wld);
  isa::Instr use = mm_gate(res, mxu, mm, 0);
  std::get<isa::MmBody>(use.body).switch_plane = true;
  Block block;
  block.push_back(word_node(load));
  block.push_back(word_node(use));
  return block;
}

namespace {

class GemmLowering {
 public:
  GemmLowering(Resources& res, const GemmSpec& spec) : res_(res), spec_(spec), nest_(res, spec.nest) {
    if (spec.layers.empty() || spec.layers.size() > 2 || spec.mxu >= res.chip().mxu.count) {
      res.fail();
      return;
    }
    make_activations();
    act_[0] = {&a_, a_tile_, a_.store, a_.link, spec.a_residency};
    layers_.push_back(std::make_unique<LayerLowering>(res, spec, spec.layers[0], nest_, act_[0]));
    make_output(0);
    if (spec.layers.size() == 1) return;
    act_[1] = {nullptr, hidden_tile_, out_[0], out_link_[0], kPerItem};
    layers_.push_back(std::make_unique<LayerLowering>(res, spec, spec.layers[1], nest_, act_[1]));
    make_output(1);
  }

  Block arrange() {
    if (res_.failed()) return {};
    Block block = prologue();
    Block body;
    const bool per_item = spec_.a_residency == kPerItem;
    const bool a_early = per_item && loads_first(a_.ahead, a_.store.slots, spec_.a_late);
    if (a_early) body.push_back(word_node(layers_[0]->activation_load({}, true)));
    for (size_t l = 0; l < layers_.size(); ++l) append(body, layers_[l]->item(out_[l], out_link_[l], spec_.layers[l].vx_parts));
    if (per_item && !a_early) body.push_back(word_node(layers_[0]->activation_load({}, true)));
    if (spec_.has_store != 0) append(body, store_words());
    append(block, nest_.wrap(std::move(body)));
    append(block, epilogue());
    return block;
  }

 private:
  void make_activations() {
    const LayerSpec& first = spec_.layers[0];
    const int tiles = spec_.a_residency == kPerTile ? 1 : std::max(1, first.k_tiles);
    a_tile_ = activation_layout(res_.chip(), first, tiles);
    if (spec_.a_residency == kOnce) {
      const Extent wide = nest_.widen({0, a_tile_.item_bytes}, spec_.nest.chip_strides, chip_stride_unit(res_.chip()));
      const int64_t line = std::max<int64_t>(chip::line_bytes(res_.chip()), res_.granule());
      const int64_t below = (-wide.low + line - 1) / line * line;
      a_tile_.start += below;
      a_tile_.item_bytes = (wide.high + below + line - 1) / line * line;
    }
    a_.load = tile_transfer(spec_.a_load, spec_.strided_loads != 0, a_tile_.item_bytes, res_.granule());
    a_.store = make_vmem_store(res_, a_tile_.item_bytes, spec_.a_residency == kOnce ? 1 : spec_.a_slots, chip::line_bytes(res_.chip()));
    a_.link = make_link(res_, a_.store.slots, 1, spec_.token_scale, spec_.free_at_done != 0);
    a_.ahead = spec_.a_residency == kOnce ? 0 : std::clamp(spec_.a_lookahead, 0, a_.store.slots);
    a_.hbm_tile_step = spec_.a_residency == kPerTile ? a_.load.hbm_extent.size() : 0;
    Extent from = nest_.widen(a_.load.hbm_extent, spec_.nest.load_strides, res_.granule());
    from.walk(a_.hbm_tile_step, std::max(1, first.k_tiles));
    a_.hbm = res_.hbm(from.low, from.high);
  }

  /// Storage behind the VX of layer `l`: for layer 2 to multiply, for ST, or for nobody.
  void make_output(size_t l) {
    const LayerSpec& spec = spec_.layers[l];
    const DrainLayout drain = drain_layout(res_.chip(), spec);
    int64_t bytes = std::max<int64_t>(drain.out_bytes, 1);
    PartsSpec consumer;
    if (l + 1 < spec_.layers.size()) {
      bytes = std::max(bytes, make_hidden_tile(drain, spec_.layers[l + 1]));
    } else if (spec_.has_store != 0) {
      consumer = spec_.store_parts;
      store_ = make_transfer(spec_.store, res_.granule());
      store_extent_ = store_.vmem_extent;
      store_extent_.walk(store_.vmem_extent.size(), std::max(1, spec_.store_parts.count));
      bytes = std::max(bytes, store_extent_.size());
      Extent to = store_.hbm_extent;
      to.walk(store_.hbm_extent.size(), std::max(1, spec_.store_parts.count));
      to = nest_.widen(to, spec_.nest.store_strides, res_.granule());
      hbm_to_ = res_.hbm(to.low, to.high);
    }
    const bool read = l + 1 < spec_.layers.size() || spec_.has_store != 0;
    out_[l] = make_vmem_store(res_, bytes, read ? spec.out_slots : 1, chip::line_bytes(res_.chip()));
    if (!drain.dense || bytes > drain.out_bytes) {
      res_.need_init(out_[l].base, out_[l].base + out_[l].slot_stride * out_[l].slots);
    }
    if (!read) {
      out_link_[l].tokens = 0;  // nobody reads it: the VX overwrites it in order
      return;
    }
    out_link_[l] = make_link(res_, out_[l].slots, tokens_for(spec.vx_parts, consumer), spec_.token_scale, spec_.free_at_done != 0);
  }

  /// Rows of layer 2's activations inside the tile that layer 1's VX wrote; returns the bytes they reach.
  int64_t make_hidden_tile(const DrainLayout& drain, const LayerSpec& next) {
    const int64_t width = res_.chip().mxu.rows, line = chip::line_bytes(res_.chip());
    Extent extent{0, width};
    extent.walk(drain.pitch, std::max(1, next.rows));
    extent.walk(next.a_step * width, std::max(1, next.mms_per_wld));
    extent.walk(width, std::max(1, next.k_tiles));
    hidden_tile_.start = (-extent.low + line - 1) / line * line;
    hidden_tile_.row_stride = drain.pitch;
    hidden_tile_.tile_step = width;
    return hidden_tile_.start + extent.high;
  }

  Block prologue() {
    Block block;
    const bool w_once = spec_.layers[0].w_residency == kOnce, a_once = spec_.a_residency == kOnce;
    if (w_once) block.push_back(word_node(layers_[0]->weight_load({}, false)));
    if (a_once) block.push_back(word_node(layers_[0]->activation_load({}, false)));
    std::vector<Access> wld, mm;
    if (w_once) wld.push_back(layers_[0]->weight_use());
    if (a_once) mm.push_back({&a_.link, false});
    if (w_once || a_once) append(block, gate_pair(res_, spec_.mxu, wld, mm, 0));
    if (layers_.size() > 1 && spec_.layers[1].w_residency == kOnce) {
      block.push_back(word_node(layers_[1]->weight_load({}, false)));
      append(block, gate_pair(res_, spec_.mxu, {layers_[1]->weight_use()}, {}, 0));
    }
    if (layers_[0]->ahead()) {
      if (!w_once) block.push_back(word_node(layers_[0]->weight_load({}, false)));
      block.push_back(word_node(layers_[0]->wld({})));
    }
    for (const auto& layer : layers_) {
      for (int k = 0; k < layer->weights().ahead; ++k) block.push_back(word_node(layer->weight_load({}, false)));
    }
    for (int k = 0; k < a_.ahead; ++k) block.push_back(word_node(layers_[0]->activation_load({}, false)));
    return block;
  }

  /// Uses up what was loaded ahead, without work.
  Block epilogue() {
    Block block;
    if (layers_[0]->ahead()) {
      isa::Instr last = mm_gate(res_, spec_.mxu, {}, 0);
      std::get<isa::MmBody>(last.body).switch_plane = true;
      block.push_back(word_node(last));
    }
    for (const auto& layer : layers_) {
      for (int k = 0; k < layer->weights().ahead; ++k) {
        append(block, gate_pair(res_, spec_.mxu, {layer->weight_use()}, {}, ring_step(layer->weights().store, false)));
      }
    }
    for (int k = 0; k < a_.ahead; ++k) {
      block.push_back(word_node(mm_gate(res_, spec_.mxu, {{&a_.link, false}}, ring_step(a_.store, false))));
    }
    return block;
  }

  Block store_words() {
    const Store& out = out_[layers_.size() - 1];
    const Link& link = out_link_[layers_.size() - 1];
    isa::Instr word = dma_word(Op::kSt, 0, store_, res_.hbm_operand(hbm_to_), out.base - store_extent_.low);
    auto& body = std::get<isa::DmaBody>(word.body);
    body.vmem.ring = ring_term(out, false);
    nest_.add_terms(body.hbm, spec_.nest.store_strides, res_.granule());
    const PartsSpec parts = fitting(spec_.store_parts, link.tokens, counts_tokens(spec_.layers.back().vx_parts));
    const PartSteps steps{store_.hbm_extent.size(), store_.vmem_extent.size(), 0};
    Block block = item_words(res_, word, parts, steps, {{&link, false}}, ring_step(out, false));
    return block;
  }

  Resources& res_;
  const GemmSpec& spec_;
  Nest nest_;
  Operand a_;
  TileLayout a_tile_, hidden_tile_;
  std::array<ActivationUse, 2> act_;
  std::array<Store, 2> out_;
  std::array<Link, 2> out_link_;
  std::vector<std::unique_ptr<LayerLowering>> layers_;
  Transfer store_;
  Extent store_extent_;
  int64_t hbm_to_ = 0;
};

}  // namespace

Block lower_flow(Resources& res, const GemmSpec& spec) {
  GemmLowering lowering(res, spec);
  return lowering.arrange();
}

}  // namespace lockstep::testgen
