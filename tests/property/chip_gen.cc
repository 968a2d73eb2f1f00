#include "tests/property/chip_gen.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "hw/base/rng.h"

namespace lockstep::testgen {
namespace {

int pick(Rng& random, std::initializer_list<int> values) { return values.begin()[random.below(values.size())]; }
int range(Rng& random, int low, int high) { return static_cast<int>(random.between(low, high)); }

void draw_limits(chip::ChipSpec& chip, Rng& random) {
  for (int* depth : {&chip.queue_depth.ld, &chip.queue_depth.st, &chip.queue_depth.wld, &chip.queue_depth.mm, &chip.queue_depth.vx}) {
    *depth = pick(random, {1, 1, 2, 3, 4, 8, range(random, 1, 8)});
  }
  chip.dma.max_outstanding = pick(random, {1, 2, 3, 4, 8, 64, range(random, 1, 64)});
  chip.dma.quantum = pick(random, {1, 2, 16, range(random, 1, 16)});
  chip.dma.setup_cycles = range(random, 1, 8);
  chip.vpu.latency.start = range(random, 1, 12);
  chip.vpu.latency.load = range(random, 2, 16);
  chip.vpu.latency.store = range(random, 1, 12);
  chip.clock_MHz = pick(random, {500, 800, 1050});
  const double bytes_per_cycle = pick(random, {1, 4, 8, 12, 16, 32, 64, 100}) + 0.1 * range(random, 0, 9);
  chip.dram.bandwidth_GBps = bytes_per_cycle * chip.clock_MHz / 1000.0;
  chip.dram.latency_ns = pick(random, {0, 5, 20, 60, 200}) + range(random, 0, 9);
  chip.dram.command_slots = pick(random, {1, 2, 4, 8, 16});
  chip.dram.access_bytes = std::min(chip.dma.burst_bytes, pick(random, {32, 64}));
  chip.dram.ticks = pick(random, {0, 0, 1, 3, 8});
}

}  // namespace

chip::ChipSpec random_chip(uint64_t seed) {
  Rng random(seed);
  chip::ChipSpec chip;
  chip.name = fmt::format("random_{}", seed);
  chip.mxu.rows = pick(random, {4, 8, 16});
  chip.mxu.cols = pick(random, {4, 8, 16});
  chip.mxu.weight_load_rows = std::min({pick(random, {1, 2, 4, 8}), chip.mxu.rows, chip.mxu.cols});
  chip.mxu.acc_rows = pick(random, {64, 128, 256});
  chip.mxu.acc_latency = range(random, 2, 4);
  chip.vpu.lanes = std::max(4, chip.mxu.cols / pick(random, {1, 1, 2, 4}));
  chip.vpu.rows_per_cycle = pick(random, {1, 2, 4, 8});
  chip.vmem.size_KiB = pick(random, {32, 64, 128});
  chip.vmem.read_latency = range(random, 1, 4);
  chip.dma.load_queues = range(random, 1, 2);
  chip.dma.granule_bytes = pick(random, {32, 32, 32, 16, 64});
  chip.dma.burst_bytes = std::max(chip.dma.granule_bytes, pick(random, {64, 128, 256, 512, 1024}));
  chip.dma.beat_bytes = std::clamp(pick(random, {32, 64, 128, 256}), chip.dma.granule_bytes, chip.dma.burst_bytes);
  chip.dram.size_GiB = 1;
  draw_limits(chip, random);
  return chip;
}

chip::ChipSpec with_random_limits(const chip::ChipSpec& chip, uint64_t seed) {
  Rng random(seed);
  chip::ChipSpec out = chip;
  draw_limits(out, random);
  return out;
}

}  // namespace lockstep::testgen
