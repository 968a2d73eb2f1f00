#include "compiler/lower/gemm_steps.h"

#include <algorithm>
#include <optional>

#include "hw/base/check.h"

namespace lockstep::lower {

namespace {

using isa::PostWhen;

constexpr int64_t kOutputElementBytes = 4;

enum Semaphore : uint8_t {
  kWeightsFull,
  kWeightsFree,
  kActivationsFull,
  kActivationsFree,
  kAccumulatorsFull,
  kAccumulatorsFree,
  kOutputsFull,
  kOutputsFree,
};

/// One counter per engine and buffer: producer and consumer never share one (SEQ-1).
enum Ring : uint8_t {
  kWeightsLd,
  kWeightsWld,
  kActivationsLd,
  kActivationsMm,
  kAccumulatorsMm,
  kAccumulatorsVx,
  kOutputsVx,
  kOutputsSt,
};

/// Slot address of a ring buffer; a single slot needs no ring.
isa::RingTerm slot(Ring ring, int buffers, int64_t slot_size) {
  if (buffers == 1) return {};
  return {static_cast<uint8_t>(ring), slot_size};
}

void advance_slot(Word& word, Ring ring, int buffers) {
  if (buffers > 1) word.advance(static_cast<uint8_t>(ring));
}

uint32_t u32(int64_t value) {
  CHECK(value >= 0 && value <= int64_t{UINT32_MAX}) << value;
  return static_cast<uint32_t>(value);
}

}  // namespace

GemmSteps::GemmSteps(const analysis::Tiling& tiling, const chip::ChipSpec& chip)
    : t_(tiling), lanes_(chip.vpu.lanes), activation_queue_(static_cast<uint8_t>(chip.dma.load_queues - 1)) {
  const ir::Schedule& s = t_.schedule;
  weights_ahead_ = s.weight_buffers - 1;
  // A load sits in front of its step's products, so it may only reuse a slot whose last reader is an earlier step:
  // of n slots, n - 1 can be ahead (SEM-4).
  activations_ahead_ = t_.resident() ? std::min(weights_ahead_, s.activation_buffers * t_.k.count - 1)
                                     : s.activation_buffers - 1;
}

int64_t GemmSteps::reach() const { return std::max(weights_ahead_, activations_ahead_); }

void GemmSteps::initialise(isa::Program& program) const {
  const ir::Schedule& s = t_.schedule;
  const auto ring = [&](Ring id, int buffers) { program.rings[id] = {static_cast<uint8_t>(buffers), 0}; };
  ring(kWeightsLd, s.weight_buffers);
  ring(kWeightsWld, s.weight_buffers);
  ring(kActivationsLd, s.activation_buffers);
  ring(kActivationsMm, s.activation_buffers);
  ring(kAccumulatorsMm, s.accumulator_buffers);
  ring(kAccumulatorsVx, s.accumulator_buffers);
  ring(kOutputsVx, s.output_buffers);
  ring(kOutputsSt, s.output_buffers);
  const int64_t slices = t_.resident() ? s.activation_buffers * t_.k.count : s.activation_buffers;
  program.semaphores[kWeightsFree] = static_cast<uint8_t>(s.weight_buffers);
  program.semaphores[kActivationsFree] = static_cast<uint8_t>(slices);
  program.semaphores[kAccumulatorsFree] = static_cast<uint8_t>(s.accumulator_buffers);
  program.semaphores[kOutputsFree] = static_cast<uint8_t>(s.output_buffers);
}

GemmSteps::Role GemmSteps::role(const Position& at) const {
  const bool first_tile = at.tile_n == 0;
  const bool last_tile = at.tile_n == t_.n.extent(at.n) - 1;
  Role r;
  r.first_k = at.k == 0;
  r.last_k = at.k == t_.k.count - 1;
  r.opens_block = r.first_k && first_tile;
  r.closes_block = r.last_k && last_tile;
  r.first_reader = t_.resident() ? at.n == 0 : first_tile;
  r.last_reader = t_.resident() ? at.n == t_.n.count - 1 : last_tile;
  r.retires_slot = r.last_reader && (!t_.resident() || r.last_k);
  return r;
}

Code GemmSteps::prologue() const {
  Code code;
  const Position start;
  for (int64_t i = 0; i < std::max(weights_ahead_, activations_ahead_); ++i) {
    const auto weights = i < weights_ahead_ ? advance(t_, start, i) : std::nullopt;
    if (weights) code.push_back(load_weights(start, *weights));
    if (i >= activations_ahead_) continue;
    const auto activations = t_.resident() ? advance(t_, start, i) : advance_slices(t_, start, i);
    if (activations && (!t_.resident() || activations->n == 0)) code.push_back(load_activations(start, *activations));
  }
  return code;
}

Code GemmSteps::step(const Position& at) const {
  Code code;
  if (const auto weights = advance(t_, at, weights_ahead_)) code.push_back(load_weights(at, *weights));
  if (const auto activations = activations_due(at)) code.push_back(load_activations(at, *activations));
  const Role r = role(at);
  const int64_t tiles = t_.k.extent(at.k);
  append_range(code, Dim::kTileK, 0, 1, pairs(at, 0, r));
  if (tiles > 2) append_range(code, Dim::kTileK, 1, tiles - 1, pairs(at, 1, r));
  if (tiles > 1) append_range(code, Dim::kTileK, tiles - 1, tiles, pairs(at, tiles - 1, r));
  if (r.last_k && t_.padded_rows(at.m) != t_.m.extent(at.m)) {
    Word clear = clear_padding(at);
    if (r.closes_block) close_block(clear);
    code.push_back(clear);
  }
  if (r.closes_block) {
    code.push_back(drain(at));
    code.push_back(store(at));
  }
  return code;
}

std::optional<Position> GemmSteps::activations_due(const Position& at) const {
  if (!t_.resident()) return at.tile_n == 0 ? advance_slices(t_, at, activations_ahead_) : std::nullopt;
  const auto target = advance(t_, at, activations_ahead_);
  return target && target->n == 0 ? target : std::nullopt;
}

Word GemmSteps::load_weights(const Position& at, const Position& target) const {
  Word w;
  w.op = isa::Op::kLd;
  const int64_t block = t_.hbm.weight_block_bytes;
  w.hbm.affine.constant = t_.hbm.weights;
  w.hbm.affine.add(Dim::kN, t_.n.full * block, target.n - at.n)
      .add(Dim::kTileN, block, target.tile_n - at.tile_n)
      .add(Dim::kK, t_.k.full * t_.rows * t_.cols, target.k - at.k);
  w.vmem.affine.constant = t_.vmem.weights;
  w.vmem.ring = slot(kWeightsLd, t_.schedule.weight_buffers, t_.vmem.weight_slot_bytes);
  w.run_bytes = u32(t_.slice_weight_bytes(target.k));
  w.n1 = 1;
  advance_slot(w, kWeightsLd, t_.schedule.weight_buffers);
  w.wait(kWeightsFree);
  w.post(kWeightsFull, PostWhen::kDone);
  return w;
}

Word GemmSteps::load_activations(const Position& at, const Position& target) const {
  Word w;
  w.op = isa::Op::kLd;
  w.unit = activation_queue_;
  const int64_t row_bytes = t_.hbm.activation_row_bytes;
  w.hbm.affine.constant = t_.hbm.activations;
  w.hbm.affine.add(Dim::kM, t_.m.full * row_bytes, target.m - at.m).add(Dim::kK, t_.k.full * t_.rows, target.k - at.k);
  w.vmem.affine.constant = t_.vmem.activations;
  if (t_.resident()) w.vmem.affine.add(Dim::kK, t_.k.full * t_.rows, target.k - at.k);
  w.vmem.ring = slot(kActivationsLd, t_.schedule.activation_buffers, t_.vmem.activation_slot_bytes);
  const int64_t rows = t_.m.extent(target.m);
  const int64_t run = t_.slice_k_bytes(target.k);
  if (run == row_bytes && run == t_.vmem.activation_row_bytes) {  // whole rows, dense on both sides: one long run
    w.run_bytes = u32(rows * run);
    w.n1 = 1;
  } else {
    w.run_bytes = u32(run);
    w.n1 = u32(rows);
    w.hbm_stride_bytes = row_bytes;
    w.vmem_stride_bytes = t_.vmem.activation_row_bytes;
  }
  if (!t_.resident() || target.k == t_.k.count - 1) advance_slot(w, kActivationsLd, t_.schedule.activation_buffers);
  w.wait(kActivationsFree);
  w.post(kActivationsFull, PostWhen::kDone);
  return w;
}

int64_t GemmSteps::valid_columns(const Position& at) const {
  return t_.n_tile.extent(t_.n_tiles_before(at.n) + at.tile_n);
}

Code GemmSteps::pairs(const Position& at, int64_t tile_k, const Role& role) const {
  return {load_plane(at, tile_k), multiply(at, tile_k, role)};
}

Word GemmSteps::load_plane(const Position& at, int64_t tile_k) const {
  Word w;
  w.op = isa::Op::kWld;
  w.vmem.affine.constant = t_.vmem.weights;
  w.vmem.affine.add(Dim::kTileK, t_.rows * t_.cols);
  w.vmem.ring = slot(kWeightsWld, t_.schedule.weight_buffers, t_.vmem.weight_slot_bytes);
  w.vmem_stride_bytes = t_.cols;
  w.k_valid = u32(t_.k_tile.extent(at.k * t_.k.full + tile_k));
  w.n_valid = u32(valid_columns(at));
  if (tile_k == 0) w.wait(kWeightsFull);
  if (tile_k == t_.k.extent(at.k) - 1) {
    w.post(kWeightsFree, PostWhen::kSourceFree);
    advance_slot(w, kWeightsWld, t_.schedule.weight_buffers);
  }
  return w;
}

Word GemmSteps::multiply(const Position& at, int64_t tile_k, const Role& role) const {
  const ir::Schedule& s = t_.schedule;
  Word w;
  w.op = isa::Op::kMm;
  w.vmem.affine.constant = t_.vmem.activations;
  if (t_.resident()) w.vmem.affine.add(Dim::kK, t_.k.full * t_.rows);
  w.vmem.affine.add(Dim::kTileK, t_.rows);
  w.vmem.ring = slot(kActivationsMm, s.activation_buffers, t_.vmem.activation_slot_bytes);
  w.vmem_stride_bytes = t_.vmem.activation_row_bytes;
  w.acc.affine.add(Dim::kTileN, t_.padded_rows(at.m));
  w.acc.ring = slot(kAccumulatorsMm, s.accumulator_buffers, t_.accumulator_rows / s.accumulator_buffers);
  w.rows = u32(t_.m.extent(at.m));
  w.k_valid = u32(t_.k_tile.extent(at.k * t_.k.full + tile_k));
  w.n_valid = u32(valid_columns(at));
  w.first = role.first_k && tile_k == 0;
  w.switch_plane = true;
  if (tile_k == 0 && role.first_reader) w.wait(kActivationsFull);
  if (tile_k == 0 && role.opens_block) w.wait(kAccumulatorsFree);
  if (tile_k != t_.k.extent(at.k) - 1) return w;
  if (role.last_reader) w.post(kActivationsFree, PostWhen::kSourceFree);
  if (role.retires_slot) advance_slot(w, kActivationsMm, s.activation_buffers);
  if (role.closes_block && t_.padded_rows(at.m) == t_.m.extent(at.m)) close_block(w);
  return w;
}

/// Zeroes the accumulator rows that pad an m block to the granule, so that stored padding is 0: a product with no
/// valid depth overwrites with 0 (MXU-4, MXU-6).
Word GemmSteps::clear_padding(const Position& at) const {
  Word w;
  w.op = isa::Op::kMm;
  w.vmem.affine.constant = t_.vmem.activations;
  w.vmem_stride_bytes = t_.vmem.activation_row_bytes;
  w.acc.affine.constant = t_.m.extent(at.m);
  w.acc.affine.add(Dim::kTileN, t_.padded_rows(at.m));
  w.acc.ring = slot(kAccumulatorsMm, t_.schedule.accumulator_buffers, t_.accumulator_rows / t_.schedule.accumulator_buffers);
  w.rows = u32(t_.padded_rows(at.m) - t_.m.extent(at.m));
  w.n_valid = u32(t_.cols);
  w.first = true;
  return w;
}

void GemmSteps::close_block(Word& word) const {
  word.post(kAccumulatorsFull, PostWhen::kDone);
  advance_slot(word, kAccumulatorsMm, t_.schedule.accumulator_buffers);
}

Word GemmSteps::drain(const Position& at) const {
  const ir::Schedule& s = t_.schedule;
  Word w;
  w.op = isa::Op::kVx;
  w.acc.ring = slot(kAccumulatorsVx, s.accumulator_buffers, t_.accumulator_rows / s.accumulator_buffers);
  w.vmem.affine.constant = t_.vmem.outputs;
  w.vmem.ring = slot(kOutputsVx, s.output_buffers, t_.vmem.output_slot_bytes);
  w.rows = u32(t_.n.extent(at.n) * t_.padded_rows(at.m));  // the tiles of a block are stacked in rows
  w.chunks = u32(t_.cols / lanes_);
  w.n_valid = u32(t_.cols);  // columns beyond N hold 0 (MXU-4) and are stored as such
  w.vmem_stride_bytes = t_.cols * kOutputElementBytes;
  w.chunk_stride_bytes = lanes_ * kOutputElementBytes;
  advance_slot(w, kAccumulatorsVx, s.accumulator_buffers);
  advance_slot(w, kOutputsVx, s.output_buffers);
  w.wait(kAccumulatorsFull);
  w.wait(kOutputsFree);
  w.post(kAccumulatorsFree, PostWhen::kSourceFree);
  w.post(kOutputsFull, PostWhen::kDone);
  return w;
}

Word GemmSteps::store(const Position& at) const {
  Word w;
  w.op = isa::Op::kSt;
  const int64_t row_bytes = t_.cols * kOutputElementBytes;
  w.hbm.affine.constant = t_.hbm.outputs;
  w.hbm.affine.add(Dim::kM, t_.m.full * row_bytes).add(Dim::kN, t_.n.full * t_.hbm.output_block_bytes);
  w.vmem.affine.constant = t_.vmem.outputs;
  w.vmem.ring = slot(kOutputsSt, t_.schedule.output_buffers, t_.vmem.output_slot_bytes);
  w.run_bytes = u32(t_.padded_rows(at.m) * row_bytes);
  w.n1 = u32(t_.n.extent(at.n));
  if (w.n1 > 1) {
    w.hbm_stride_bytes = t_.hbm.output_block_bytes;
    w.vmem_stride_bytes = w.run_bytes;
  }
  advance_slot(w, kOutputsSt, t_.schedule.output_buffers);
  w.wait(kOutputsFull);
  w.post(kOutputsFree, PostWhen::kSourceFree);
  return w;
}

}  // namespace lockstep::lower
