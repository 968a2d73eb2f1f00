// WLD and MM (MXU-2, MXU-4, MXU-6) for int8 operands and int32 accumulators.
#include <fmt/format.h>

#include <algorithm>

#include "hw/golden/address.h"
#include "hw/golden/machine.h"

namespace lockstep::golden {
namespace {

/// Exact: |sum| <= 256 * 2^14. Written as a reduction over int16 so that it vectorises without -march.
int32_t dot(const int16_t* __restrict weights, const int16_t* __restrict activations, int64_t count) {
  int32_t sum = 0;
  for (int64_t k = 0; k < count; ++k) sum += static_cast<int32_t>(weights[k]) * activations[k];
  return sum;
}

/// Two's complement wrap without signed overflow.
int32_t wrapping_add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

}  // namespace

Trap Machine::load_weights(const isa::Instr& instr, const FormedOperands& at) {
  const auto& body = std::get<isa::WldBody>(instr.body);
  Mxu& mxu = mxus_[instr.unit];
  const int64_t rows = chip_.mxu.rows;
  const int64_t cols = chip_.mxu.cols;
  if (Trap trap = watchdog_.charge(isa::engine_of(instr), static_cast<uint64_t>(rows / chip_.mxu.weight_load_rows))) {
    return trap;
  }
  if (mxu.pending) return TrapInfo{isa::FaultCode::kPlane, "WLD follows a WLD whose plane no MM has switched to"};
  if (Trap trap = check_rows(at.vmem, body.row_stride_bytes, body.k_valid, cols, "weights")) return trap;
  std::vector<int16_t>& plane = mxu.planes[static_cast<size_t>(1 - mxu.selected)];
  std::fill(plane.begin(), plane.end(), int16_t{0});
  for (int64_t k = 0; k < body.k_valid; ++k) {
    const uint8_t* const row = vmem_.data() + at.vmem + k * body.row_stride_bytes;
    for (int64_t c = 0; c < body.n_valid; ++c) plane[static_cast<size_t>(c * rows + k)] = static_cast<int8_t>(row[c]);
  }
  mxu.pending = true;
  return {};
}

Trap Machine::check_multiply(const isa::MmBody& body, const Mxu& mxu, const FormedOperands& at) const {
  if (body.switch_plane && !mxu.pending) return TrapInfo{isa::FaultCode::kPlane, "MM switches planes but no WLD is pending"};
  if (!body.switch_plane && !mxu.switched) return TrapInfo{isa::FaultCode::kPlane, "MM before the first switch of planes"};
  const int64_t count = at.count;
  if (mxu.has_last && !body.first) {
    const int64_t latency = chip_.mxu.acc_latency;
    const int64_t low = mxu.last_acc + std::max(mxu.last_rows, latency) - latency + 1;
    const int64_t high = mxu.last_acc + mxu.last_rows - 1;
    if (at.acc >= low && at.acc <= high) {
      return TrapInfo{isa::FaultCode::kAccHazard, fmt::format("accumulates from row {}, inside [{}, {}] of the MM before it", at.acc,
                                                   low, high)};
    }
  }
  if (count == 0) return {};
  if (at.acc < 0 || count > chip_.mxu.acc_rows || at.acc > chip_.mxu.acc_rows - count) {
    return TrapInfo{isa::FaultCode::kAccRange, fmt::format("{} accumulator rows from {}, the MXU has {}", count, at.acc,
                                                chip_.mxu.acc_rows)};
  }
  return check_rows(at.vmem, body.row_stride_bytes, count, chip_.mxu.rows, "activations");
}

Trap Machine::multiply(const isa::Instr& instr, const FormedOperands& at) {
  const auto& body = std::get<isa::MmBody>(instr.body);
  Mxu& mxu = mxus_[instr.unit];
  const uint64_t occupancy = std::max<uint64_t>(at.count, static_cast<uint64_t>(chip_.mxu.acc_latency));
  if (Trap trap = watchdog_.charge(isa::engine_of(instr), occupancy)) return trap;
  if (Trap trap = check_multiply(body, mxu, at)) return trap;
  if (body.switch_plane) {
    mxu.selected = 1 - mxu.selected;
    mxu.pending = false;
    mxu.switched = true;
  }
  multiply_rows(body, mxu, at);
  mxu.has_last = true;
  mxu.last_acc = at.acc;
  mxu.last_rows = at.count;
  counters_.macs += uint64_t{at.count} * body.k_valid * body.n_valid;
  return {};
}

void Machine::multiply_rows(const isa::MmBody& body, Mxu& mxu, const FormedOperands& at) {
  const int64_t rows = chip_.mxu.rows;
  const int64_t cols = chip_.mxu.cols;
  const std::vector<int16_t>& plane = mxu.planes[static_cast<size_t>(mxu.selected)];
  for (int64_t m = 0; m < at.count; ++m) {
    const uint8_t* const row = vmem_.data() + at.vmem + m * body.row_stride_bytes;
    for (int64_t k = 0; k < rows; ++k) {
      activations_[static_cast<size_t>(k)] = k < body.k_valid ? static_cast<int8_t>(row[k]) : int16_t{0};
    }
    int32_t* const acc = mxu.acc.data() + (at.acc + m) * cols;
    for (int64_t c = 0; c < cols; ++c) {
      const int32_t partial = c < body.n_valid ? dot(plane.data() + c * rows, activations_.data(), rows) : 0;
      acc[c] = body.first ? partial : wrapping_add(acc[c], partial);
    }
  }
}

}  // namespace lockstep::golden
