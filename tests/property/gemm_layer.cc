#include "tests/property/gemm_layer.h"

#include <algorithm>
#include <utility>

#include "tests/property/flows.h"

namespace lockstep::testgen {

using isa::Op;

namespace {

void place_tile(isa::ChipOperand& operand, int64_t step, const TileAt& at) {
  operand.imm += step * at.index;
  if (at.in_loop) add_loop_term(operand, at.loop, step);
}

}  // namespace

int64_t chip_stride_unit(const chip::ChipSpec& chip) { return std::max(chip.dma.granule_bytes, chip.mxu.rows); }

LayerLowering::LayerLowering(Resources& res, const GemmSpec& flow, const LayerSpec& spec, const Nest& nest,
                             const ActivationUse& act)
    : res_(res), flow_(flow), spec_(spec), nest_(nest), act_(act), tiles_(std::max(1, spec.k_tiles)),
      mms_(std::max(1, spec.mms_per_wld)),
      // Two layers share the MXU: a WLD left pending would meet the other layer's WLD.
      ahead_(spec.wld_ahead != 0 && flow.layers.size() == 1 && spec.w_residency != kPerItem),
      drain_(drain_layout(res.chip(), spec)) {
  make_weights();
  make_accumulators();
}

uint32_t LayerLowering::rows_valid(int limit, bool last) const {
  if (last) limit = std::min(limit, spec_.k_valid_last);
  return static_cast<uint32_t>(std::clamp(limit, 0, res_.chip().mxu.rows));
}

uint32_t LayerLowering::cols_valid(int limit) const {
  return static_cast<uint32_t>(std::clamp(limit, 0, res_.chip().mxu.cols));
}

/// The words of one item up to its VX; `out` is where the VX writes.
Block LayerLowering::item(const Store& out, const Link& out_link, const PartsSpec& vx_parts) {
  Block block;
  const bool per_item = spec_.w_residency == kPerItem;
  const bool w_early = per_item && loads_first(w_.ahead, w_.store.slots, spec_.w_late);
  if (w_early) block.push_back(word_node(weight_load({}, true)));
  if (tiles_ == 1) {
    append(block, tile({0, true, true, false, 0}));
  } else {
    append(block, tile({0, true, false, false, 0}));
    append(block, middle_tiles());
    append(block, tile({tiles_ - 1, false, true, false, 0}));
  }
  if (per_item && !w_early) block.push_back(word_node(weight_load({}, true)));
  append(block, drain_words(out, out_link, vx_parts));
  return block;
}

/// LD of weights for tile `at`; outside the loops (`in_nest` false) for the first one.
isa::Instr LayerLowering::weight_load(const TileAt& at, bool in_nest) {
  isa::Instr word = operand_load(w_, spec_.w_unit, at, in_nest);
  add_waits(res_, word, {{&w_.link, true}});
  add_posts(res_, word, {{&w_.link, true}});
  word.step = ring_step(w_.store, true);
  return word;
}

isa::Instr LayerLowering::wld(const TileAt& at) {
  isa::Instr word = isa::blank_instr(Op::kWld);
  word.unit = unit();
  auto& body = std::get<isa::WldBody>(word.body);
  body.vmem.imm = w_.store.base + w_tile_.start;
  body.vmem.ring = ring_term(w_.store, false);
  if (spec_.w_residency != kPerTile) place_tile(body.vmem, w_tile_.tile_step, at);
  body.row_stride_bytes = w_tile_.row_stride;
  body.k_valid = rows_valid(spec_.k_valid_w, at.last);
  body.n_valid = cols_valid(spec_.n_valid_w);
  const bool streamed = spec_.w_residency == kPerTile, per_item = spec_.w_residency == kPerItem;
  if (streamed || (per_item && at.first)) add_waits(res_, word, {weight_use()});
  if (streamed || (per_item && at.last)) {
    add_posts(res_, word, {weight_use()});
    word.step = ring_step(w_.store, false);
  }
  return word;
}

isa::Instr LayerLowering::operand_load(const Operand& operand, int unit, const TileAt& at, bool in_nest) const {
  const int queue = std::clamp(unit, 0, res_.chip().dma.load_queues - 1);
  isa::Instr word = dma_word(Op::kLd, queue, operand.load, res_.hbm_operand(operand.hbm + at.index * operand.hbm_tile_step),
                             operand.store.base);
  auto& body = std::get<isa::DmaBody>(word.body);
  body.vmem.ring = ring_term(operand.store, true);
  if (in_nest) nest_.add_terms(body.hbm, flow_.nest.load_strides, res_.granule());
  if (at.in_loop) add_loop_term(body.hbm, at.loop, operand.hbm_tile_step);
  return word;
}

isa::Instr LayerLowering::activation_load(const TileAt& at, bool in_nest) {
  isa::Instr word = operand_load(*act_.loaded, flow_.a_unit, at, in_nest);
  add_waits(res_, word, {{&act_.loaded->link, true}});
  add_posts(res_, word, {{&act_.loaded->link, true}});
  word.step = ring_step(act_.loaded->store, true);
  return word;
}

void LayerLowering::make_weights() {
  const int stored = spec_.w_residency == kPerTile ? 1 : tiles_;
  w_tile_ = weight_layout(res_.chip(), spec_, stored);
  w_.load = tile_transfer(flow_.w_load, flow_.strided_loads != 0, w_tile_.item_bytes, res_.granule());
  const int slots = spec_.w_residency == kOnce ? 1 : spec_.w_slots;
  w_.store = make_vmem_store(res_, w_tile_.item_bytes, slots, chip::line_bytes(res_.chip()));
  w_.link = make_link(res_, w_.store.slots, 1, flow_.token_scale, flow_.free_at_done != 0);
  w_.ahead = spec_.w_residency == kOnce ? 0 : std::clamp(spec_.w_lookahead, 0, w_.store.slots);
  w_.hbm_tile_step = spec_.w_residency == kPerTile ? w_.load.hbm_extent.size() : 0;
  Extent from = nest_.widen(w_.load.hbm_extent, flow_.nest.load_strides, res_.granule());
  from.walk(w_.hbm_tile_step, tiles_);
  w_.hbm = res_.hbm(from.low, from.high);
}

void LayerLowering::make_accumulators() {
  const int64_t rows = std::max(0, spec_.rows);
  Extent touched{0, std::max<int64_t>(1, rows)};
  touched.walk(std::max(0, spec_.acc_step), mms_);
  touched.walk(std::max(0, spec_.acc_shift), tiles_);
  acc_ = make_acc_store(res_, flow_.mxu, std::max(touched.size(), drain_.acc_rows), spec_.acc_slots);
  if (drain_.acc_rows > rows) res_.need_acc_init(flow_.mxu);
  const int words = tiles_ * mms_;
  acc_counted_ = spec_.acc_counted != 0 && words * acc_.slots <= 200;
  acc_link_ = make_link(res_, acc_.slots, acc_counted_ ? words : 1, flow_.token_scale, flow_.free_at_done != 0);
}

Block LayerLowering::middle_tiles() {
  Block block;
  if (spec_.loop_k != 0) {
    const uint8_t loop = res_.loop_id();
    if (tiles_ > 2) block.push_back(loop_node(loop, static_cast<uint32_t>(tiles_ - 2), tile({1, false, false, true, loop})));
    return block;
  }
  for (int k = 1; k < tiles_ - 1; ++k) append(block, tile({k, false, false, false, 0}));
  return block;
}

Block LayerLowering::tile(const TileAt& at) {
  Block block;
  const bool loads_a = act_.loaded != nullptr && act_.residency == kPerTile;
  const bool a_first = loads_a && loads_first(act_.loaded->ahead, act_.loaded->store.slots, flow_.a_late);
  if (a_first) block.push_back(word_node(activation_load(at, true)));
  if (!ahead_) append(block, weight_words(at));
  for (int j = 0; j < mms_; ++j) block.push_back(word_node(mm(at, j)));
  if (ahead_) append(block, weight_words(at));
  if (loads_a && !a_first) block.push_back(word_node(activation_load(at, true)));
  return block;
}

Block LayerLowering::weight_words(const TileAt& at) {
  Block block;
  const bool streamed = spec_.w_residency == kPerTile;
  const bool load_first = loads_first(w_.ahead, w_.store.slots, spec_.w_late);
  if (streamed && load_first) block.push_back(word_node(weight_load(at, true)));
  block.push_back(word_node(wld(at)));
  if (streamed && !load_first) block.push_back(word_node(weight_load(at, true)));
  return block;
}

isa::Instr LayerLowering::mm(const TileAt& at, int j) {
  isa::Instr word = isa::blank_instr(Op::kMm);
  word.unit = unit();
  auto& body = std::get<isa::MmBody>(word.body);
  body.vmem.imm = act_.store.base + act_.tile.start + int64_t{j} * spec_.a_step * res_.chip().mxu.rows;
  body.vmem.ring = ring_term(act_.store, false);
  if (act_.residency != kPerTile) place_tile(body.vmem, act_.tile.tile_step, at);
  if (act_.residency == kOnce) nest_.add_terms(body.vmem, flow_.nest.chip_strides, chip_stride_unit(res_.chip()));
  body.row_stride_bytes = act_.tile.row_stride;
  body.acc.imm = acc_.base + int64_t{j} * std::max(0, spec_.acc_step);
  body.acc.ring = ring_term(acc_, true);
  place_tile(body.acc, std::max(0, spec_.acc_shift), at);
  body.rows.imm = static_cast<uint32_t>(std::max(0, spec_.rows));
  body.k_valid = rows_valid(spec_.k_valid_m, at.last);
  body.n_valid = cols_valid(spec_.n_valid_m);
  body.first = at.first;
  body.switch_plane = j == 0;
  add_mm_tokens(word, at, j);
  return word;
}

void LayerLowering::add_mm_tokens(isa::Instr& word, const TileAt& at, int j) {
  const bool streamed = act_.residency == kPerTile, per_item = act_.residency == kPerItem;
  const bool starts_a = j == 0 && (streamed || (per_item && at.first));
  const bool ends_a = j == mms_ - 1 && (streamed || (per_item && at.last));
  const Access a_use{&act_.link, false}, acc_use{&acc_link_, true};
  if (starts_a) add_waits(res_, word, {a_use});
  if (ends_a) add_posts(res_, word, {a_use});
  if (ends_a) word.step = static_cast<uint16_t>(word.step | ring_step(act_.store, false));
  const int share = acc_counted_ ? tiles_ * mms_ : 1;
  const bool item_ends = j == mms_ - 1 && at.last;
  if (acc_counted_ || (j == 0 && at.first)) add_waits(res_, word, {acc_use}, share);
  if (acc_counted_ || item_ends) add_posts(res_, word, {acc_use}, share);
  if (item_ends) word.step = static_cast<uint16_t>(word.step | ring_step(acc_, true));
}

Block LayerLowering::drain_words(const Store& out, const Link& out_link, PartsSpec parts) {
  isa::Instr word = isa::blank_instr(Op::kVx);
  auto& body = std::get<isa::VxBody>(word.body);
  body.rows.imm = static_cast<uint32_t>(drain_.rows);
  body.chunks = static_cast<uint32_t>(drain_.chunks);
  body.cols_valid = static_cast<uint32_t>(drain_.cols);
  isa::VxSlot& source = body.slots[0];
  source.space = static_cast<isa::VxSpace>(static_cast<int>(isa::VxSpace::kAcc0) + flow_.mxu);
  source.imm = acc_.base;
  source.ring = ring_term(acc_, false);
  source.row_stride = std::max(0, spec_.vx_row_stride);
  source.chunk_stride = 1;
  isa::VxSlot& target = body.slots[1];
  target.space = isa::VxSpace::kVmem;
  target.imm = out.base;
  target.ring = ring_term(out, true);
  target.row_stride = drain_.pitch;
  target.chunk_stride = int64_t{4} * res_.chip().vpu.lanes;
  // Shares of the accumulators' tokens stand for single MMs when those are counted.
  parts = fitting(parts, acc_link_.tokens, acc_counted_);
  parts = fitting(parts, out_link.tokens, false);
  const auto step = static_cast<uint16_t>(ring_step(acc_, false) | ring_step(out, true));
  return item_words(res_, word, parts, drain_.steps, {{&acc_link_, false}, {&out_link, true}}, step);
}

}  // namespace lockstep::testgen
