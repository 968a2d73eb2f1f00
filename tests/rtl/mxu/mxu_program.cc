#include "tests/rtl/mxu/mxu_program.h"

#include <algorithm>

namespace lockstep::rtltest {
namespace {

/// Row counts around the block edges, where the wave's rules can slip by one; else anything up to 40.
uint32_t pick_rows(const MxuConfig& config, Rng& rng) {
  const int64_t blocks = config.row_blocks();
  const int64_t edges[] = {0, 1, blocks - 1, blocks, blocks + 1, config.rows};
  if (pick(rng, 0, 1) == 0) return static_cast<uint32_t>(edges[pick(rng, 0, 5)]);
  return static_cast<uint32_t>(pick(rng, 0, 40));
}

uint32_t pick_valid(int size, Rng& rng) {
  return static_cast<uint32_t>(pick(rng, 0, 2) == 0 ? pick(rng, 0, size) : size);
}

struct Rows {
  uint32_t address = 0;
  int32_t stride_bytes = 0;
};

/// `count` rows of `width` bytes with any byte address and any stride (0 and negative included) inside VMEM.
Rows pick_operand(const MxuConfig& config, Rng& rng, int64_t count, int width) {
  const int64_t span = std::max<int64_t>(count - 1, 1);
  const int64_t room = config.vmem_bytes - width;
  int64_t stride = width;
  if (pick(rng, 0, 3) == 0) stride = pick(rng, -2 * width, 2 * width);
  stride = std::clamp(stride, -(room / span), room / span);
  const int64_t low = stride < 0 ? -stride * span : 0;
  const int64_t high = stride > 0 ? room - stride * span : room;
  int64_t address = pick(rng, low, high);
  if (pick(rng, 0, 1) == 0) address = std::clamp(address & ~int64_t{3}, low, high);
  return {static_cast<uint32_t>(address), static_cast<int32_t>(stride)};
}

MmWord pick_mm(const MxuConfig& config, Rng& rng, const MmWord* previous) {
  MmWord mm;
  mm.rows = pick_rows(config, rng);
  const Rows operand = pick_operand(config, rng, mm.rows, config.rows);
  mm.address = operand.address;
  mm.row_stride_bytes = operand.stride_bytes;
  mm.k_valid = pick_valid(config.rows, rng);
  mm.n_valid = pick_valid(config.cols, rng);
  mm.first = pick(rng, 0, 2) == 0;
  do {
    const int64_t high = config.acc_rows - static_cast<int64_t>(mm.rows);
    mm.acc_row = static_cast<uint32_t>(pick(rng, 0, high));
    if (previous != nullptr && pick(rng, 0, 1) == 0)  // same rows, or an overlap near the end of the previous MM
      mm.acc_row = static_cast<uint32_t>(std::clamp<int64_t>(
          previous->acc_row + (pick(rng, 0, 1) == 0 ? 0 : pick(rng, -4, 4) + int64_t{previous->rows}), 0, high));
  } while (previous != nullptr && breaks_neighbour_rule(config, *previous, mm));
  return mm;
}

}  // namespace

bool breaks_neighbour_rule(const MxuConfig& config, const MmWord& previous, const MmWord& next) {
  if (next.first) return false;
  const int64_t rows = previous.rows;
  const int64_t low = previous.acc_row + std::max<int64_t>(rows, config.acc_latency) - config.acc_latency + 1;
  const int64_t high = static_cast<int64_t>(previous.acc_row) + rows - 1;
  return next.acc_row >= low && next.acc_row <= high;
}

MxuProgram random_program(const MxuConfig& config, Rng& rng, int tiles) {
  MxuProgram program;
  program.vmem_traffic_percent = static_cast<int>(pick(rng, 0, 2) * 20);
  const bool delays = pick(rng, 0, 1) == 0;
  const auto pick_delay = [&] {
    return delays ? static_cast<int>(pick(rng, 0, 3) == 0 ? pick(rng, 0, 30) : pick(rng, 0, 3)) : 0;
  };
  for (int tile = 0; tile < tiles; ++tile) {
    const Rows weights = pick_operand(config, rng, config.rows, config.cols);
    program.wlds.push_back({{.address = weights.address, .row_stride_bytes = weights.stride_bytes,
                             .k_valid = pick_valid(config.rows, rng), .n_valid = pick_valid(config.cols, rng)},
                            pick_delay()});
    const int64_t count = pick(rng, 1, 4);
    for (int64_t n = 0; n < count; ++n) {
      MmWord mm = pick_mm(config, rng, program.mms.empty() ? nullptr : &program.mms.back().word);
      mm.switch_plane = n == 0;
      program.mms.push_back({mm, pick_delay()});
    }
  }
  return program;
}

}  // namespace lockstep::rtltest
