#include "hw/golden/admission.h"

#include <fmt/format.h>

#include <string>

#include "hw/golden/machine.h"

namespace lockstep::golden {
namespace {

using isa::Op;

class Admission {
 public:
  Admission(const isa::Program& program, const chip::ChipSpec& chip) : program_(program), chip_(chip) {}

  std::vector<Diag> check() {
    check_header();
    for (pc_ = 0; pc_ < program_.code.size(); ++pc_) check_word(program_.code[pc_]);
    return std::move(diags_);
  }

 private:
  void object(const char* code, const std::string& message) { diags_.push_back(error(code, {program_.name, 0, 0}, message)); }
  void malformed(const std::string& what) { object("E0501", fmt::format("word {}: {}", pc_, what)); }
  void not_built(const std::string& what) { object("E0502", fmt::format("word {}: {} is not built", pc_, what)); }

  void check_header() {
    const uint64_t expected = chip::timing_hash(chip_);
    if (program_.chip_hash != expected) {
      object("E0503", fmt::format("the program is for chip {:016x}, this chip is {:016x}", program_.chip_hash, expected));
    }
    for (size_t r = 0; r < program_.rings.size(); ++r) {
      const isa::RingInit& ring = program_.rings[r];
      if (ring.modulus < 1 || ring.modulus > 8 || ring.start >= ring.modulus) {
        object("E0501", fmt::format("ring {}: modulus {} must be 1..8 and start {} below it", r, ring.modulus, ring.start));
      }
    }
    if (program_.hbm_bytes < 0) object("E0501", "hbm_bytes is negative");
  }

  void check_word(const isa::Instr& instr) {
    if (!body_matches(instr)) return malformed("body does not belong to the operation");
    check_tokens(instr);
    switch (instr.op) {
      case Op::kLd: check_unit(instr, chip_.dma.load_queues); return check_dma(instr);
      case Op::kSt: check_unit(instr, 1); return check_dma(instr);
      case Op::kWldT: return not_built("WLD.T");
      case Op::kWld: check_unit(instr, chip_.mxu.count); return check_wld(std::get<isa::WldBody>(instr.body));
      case Op::kMm: check_unit(instr, chip_.mxu.count); return check_mm(std::get<isa::MmBody>(instr.body));
      case Op::kVx: check_unit(instr, 1); return check_vx(std::get<isa::VxBody>(instr.body));
      case Op::kLoop: {
        const auto& body = std::get<isa::LoopBody>(instr.body);
        check_level(body.level);
        return check_count(body.trip, "trip");
      }
      case Op::kEndloop: return check_level(std::get<isa::EndloopBody>(instr.body).level);
      case Op::kSync:
      case Op::kHalt: return;
    }
  }

  static bool body_matches(const isa::Instr& instr) {
    switch (instr.op) {
      case Op::kLd:
      case Op::kSt: return std::holds_alternative<isa::DmaBody>(instr.body);
      case Op::kWld:
      case Op::kWldT: return std::holds_alternative<isa::WldBody>(instr.body);
      case Op::kMm: return std::holds_alternative<isa::MmBody>(instr.body);
      case Op::kVx: return std::holds_alternative<isa::VxBody>(instr.body);
      case Op::kLoop: return std::holds_alternative<isa::LoopBody>(instr.body);
      case Op::kEndloop: return std::holds_alternative<isa::EndloopBody>(instr.body);
      case Op::kSync: return std::holds_alternative<isa::SyncBody>(instr.body);
      case Op::kHalt: return std::holds_alternative<isa::HaltBody>(instr.body);
    }
    return false;  // an op value outside the enumeration
  }

  void check_unit(const isa::Instr& instr, int count) {
    if (instr.unit >= count) malformed(fmt::format("unit {} of {}", instr.unit, count));
  }

  void check_tokens(const isa::Instr& instr) {
    bool used = false;
    for (const isa::Wait& wait : instr.waits) {
      used = used || wait.count > 0;
      if (wait.sem >= isa::kSemaphores) malformed(fmt::format("semaphore {}", wait.sem));
    }
    for (const isa::Post& post : instr.posts) {
      used = used || post.count > 0;
      if (post.sem >= isa::kSemaphores) malformed(fmt::format("semaphore {}", post.sem));
    }
    const auto same = [](const auto& pair) {
      return pair[0].count > 0 && pair[1].count > 0 && pair[0].sem == pair[1].sem;
    };
    if (same(instr.waits)) malformed("two waits on one semaphore");
    if (same(instr.posts)) malformed("two posts to one semaphore");
    const bool engine_op = instr.op <= Op::kVx;
    if (used && !engine_op) malformed("only engine words wait and post");
  }

