// VX kernel 0 (VX-1..3): copies rows x chunks of int32 accumulators to VMEM.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/golden/address.h"
#include "hw/golden/machine.h"

namespace lockstep::golden {

Trap Machine::copy_tile(const isa::Instr& instr, const FormedOperands& at) {
  const auto& body = std::get<isa::VxBody>(instr.body);
  const isa::VxSlot& source = body.slots[0];
  const isa::VxSlot& target = body.slots[1];
  const isa::EngineId engine = isa::engine_of(instr);
  const int64_t rows = at.count;
  const int64_t chunks = body.chunks;
  if (rows == 0 || chunks == 0) return watchdog_.charge(engine, 1);
  // Each group of up to 8 rows and each chunk takes at least two cycles, load then store.
  if (Trap trap = watchdog_.charge(engine, static_cast<uint64_t>((rows + 7) / 8) * static_cast<uint64_t>(chunks) * 2)) {
    return trap;
  }
  const int64_t lanes = chip_.vpu.lanes;
  const int64_t chunks_per_row = chip_.mxu.cols / lanes;
  const Mxu& mxu = mxus_[static_cast<size_t>(source.space) - static_cast<size_t>(isa::VxSpace::kAcc0)];
  Hull acc_hull(at.acc);
  acc_hull.extend(source.row_stride, rows);
  acc_hull.extend(source.chunk_stride, (chunks - 1) / chunks_per_row + 1);
  if (!acc_hull.inside(chip_.mxu.acc_rows, 1)) {
    return TrapInfo{isa::FaultCode::kAccRange, fmt::format("{} rows x {} chunks from accumulator row {} with strides {} and {} leave {} rows",
                                                rows, chunks, at.acc, source.row_stride, source.chunk_stride,
                                                chip_.mxu.acc_rows)};
  }
  Hull vmem_hull(at.vmem);
  vmem_hull.extend(target.chunk_stride, chunks);
  vmem_hull.extend(target.row_stride, rows);
  if (!vmem_hull.inside(static_cast<int64_t>(vmem_.size()), 4 * lanes)) {
    return TrapInfo{isa::FaultCode::kVmemRange, fmt::format("{} rows x {} chunks from {} with strides {} and {} leave VMEM of {} bytes",
                                                 rows, chunks, at.vmem, target.row_stride, target.chunk_stride,
                                                 vmem_.size())};
  }
  for (int64_t j = 0; j < chunks; ++j) {
    if (Trap trap = check_rows(at.vmem + j * target.chunk_stride, target.row_stride, rows, 4 * lanes, "VX store")) return trap;
  }
  copy_groups(body, mxu, at);
  return {};
}

/// In the order of VX-1: groups of 8 rows, then chunks, then the rows of the group. It shows when a tile's
/// destinations overlap.
void Machine::copy_groups(const isa::VxBody& body, const Mxu& mxu, const FormedOperands& at) {
  const isa::VxSlot& source = body.slots[0];
  const isa::VxSlot& target = body.slots[1];
  const int64_t lanes = chip_.vpu.lanes;
  const int64_t cols = chip_.mxu.cols;
  const int64_t chunks_per_row = cols / lanes;
  const int64_t rows = at.count;
  for (int64_t group = 0; group < rows; group += 8) {
    for (int64_t j = 0; j < body.chunks; ++j) {
      const int64_t valid = std::clamp<int64_t>(int64_t{body.cols_valid} - j * lanes, 0, lanes);
      for (int64_t r = group; r < std::min(group + 8, rows); ++r) {
        const int64_t acc_row = at.acc + r * source.row_stride + j / chunks_per_row * source.chunk_stride;
        const int32_t* const from = mxu.acc.data() + acc_row * cols + j % chunks_per_row * lanes;
        uint8_t* const to = vmem_.data() + at.vmem + r * target.row_stride + j * target.chunk_stride;
        // Words are little-endian in VMEM, as in HBM and in every host this runs on.
        std::memcpy(to, from, static_cast<size_t>(valid) * 4);
      }
    }
  }
}

}  // namespace lockstep::golden
