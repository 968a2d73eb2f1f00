#include "compiler/analysis/cost.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/integer_math.h"

namespace lockstep::analysis {

namespace {

using ir::ceil_div;

/// Rates of a chip, in cycles; doubles, because bytes per cycle are not whole.
struct Rates {
  double bytes_per_cycle = 0;
  double latency = 0;          // request to data, unloaded
  double cycles_per_burst = 0; // grant rate: one a cycle, and at most max_outstanding in flight
  double setup = 0;
  int64_t burst_bytes = 0;
  int64_t load_cycles = 0;     // R / b
  int64_t fill_cycles = 0;     // array depth and width in blocks: from the last row in to the last row out
  int64_t drain_start = 0;
  int64_t drain_group = 0;     // cycles of 8 rows, all chunks (VX-1)
  int64_t min_period = 0;
};

Rates rates_of(const chip::ChipSpec& chip) {
  Rates r;
  r.bytes_per_cycle = chip::dram_bytes_per_cycle(chip);
  r.latency = chip.dram.latency_ns * chip.clock_MHz / 1000.0 + 4;
  r.cycles_per_burst = std::max(1.0, r.latency / chip.dma.max_outstanding);
  r.setup = chip.dma.setup_cycles + 1;
  r.burst_bytes = chip.dma.burst_bytes;
  r.load_cycles = chip.mxu.rows / chip.mxu.weight_load_rows;
  r.fill_cycles = r.load_cycles + chip.mxu.cols / chip.mxu.weight_load_rows + chip.vmem.read_latency + chip.mxu.acc_latency;
  const int interval = chip::issue_interval(chip);
  r.drain_start = chip.vpu.latency.start;
  r.drain_group = int64_t{chip.mxu.cols / chip.vpu.lanes} *
                  (std::max(interval, chip.vpu.latency.load) + std::max(interval, chip.vpu.latency.store));
  r.min_period = std::max<int64_t>({2, chip.mxu.acc_latency, r.load_cycles});
  return r;
}

/// A transfer of `runs` runs: the memory moves bytes, the queue issues bursts; the slower one counts (DMA-2).
double transfer_cycles(const Rates& r, int64_t runs, int64_t run_bytes) {
  const double moved = static_cast<double>(runs * run_bytes) / r.bytes_per_cycle;
  const double issued = r.setup + static_cast<double>(runs * ceil_div(run_bytes, r.burst_bytes)) * r.cycles_per_burst;
  return std::max(moved, issued);
}

/// Work of one m block of `rows` rows over all n and k.
struct BlockWork {
  double matrix = 0;
  double vector = 0;
  double loads = 0;
  double stores = 0;
};

double activation_slice(const Tiling& t, const Rates& r, int64_t rows) {
  const int64_t run = t.slice_k_bytes(0);
  const bool dense = run == t.hbm.activation_row_bytes && run == t.vmem.activation_row_bytes;
  return dense ? transfer_cycles(r, 1, rows * run) : transfer_cycles(r, rows, run);
}

BlockWork block_work(const Tiling& t, const Rates& r, int64_t rows) {
  BlockWork w;
  const int64_t padded = ir::round_up(rows, t.row_pad);
  w.matrix = static_cast<double>(t.n_tile.count * t.k_tile.count * std::max(rows, r.min_period));
  w.vector = static_cast<double>(t.n.count * r.drain_start + ceil_div(t.n_tile.count * padded, 8) * r.drain_group);
  const double weight_slices = static_cast<double>(t.k.count - 1) * transfer_cycles(r, 1, t.slice_weight_bytes(0)) +
                               transfer_cycles(r, 1, t.slice_weight_bytes(t.k.count - 1));
  const double activations = static_cast<double>(t.k.count) * activation_slice(t, r, rows);
  w.loads = static_cast<double>(t.n_tile.count) * weight_slices +
            (t.resident() ? 1.0 : static_cast<double>(t.n.count)) * activations;
  w.stores = static_cast<double>(t.n.count) * transfer_cycles(r, t.n.full, padded * t.cols * 4);
  return w;
}

/// A ring of `slots`: each slot is loaded, waits for the memory and is used; `slots` of them overlap.
double ring_period(double load, double use, const Rates& r, int slots) {
  return std::max({load, use, (load + use + r.latency + r.setup) / slots});
}

/// Cycles of an m block when its loads, products and drains overlap as far as the buffers allow.
double block_cycles(const Tiling& t, const Rates& r, int64_t rows) {
  const BlockWork w = block_work(t, r, rows);
  const double steps = static_cast<double>(t.n_tile.count * t.k.count);
  const double use = w.matrix / steps;
  double span = steps * ring_period(transfer_cycles(r, 1, t.slice_weight_bytes(0)), use, r, t.schedule.weight_buffers);
  if (!t.resident()) {
    const double slices = static_cast<double>(t.n.count * t.k.count);
    span = std::max(span, slices * ring_period(w.loads / slices, w.matrix / slices, r, t.schedule.activation_buffers));
  }
  const double memory = t.schedule.output_buffers > 1 ? w.loads + w.stores : w.loads;
  span = std::max(span, memory);
  const double per_block = static_cast<double>(t.n.count);
  const double drain = w.vector + (t.schedule.output_buffers > 1 ? 0.0 : w.stores + per_block * r.latency);
  if (t.schedule.accumulator_buffers > 1) return std::max(span, drain);
  return span + drain + per_block * static_cast<double>(r.fill_cycles);
}

}  // namespace

Cost estimate_cost(const Tiling& t, const chip::ChipSpec& chip) {
  const Rates r = rates_of(chip);
  const double full_blocks = static_cast<double>(t.m.count - 1);
  const BlockWork full = block_work(t, r, t.m.full);
  const BlockWork last = block_work(t, r, t.m.last);
  const auto sum = [&](double BlockWork::*part) { return static_cast<int64_t>(std::ceil(full_blocks * full.*part + last.*part)); };
  Cost cost;
  cost.matrix_cycles = sum(&BlockWork::matrix);
  cost.vector_cycles = sum(&BlockWork::vector);
  cost.hbm_read_bytes = t.gemm.m * t.hbm.activation_row_bytes * (t.resident() ? 1 : t.n.count) +
                        t.n_tile.count * t.hbm.weight_block_bytes * t.m.count;
  cost.hbm_write_bytes = t.n_tile.count * t.hbm.output_block_bytes;
  cost.memory_cycles = static_cast<int64_t>(
      std::ceil(static_cast<double>(cost.hbm_read_bytes + cost.hbm_write_bytes) / r.bytes_per_cycle));
  // Before the first product: one slice of each operand. After the last: the drain and store of one n block.
  const double start = transfer_cycles(r, 1, t.slice_weight_bytes(0)) + activation_slice(t, r, t.m.full) + r.latency;
  const double end = (last.vector + last.stores) / static_cast<double>(t.n.count) + r.latency + static_cast<double>(r.fill_cycles);
  cost.cycles = static_cast<int64_t>(
      std::ceil(start + full_blocks * block_cycles(t, r, t.m.full) + block_cycles(t, r, t.m.last) + end));
  return cost;
}

}  // namespace lockstep::analysis
