// Bounds, lines, alignment and shapes of every operand, over all iterations and ring values in closed form.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "hw/isa/address_set.h"
#include "hw/isa/verify_context.h"

namespace lockstep::isa {

namespace {

/// Addresses far outside any memory are only shown roughly.
std::string shown(Wide value) {
  constexpr Wide kLimit = Wide{1} << 62;
  if (value > kLimit) return "more than 2^62";
  if (value < -kLimit) return "less than -2^62";
  return fmt::format("{}", static_cast<int64_t>(value));
}

class OperandCheck {
 public:
  OperandCheck(VerifyContext& context, const std::vector<Enclosing>& loops) : context_(context), loops_(loops) {
    for (const Instr& instr : context.program.code) stepped_ |= instr.step;
  }

  void run() {
    for (pc_ = 0; pc_ < context_.program.code.size() && !context_.full(); ++pc_) {
      if (loops_[pc_].executions == 0) continue;  // inside a loop of trip 0: no address is ever formed
      const Instr& instr = context_.program.code[pc_];
      if (const auto* dma = std::get_if<DmaBody>(&instr.body)) check_dma(*dma);
      else if (const auto* wld = std::get_if<WldBody>(&instr.body)) check_wld(*wld);
      else if (const auto* mm = std::get_if<MmBody>(&instr.body)) check_mm(*mm);
      else if (const auto* vx = std::get_if<VxBody>(&instr.body)) check_vx(*vx);
      else if (const auto* sync = std::get_if<SyncBody>(&instr.body)) check_sync(*sync);
    }
  }

 private:
  void fail(const char* code, const std::string& message) { context_.report(code, pc_, message); }

  AddressSet addresses(Wide base, std::span<const LoopTerm> loops, const RingTerm* ring) const {
    AddressSet set(base);
    for (const LoopTerm& term : loops) {
      if (term.stride != 0) set.extend(term.stride, loops_[pc_].trips[term.level]);
    }
    if (ring != nullptr && ring->stride != 0) {
      const RingInit& init = context_.program.rings[ring->ring];
      // A ring that no word steps keeps its start value; one that is stepped is taken to reach all its values.
      if ((stepped_ >> ring->ring) & 1U) set.extend(ring->stride, init.modulus);
      else set.add(ring->stride * init.start);
    }
    return set;
  }
  AddressSet addresses(const ChipOperand& operand) const { return addresses(operand.imm, operand.loops, &operand.ring); }
  AddressSet addresses(const VxSlot& slot) const { return addresses(slot.imm, slot.loops, &slot.ring); }

  void check_range(const char* code, const AddressSet& set, int64_t width, int64_t size, const char* what, const char* unit) {
    if (set.empty() || width == 0 || (set.low() >= 0 && set.high() + width <= size)) return;
    fail(code, fmt::format("{}: covers {} to {}, outside [0, {}) {}", what, shown(set.low()), shown(set.high() + width - 1), size, unit));
  }

  /// VMEM-1: rows of `width` bytes at the addresses of `set`.
  void check_vmem_rows(const AddressSet& set, int64_t width, const char* what) {
    check_range("E0640", set, width, chip::vmem_bytes(context_.chip), what, "bytes of VMEM (ISA-2)");
    const int64_t line = chip::line_bytes(context_.chip);
    if (set.fits_lines(line, width)) return;
    fail("E0641", fmt::format("{}: a row of {} bytes straddles a line of {} bytes (VMEM-1)", what, width, line));
  }

  void check_acc_rows(const AddressSet& set, const char* what) {
    check_range("E0642", set, 1, context_.chip.mxu.acc_rows, what, "accumulator rows (ISA-2)");
  }

  void check_at_most(uint32_t value, int64_t limit, const char* what) {
    if (value > limit) fail("E0646", fmt::format("{} is {}, the chip takes at most {} (MXU-4)", what, value, limit));
  }

  void check_shape(const DmaShape& shape, const char* side) {
    const int64_t granule = context_.chip.dma.granule_bytes;
    const auto check = [&](int64_t value, const char* what) {
      if (value % granule != 0) fail("E0644", fmt::format("{} {} is {}, not a multiple of {} bytes (DMA-1)", side, what, value, granule));
    };
    check(shape.run_bytes, "run");
    check(shape.stride1_bytes, "stride1");
    check(shape.stride2_bytes, "stride2");
  }

  void check_side(AddressSet set, const DmaShape& shape, uint32_t reps, const char* side, const char* code, int64_t size, const char* unit) {
    if (!set.all_multiples_of(context_.chip.dma.granule_bytes)) {
      fail("E0644", fmt::format("{} address is not always a multiple of {} bytes (DMA-1)", side, context_.chip.dma.granule_bytes));
    }
    set.extend(shape.stride1_bytes, shape.n1);
    set.extend(shape.stride2_bytes, reps);
    check_range(code, set, shape.run_bytes, size, side, unit);
  }