  void check_level(uint8_t level) {
    if (level >= isa::kLoopLevels) malformed(fmt::format("loop level {}", level));
  }

  template <size_t N>
  void check_loops(const std::array<isa::LoopTerm, N>& loops) {
    for (const isa::LoopTerm& term : loops) check_level(term.level);
  }

  void check_ring(const isa::RingTerm& term) {
    if (term.ring >= isa::kRings) malformed(fmt::format("ring {}", term.ring));
  }

  void check_count(const isa::Count& count, const char* what) {
    if (count.from_table) return not_built(fmt::format("{} from SMEM", what));
    if (count.imm >= 1u << 24) malformed(fmt::format("{} {} needs more than 24 bits", what, count.imm));
  }

  void check_chip_operand(const isa::ChipOperand& operand) {
    check_loops(operand.loops);
    check_ring(operand.ring);
  }

  void check_dma(const isa::Instr& instr) {
    const auto& body = std::get<isa::DmaBody>(instr.body);
    if (body.fill) not_built("fill mode");
    if (body.hbm.table.scale_granules != 0) not_built("an address term from SMEM");
    if (body.hbm.base >= isa::kBaseRegisters) malformed(fmt::format("base register {}", body.hbm.base));
    check_loops(body.hbm.loops);
    check_chip_operand(body.vmem);
    check_count(body.reps, "reps");
  }

  void check_masks(uint32_t k_valid, uint32_t n_valid) {
    if (k_valid > static_cast<uint32_t>(chip_.mxu.rows)) malformed(fmt::format("k_valid {} of {}", k_valid, chip_.mxu.rows));
    if (n_valid > static_cast<uint32_t>(chip_.mxu.cols)) malformed(fmt::format("n_valid {} of {}", n_valid, chip_.mxu.cols));
  }

  void check_wld(const isa::WldBody& body) {
    check_chip_operand(body.vmem);
    check_masks(body.k_valid, body.n_valid);
  }

  void check_mm(const isa::MmBody& body) {
    check_chip_operand(body.vmem);
    check_chip_operand(body.acc);
    check_count(body.rows, "M");
    check_masks(body.k_valid, body.n_valid);
  }

  void check_vx(const isa::VxBody& body) {
    if (body.kernel != isa::kKernelCopy) return not_built(fmt::format("kernel {}", body.kernel));
    check_count(body.rows, "rows");
    if (body.rows_inner != 0) not_built("two-level row addressing");
    for (const isa::VxSlot& slot : body.slots) {
      check_loops(slot.loops);
      check_ring(slot.ring);
      if (slot.type != isa::VxType::kInt32) not_built("a VX type other than int32");
      if (slot.row_stride2 != 0) not_built("a second row stride");
    }
    const int space = static_cast<int>(body.slots[0].space) - static_cast<int>(isa::VxSpace::kAcc0);
    if (space < 0 || space >= chip_.mxu.count) malformed("the copy kernel loads slot 0 from an MXU's accumulators");
    if (body.slots[1].space != isa::VxSpace::kVmem) malformed("the copy kernel stores slot 1 to VMEM");
    for (size_t s = 2; s < body.slots.size(); ++s) {
      if (body.slots[s].space != isa::VxSpace::kNone) malformed(fmt::format("the copy kernel has no slot {}", s));
    }
    if (uint64_t{body.cols_valid} > uint64_t{body.chunks} * static_cast<uint64_t>(chip_.vpu.lanes)) {
      malformed(fmt::format("cols_valid {} exceeds {} chunks of {} lanes", body.cols_valid, body.chunks, chip_.vpu.lanes));
    }
  }

  const isa::Program& program_;
  const chip::ChipSpec& chip_;
  size_t pc_ = 0;
  std::vector<Diag> diags_;
};

}  // namespace

std::vector<Diag> check_admission(const isa::Program& program, const chip::ChipSpec& chip) {
  if (chip.mxu.count < 1 || chip.mxu.count > kMaxMxus || chip.mxu.rows < 1 || chip.mxu.cols < 1 ||
      chip.mxu.weight_load_rows < 1 || chip.vpu.lanes < 1 || chip.mxu.cols % chip.vpu.lanes != 0 ||
      chip.dma.granule_bytes < 1 || chip.dma.burst_bytes < 1 || chip.vmem.size_KiB < 1 || chip.mxu.acc_rows < 1) {
    return {error("E0503", {chip.name, 0, 0}, "the chip did not pass its own checks")};
  }
  if (chip.mxu.k_per_pe.int8 != 1) return {error("E0502", {chip.name, 0, 0}, "mxu.k_per_pe.int8 above 1 is not built")};
  return Admission(program, chip).check();
}

}  // namespace lockstep::golden
