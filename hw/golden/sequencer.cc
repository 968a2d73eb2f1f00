#include "hw/golden/sequencer.h"

#include <fmt/format.h>

#include "hw/golden/address.h"
#include "hw/isa/field_table.h"

namespace lockstep::golden {

using isa::Op;

Sequencer::Sequencer(const isa::Program& program, Machine& machine)
    : program_(program), machine_(machine), tokens_(program.semaphores) {
  for (size_t r = 0; r < rings_.size(); ++r) rings_[r] = program.rings[r].start;
}

Trap Sequencer::run() {
  while (!halted_) {
    if (pc_ >= program_.code.size()) return TrapInfo{isa::FaultCode::kPcRange, fmt::format("no word at pc {}", pc_)};
    const isa::Instr& instr = program_.code[pc_];
    tag_ = instr.tag;
    ++machine_.counters().words;
    if (Trap trap = machine_.watchdog().charge_dispatch()) return trap;
    if (Trap trap = step(instr)) return trap;
    advance_rings(instr.step);
  }
  return {};
}

Trap Sequencer::step(const isa::Instr& instr) {
  switch (instr.op) {
    case Op::kLoop: return begin_loop(std::get<isa::LoopBody>(instr.body));
    case Op::kEndloop: return end_loop(std::get<isa::EndloopBody>(instr.body));
    case Op::kHalt: return halt();
    case Op::kSync: ++pc_; return {};  // program order is already a total order
    default: ++pc_; return execute(instr);
  }
}

Trap Sequencer::begin_loop(const isa::LoopBody& body) {
  const auto end_error = [&](const char* what) {
    return TrapInfo{isa::FaultCode::kLoop, fmt::format("LOOP at {} with end {}: {}", pc_, body.end_pc, what)};
  };
  if (active_[body.level]) return end_error("its level is already in use");
  if (body.end_pc <= pc_ || body.end_pc >= program_.code.size()) return end_error("no ENDLOOP there");
  const isa::Instr& end = program_.code[body.end_pc];
  if (end.op != Op::kEndloop || std::get<isa::EndloopBody>(end.body).level != body.level) {
    return end_error("no ENDLOOP of its level there");
  }
  if (!open_.empty() && body.end_pc >= open_.back().end_pc) return end_error("it ends outside the loop around it");
  if (body.trip.imm == 0) {
    pc_ = body.end_pc + 1;
    return {};
  }
  active_[body.level] = true;
  index_[body.level] = 0;
  open_.push_back({body.level, pc_ + 1, body.end_pc, body.trip.imm});
  ++pc_;
  return {};
}

Trap Sequencer::end_loop(const isa::EndloopBody& body) {
  if (open_.empty() || open_.back().end_pc != pc_ || open_.back().level != body.level) {
    return TrapInfo{isa::FaultCode::kLoop, fmt::format("ENDLOOP at {} does not close the innermost loop", pc_)};
  }
  const OpenLoop& loop = open_.back();
  if (++index_[loop.level] < loop.trip) {
    pc_ = loop.first_pc;
    return {};
  }
  index_[loop.level] = 0;
  active_[loop.level] = false;
  open_.pop_back();
  ++pc_;
  return {};
}

Trap Sequencer::halt() {
  halted_ = true;
  if (!open_.empty()) return TrapInfo{isa::FaultCode::kLoop, "HALT inside a loop"};
  return tokens_.check_balance();
}

void Sequencer::advance_rings(uint16_t mask) {
  for (size_t r = 0; r < rings_.size(); ++r) {
    if ((mask >> r & 1) != 0) rings_[r] = static_cast<uint8_t>((rings_[r] + 1) % program_.rings[r].modulus);
  }
}

Trap Sequencer::execute(const isa::Instr& instr) {
  if (Trap trap = tokens_.wait(instr)) return trap;
  if (Trap trap = perform(instr)) return trap;
  ++machine_.counters().engines[isa::engine_of(instr)].instrs;
  return tokens_.post(instr);
}

Trap Sequencer::perform(const isa::Instr& instr) {
  FormedOperands at;
  switch (instr.op) {
    case Op::kLd:
    case Op::kSt: {
      const auto& body = std::get<isa::DmaBody>(instr.body);
      at.count = body.reps.imm;
      if (Trap trap = form_hbm(body.hbm, at.hbm)) return trap;
      if (Trap trap = form_chip(body.vmem, isa::FaultCode::kVmemRange, at.vmem)) return trap;
      return instr.op == Op::kLd ? machine_.load(instr, at) : machine_.store(instr, at);
    }
    case Op::kWld: {
      if (Trap trap = form_chip(std::get<isa::WldBody>(instr.body).vmem, isa::FaultCode::kVmemRange, at.vmem)) return trap;
      return machine_.load_weights(instr, at);
    }
    case Op::kMm: {
      const auto& body = std::get<isa::MmBody>(instr.body);
      at.count = body.rows.imm;
      if (Trap trap = form_chip(body.vmem, isa::FaultCode::kVmemRange, at.vmem)) return trap;
      if (Trap trap = form_chip(body.acc, isa::FaultCode::kAccRange, at.acc)) return trap;
      return machine_.multiply(instr, at);
    }
    default: {  // VX: admission has refused everything else
      const auto& body = std::get<isa::VxBody>(instr.body);
      at.count = body.rows.imm;
      if (Trap trap = form_slot(body.slots[0], isa::FaultCode::kAccRange, at.acc)) return trap;
      if (Trap trap = form_slot(body.slots[1], isa::FaultCode::kVmemRange, at.vmem)) return trap;
      return machine_.copy_tile(instr, at);
    }
  }
}

template <size_t N>
Trap Sequencer::add_loops(const std::array<isa::LoopTerm, N>& loops, AddressSum& sum) const {
  for (const isa::LoopTerm& term : loops) {
    if (term.stride == 0) continue;
    if (!active_[term.level]) {
      return TrapInfo{isa::FaultCode::kLoop, fmt::format("an address uses the index of level {}, which is not in use", term.level)};
    }
    sum.add_product(term.stride, index_[term.level]);
  }
  return {};
}

Trap Sequencer::form_hbm(const isa::HbmOperand& operand, int64_t& address) const {
  AddressSum sum(program_.base_registers[operand.base]);
  sum.add(operand.imm);
  if (Trap trap = add_loops(operand.loops, sum)) return trap;
  if (!sum.fits(isa::kHbmAddressBits)) return TrapInfo{isa::FaultCode::kHbmRange, "the address leaves 40 bits"};
  address = sum.value();
  return {};
}

Trap Sequencer::form_chip(const isa::ChipOperand& operand, isa::FaultCode range_code, int64_t& address) const {
  AddressSum sum(operand.imm);
  if (Trap trap = add_loops(operand.loops, sum)) return trap;
  sum.add_product(operand.ring.stride, rings_[operand.ring.ring]);
  if (!sum.fits(isa::kChipAddressBits)) return TrapInfo{range_code, "the address leaves 28 bits"};
  address = sum.value();
  return {};
}

Trap Sequencer::form_slot(const isa::VxSlot& slot, isa::FaultCode range_code, int64_t& address) const {
  AddressSum sum(slot.imm);
  if (Trap trap = add_loops(slot.loops, sum)) return trap;
  sum.add_product(slot.ring.stride, rings_[slot.ring.ring]);
  if (!sum.fits(isa::kChipAddressBits)) return TrapInfo{range_code, "the address leaves 28 bits"};
  address = sum.value();
  return {};
}

}  // namespace lockstep::golden