  void check_dma(const DmaBody& body) {
    check_shape(body.hbm_shape, "hbm");
    check_shape(body.vmem_shape, "vmem");
    const auto total = [](const DmaShape& shape) { return uint64_t{shape.run_bytes} * shape.n1; };
    if (total(body.hbm_shape) != total(body.vmem_shape)) {
      fail("E0645", fmt::format("the HBM side moves {} bytes a repetition, the VMEM side {} (DMA-1)", total(body.hbm_shape), total(body.vmem_shape)));
    }
    if (total(body.hbm_shape) == 0 || total(body.vmem_shape) == 0 || body.reps.imm == 0) return;  // no address is used
    const Wide base = Wide{context_.program.base_registers[body.hbm.base]} + body.hbm.imm;
    check_side(addresses(base, body.hbm.loops, nullptr), body.hbm_shape, body.reps.imm, "hbm", "E0643", context_.program.hbm_bytes,
               "bytes of HBM (ISA-2)");
    check_side(addresses(body.vmem), body.vmem_shape, body.reps.imm, "vmem", "E0640", chip::vmem_bytes(context_.chip),
               "bytes of VMEM (ISA-2)");
  }

  void check_wld(const WldBody& body) {
    check_at_most(body.k_valid, context_.chip.mxu.rows, "k_valid");
    check_at_most(body.n_valid, context_.chip.mxu.cols, "n_valid");
    AddressSet set = addresses(body.vmem);
    set.extend(body.row_stride_bytes, std::min<int64_t>(body.k_valid, context_.chip.mxu.rows));
    check_vmem_rows(set, context_.chip.mxu.cols, "vmem");
  }

  void check_mm(const MmBody& body) {
    check_at_most(body.k_valid, context_.chip.mxu.rows, "k_valid");
    check_at_most(body.n_valid, context_.chip.mxu.cols, "n_valid");
    AddressSet rows = addresses(body.vmem);
    rows.extend(body.row_stride_bytes, body.rows.imm);
    check_vmem_rows(rows, context_.chip.mxu.rows, "vmem");
    AddressSet acc = addresses(body.acc);
    acc.extend(1, body.rows.imm);
    check_acc_rows(acc, "acc");
  }

  /// VX-4: the copy kernel reads slot 0 from the accumulators and writes slot 1 to VMEM.
  void check_vx(const VxBody& body) {
    const VxSlot& source = body.slots[0];
    const VxSlot& target = body.slots[1];
    const int mxu = static_cast<int>(source.space) - static_cast<int>(VxSpace::kAcc0);
    const bool others = std::any_of(body.slots.begin() + 2, body.slots.end(), [](const VxSlot& s) { return s.space != VxSpace::kNone; });
    if (mxu < 0 || target.space != VxSpace::kVmem || others) {
      fail("E0648", "the copy kernel takes accumulators in slot0, VMEM in slot1 and nothing else (VX-4)");
      return;
    }
    if (mxu >= context_.chip.mxu.count) fail("E0630", fmt::format("chip {} has {} MXUs (MXU-8)", context_.chip.name, context_.chip.mxu.count));
    else if (mxu >= context_.options.built_mxus) fail("E0807", fmt::format("only MXU units below {} are built", context_.options.built_mxus));
    const int64_t lanes = context_.chip.vpu.lanes;
    if (body.cols_valid > body.chunks * lanes) {
      fail("E0648", fmt::format("cols is {}, but {} chunks have {} columns (VPU-4)", body.cols_valid, body.chunks, body.chunks * lanes));
    }
    const int64_t chunks_per_row = context_.chip.mxu.cols / lanes;
    AddressSet rows = addresses(source);
    rows.extend(source.row_stride, body.rows.imm);
    rows.extend(source.chunk_stride, (body.chunks + chunks_per_row - 1) / chunks_per_row);
    check_acc_rows(rows, "slot0");
    AddressSet out = addresses(target);
    if (!out.all_multiples_of(4) || target.row_stride % 4 != 0 || target.chunk_stride % 4 != 0) {
      fail("E0648", "address and strides of slot1 must be multiples of 4 bytes (VX-4)");
    }
    out.extend(target.row_stride, body.rows.imm);
    out.extend(target.chunk_stride, body.chunks);
    check_vmem_rows(out, 4 * lanes, "slot1");
  }

  void check_sync(const SyncBody& body) {
    for (int bit = 0; bit < 16; ++bit) {
      if (((body.engines >> bit) & 1) == 0 || engine_exists(bit)) continue;
      const std::string name = bit < kEngineCount ? engine_name(static_cast<EngineId>(bit)) : fmt::format("engine {}", bit);
      fail("E0647", fmt::format("chip {} has no {} (SEQ-5)", context_.chip.name, name));
    }
  }

  bool engine_exists(int id) const {
    if (id >= kEngineCount) return false;
    if (id < kSt0) return id < context_.chip.dma.load_queues;
    if (id < kWld0) return true;
    return (id - kWld0) % 4 < context_.chip.mxu.count;
  }

  VerifyContext& context_;
  const std::vector<Enclosing>& loops_;
  uint32_t stepped_ = 0;
  size_t pc_ = 0;
};

}  // namespace

void check_operands(VerifyContext& context, const std::vector<Enclosing>& loops) { OperandCheck(context, loops).run(); }

}  // namespace lockstep::isa
