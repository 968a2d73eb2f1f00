#include "hw/golden/machine.h"

#include <fmt/format.h>

#include "hw/golden/address.h"

namespace lockstep::golden {

Trap Watchdog::charge_slot(size_t slot, uint64_t cycles) {
  uint64_t& spent = spent_[slot];
  if (__builtin_add_overflow(spent, cycles, &spent) || spent > static_cast<uint64_t>(max_cycles_)) {
    return TrapInfo{isa::FaultCode::kWatchdog, fmt::format("the program needs more than {} cycles", max_cycles_)};
  }
  return {};
}

Machine::Machine(const chip::ChipSpec& chip, target::MemoryImage& hbm, uint8_t fill, int64_t max_cycles)
    : chip_(chip),
      line_bytes_(chip::line_bytes(chip)),
      hbm_(hbm),
      vmem_(static_cast<size_t>(chip::vmem_bytes(chip)), fill),
      mxus_(static_cast<size_t>(chip.mxu.count)),
      watchdog_(max_cycles),
      activations_(static_cast<size_t>(chip.mxu.rows)) {
  const size_t plane_size = static_cast<size_t>(chip.mxu.rows) * static_cast<size_t>(chip.mxu.cols);
  const size_t acc_size = static_cast<size_t>(chip.mxu.acc_rows) * static_cast<size_t>(chip.mxu.cols);
  const int32_t fill_word = static_cast<int32_t>(uint32_t{fill} * 0x01010101u);
  for (Mxu& mxu : mxus_) {
    for (std::vector<int16_t>& plane : mxu.planes) plane.assign(plane_size, 0);
    mxu.acc.assign(acc_size, fill_word);
  }
}

/// VMEM-1: `count` operand rows of `row_bytes`, each inside VMEM and inside one line.
Trap Machine::check_rows(int64_t start, int64_t stride, int64_t count, int64_t row_bytes, const char* what) const {
  if (count == 0) return {};
  Hull hull(start);
  hull.extend(stride, count);
  if (!hull.inside(static_cast<int64_t>(vmem_.size()), row_bytes)) {
    return TrapInfo{isa::FaultCode::kVmemRange, fmt::format("{}: {} rows of {} bytes from {} with stride {} leave VMEM of {} bytes",
                                                 what, count, row_bytes, start, stride, vmem_.size())};
  }
  for (int64_t row = 0; row < count; ++row) {
    const int64_t address = start + row * stride;
    if (address % line_bytes_ + row_bytes > line_bytes_) {
      return TrapInfo{isa::FaultCode::kLine, fmt::format("{}: row {} of {} bytes at {} straddles a line of {} bytes", what,
                                                      row, row_bytes, address, line_bytes_)};
    }
  }
  return {};
}

}  // namespace lockstep::golden
