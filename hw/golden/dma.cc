// LD and ST (DMA-1): two byte sequences of equal length, moved in order.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/golden/address.h"
#include "hw/golden/machine.h"

namespace lockstep::golden {
namespace {

/// Walks the runs of one side; `piece()` is what is left of the current run.
class SpanCursor {
 public:
  SpanCursor(int64_t start, int64_t run_bytes, int64_t n1, int64_t stride1, int64_t stride2)
      : start_(start), run_bytes_(run_bytes), n1_(n1), stride1_(stride1), stride2_(stride2) {}

  int64_t piece() const { return run_bytes_ - offset_; }
  int64_t address() const { return start_ + outer_ * stride2_ + inner_ * stride1_ + offset_; }
  void advance(int64_t bytes) {
    offset_ += bytes;
    if (offset_ < run_bytes_) return;
    offset_ = 0;
    if (++inner_ < n1_) return;
    inner_ = 0;
    ++outer_;
  }

 private:
  int64_t start_, run_bytes_, n1_, stride1_, stride2_;
  int64_t outer_ = 0, inner_ = 0, offset_ = 0;
};

}  // namespace

Trap Machine::check_span(const Span& span, int64_t size, isa::FaultCode range_code) const {
  const int64_t granule = chip_.dma.granule_bytes;
  for (const int64_t value : {span.start, span.run_bytes, span.stride1, span.stride2}) {
    if (value % granule != 0) {
      return TrapInfo{isa::FaultCode::kDmaAlign, fmt::format("{}: {} is not a multiple of the granule of {} bytes", isa::fault_name(range_code),
                                                    value, granule)};
    }
  }
  Hull hull(span.start);
  hull.extend(span.stride1, span.n1);
  hull.extend(span.stride2, span.reps);
  if (hull.inside(size, span.run_bytes)) return {};
  return TrapInfo{range_code, fmt::format("{} x {} runs of {} bytes from {} with strides {} and {} leave [0, {})",
                                          span.reps, span.n1, span.run_bytes, span.start, span.stride2, span.stride1,
                                          size)};
}

/// Bursts are cut on the HBM side at multiples of burst_bytes and at run ends. Column accesses follow MEM-6.
Trap Machine::count_bursts(isa::EngineId engine, const Span& hbm, bool to_vmem) {
  const int64_t burst = chip_.dma.burst_bytes;
  const int64_t access = std::max(1, chip_.dram.access_bytes);
  uint64_t& bursts = to_vmem ? counters_.read_bursts : counters_.write_bursts;
  for (int64_t outer = 0; outer < hbm.reps; ++outer) {
    for (int64_t inner = 0; inner < hbm.n1; ++inner) {
      const int64_t begin = hbm.start + outer * hbm.stride2 + inner * hbm.stride1;
      const int64_t end = begin + hbm.run_bytes;
      if (Trap trap = watchdog_.charge(engine, static_cast<uint64_t>((end - 1) / burst - begin / burst + 1))) return trap;
      for (int64_t at = begin; at < end;) {
        const int64_t next = std::min(end, (at / burst + 1) * burst);
        counters_.hbm_bus_bytes += static_cast<uint64_t>(((next - 1) / access - at / access + 1) * access);
        ++bursts;
        at = next;
      }
    }
  }
  return {};
}

void Machine::copy(const Span& hbm, const Span& vmem, bool to_vmem) {
  SpanCursor far(hbm.start, hbm.run_bytes, hbm.n1, hbm.stride1, hbm.stride2);
  SpanCursor near(vmem.start, vmem.run_bytes, vmem.n1, vmem.stride1, vmem.stride2);
  for (int64_t left = hbm.run_bytes * hbm.n1 * hbm.reps; left > 0;) {
    const int64_t bytes = std::min(far.piece(), near.piece());
    uint8_t* const far_data = hbm_.data() + far.address();
    uint8_t* const near_data = vmem_.data() + near.address();
    std::memcpy(to_vmem ? near_data : far_data, to_vmem ? far_data : near_data, static_cast<size_t>(bytes));
    far.advance(bytes);
    near.advance(bytes);
    left -= bytes;
  }
}

Trap Machine::transfer(const isa::Instr& instr, const FormedOperands& at, bool to_vmem) {
  const auto& body = std::get<isa::DmaBody>(instr.body);
  const auto span_of = [&](int64_t start, const isa::DmaShape& shape) {
    return Span{start, shape.run_bytes, shape.n1, at.count, shape.stride1_bytes, shape.stride2_bytes};
  };
  const Span hbm = span_of(at.hbm, body.hbm_shape);
  const Span vmem = span_of(at.vmem, body.vmem_shape);
  const isa::EngineId engine = isa::engine_of(instr);
  if (at.count == 0) return watchdog_.charge(engine, 1);
  // Unsigned: the product of two 32-bit numbers always fits.
  const uint64_t hbm_length = uint64_t{body.hbm_shape.run_bytes} * body.hbm_shape.n1;
  const uint64_t vmem_length = uint64_t{body.vmem_shape.run_bytes} * body.vmem_shape.n1;
  if (hbm_length != vmem_length) {
    return TrapInfo{isa::FaultCode::kDmaLength, fmt::format("{} bytes in HBM, {} bytes in VMEM", hbm_length, vmem_length)};
  }
  if (hbm_length == 0) return watchdog_.charge(engine, 1);
  if (Trap trap = check_span(hbm, static_cast<int64_t>(hbm_.size()), isa::FaultCode::kHbmRange)) return trap;
  if (Trap trap = check_span(vmem, static_cast<int64_t>(vmem_.size()), isa::FaultCode::kVmemRange)) return trap;
  if (Trap trap = count_bursts(engine, hbm, to_vmem)) return trap;  // also bounds the length of the copy
  copy(hbm, vmem, to_vmem);
  (to_vmem ? counters_.hbm_read_bytes : counters_.hbm_write_bytes) += hbm_length * at.count;
  return {};
}

Trap Machine::load(const isa::Instr& instr, const FormedOperands& at) { return transfer(instr, at, true); }

Trap Machine::store(const isa::Instr& instr, const FormedOperands& at) { return transfer(instr, at, false); }

}  // namespace lockstep::golden
