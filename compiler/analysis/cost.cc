#include "compiler/analysis/cost.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/integer_math.h"

namespace lockstep::analysis {

namespace {

using ir::ceil_div;
using ir::round_up;

constexpr int64_t kOutputElementBytes = 4;
constexpr double kMemoryPipelineCycles = 4;  // grant to channel, data to VMEM (DMA-4)

double real(int64_t value) { return static_cast<double>(value); }

}  // namespace

CostModel::CostModel(const chip::ChipSpec& chip)
    : bytes_per_cycle_(chip::dram_bytes_per_cycle(chip)),
      latency_(chip.dram.latency_ns * chip.clock_MHz / 1000.0 + kMemoryPipelineCycles),
      cycles_per_burst_(std::max(1.0, latency_ / chip.dma.max_outstanding)),
      setup_(chip.dma.setup_cycles + 1),
      burst_bytes_(chip.dma.burst_bytes),
      access_bytes_(chip.dram.access_bytes),
      fill_cycles_((chip.mxu.rows + chip.mxu.cols) / chip.mxu.weight_load_rows + chip.vmem.read_latency + chip.mxu.acc_latency),
      drain_start_(chip.vpu.latency.start) {
  const int interval = chip::issue_interval(chip);
  drain_group_ = int64_t{chip.mxu.cols / chip.vpu.lanes} *
                 (std::max(interval, chip.vpu.latency.load) + std::max(interval, chip.vpu.latency.store));
  min_period_ = std::max({2, chip.mxu.acc_latency, chip.mxu.rows / chip.mxu.weight_load_rows});
}

/// A descriptor of `runs` runs: the memory makes whole accesses, the queue issues bursts; the slower counts (DMA-2).
double CostModel::transfer_cycles(int64_t runs, int64_t run_bytes) const {
  const double moved = real(runs * round_up(run_bytes, access_bytes_)) / bytes_per_cycle_;
  const double issued = setup_ + real(runs * ceil_div(run_bytes, burst_bytes_)) * cycles_per_burst_;
  return std::max(moved, issued);
}

double CostModel::activation_slice(const Tiling& t, int64_t rows) const {
  const int64_t run = t.slice_k_bytes(0);
  const bool dense = run == t.hbm.activation_row_bytes && run == t.vmem.activation_row_bytes;
  return dense ? transfer_cycles(1, rows * run) : transfer_cycles(rows, run);
}

CostModel::BlockWork CostModel::block_work(const Tiling& t, int64_t rows) const {
  BlockWork w;
  const int64_t padded = round_up(rows, t.row_pad);
  w.matrix = real(t.n_tile.count * t.k_tile.count * std::max(rows, min_period_));
  w.vector = real(t.n.count * drain_start_ + ceil_div(t.n_tile.count * padded, 8) * drain_group_);
  const double weights = real(t.k.count - 1) * transfer_cycles(1, t.slice_weight_bytes(0)) +
                         transfer_cycles(1, t.slice_weight_bytes(t.k.count - 1));
  const double activations = real(t.k.count) * activation_slice(t, rows);
  w.loads = real(t.n_tile.count) * weights + (t.resident() ? 1.0 : real(t.n.count)) * activations;
  w.stores = real(t.n.count) * transfer_cycles(t.n.full, padded * t.cols * kOutputElementBytes);
  return w;
}

/// A ring of `slots`: a slot is loaded, waits for the memory and is used; `slots` of them overlap.
double CostModel::ring_period(double load, double use, int slots) const {
  return std::max({load, use, (load + use + latency_ + setup_) / slots});
}

/// The first n tile also loads the activations; the others only weights. A slice of activations holds its slot from its
/// first n tile to its last, which bounds the period of the m blocks when there is more than one.
double CostModel::resident_span(const Tiling& t, const BlockWork& work, int64_t rows) const {
  const int slots = t.schedule.weight_buffers;
  const double weights = transfer_cycles(1, t.slice_weight_bytes(0));
  const double use = work.matrix / real(t.n_tile.count * t.k.count);
  const double first = ring_period(weights + activation_slice(t, rows), use, slots);
  const double other = ring_period(weights, use, slots);
  const double span = real(t.k.count) * (first + real(t.n_tile.count - 1) * other);
  if (t.m.count == 1) return span;
  const double held = use * real((t.n_tile.count - 1) * t.k.count + 1);
  return std::max(span, (activation_slice(t, rows) + held + latency_ + setup_) / t.schedule.activation_buffers);
}

/// The activations of a slice come as one load between weight slices: while it runs, the array lives on the weight
/// slices that are ahead.
double CostModel::streamed_span(const Tiling& t, const BlockWork& work, int64_t rows) const {
  const ir::Schedule& s = t.schedule;
  const double slices = real(t.n.count * t.k.count);
  const double weights = transfer_cycles(1, t.slice_weight_bytes(0));
  const double activations = activation_slice(t, rows);
  const double use = work.matrix / real(t.n_tile.count * t.k.count);
  const double tiles = real(t.n.full);
  const double by_weights = tiles * ring_period(weights, use, s.weight_buffers) +
                            std::max(0.0, activations + weights - real(s.weight_buffers - 1) * use);
  return slices * std::max(by_weights, ring_period(activations + tiles * weights, tiles * use, s.activation_buffers));
}

/// Cycles of an m block when its loads, products and drains overlap as far as the buffers allow.
double CostModel::block_cycles(const Tiling& t, int64_t rows) const {
  const ir::Schedule& s = t.schedule;
  const BlockWork w = block_work(t, rows);
  double span = t.resident() ? resident_span(t, w, rows) : streamed_span(t, w, rows);
  span = std::max(span, w.loads + w.stores);
  const double drain = w.vector + (s.output_buffers > 1 ? 0.0 : w.stores + real(t.n.count) * latency_);
  if (s.accumulator_buffers > 1) return std::max(span, drain);
  return span + drain + real(t.n.count * fill_cycles_);
}

Cost CostModel::estimate(const Tiling& t) const {
  const double full_blocks = real(t.m.count - 1);
  const BlockWork full = block_work(t, t.m.full);
  const BlockWork last = block_work(t, t.m.last);
  const auto sum = [&](double BlockWork::*part) { return static_cast<int64_t>(std::ceil(full_blocks * full.*part + last.*part)); };
  Cost cost;
  cost.matrix_cycles = sum(&BlockWork::matrix);
  cost.vector_cycles = sum(&BlockWork::vector);
  cost.hbm_read_bytes = t.shape.m * t.hbm.activation_row_bytes * (t.resident() ? 1 : t.n.count) +
                        t.n_tile.count * t.hbm.weight_block_bytes * t.m.count;
  cost.hbm_write_bytes = t.n_tile.count * t.hbm.output_block_bytes;
  cost.memory_cycles = static_cast<int64_t>(std::ceil(real(cost.hbm_read_bytes + cost.hbm_write_bytes) / bytes_per_cycle_));
  // Before the first product: one slice of each operand. After the last: the drain and store of one n block.
  const double start = transfer_cycles(1, t.slice_weight_bytes(0)) + activation_slice(t, t.m.full) + latency_;
  const double end = (last.vector + last.stores) / real(t.n.count) + latency_ + real(fill_cycles_);
  cost.cycles = static_cast<int64_t>(std::ceil(start + full_blocks * block_cycles(t, t.m.full) + block_cycles(t, t.m.last) + end));
  return cost;
}

}  // namespace lockstep::analysis
