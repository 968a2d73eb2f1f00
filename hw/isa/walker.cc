#include "hw/isa/walker.h"

#include <bit>

#include "hw/base/check.h"

namespace lockstep::isa {

namespace {

template <typename Sum>
void add_term(Sum& sum, int64_t stride, int variable) {
  if (stride == 0) return;
  sum.strides[sum.terms] = stride;
  sum.variables[sum.terms] = static_cast<uint8_t>(variable);
  ++sum.terms;
}

/// Modulo 2^64, so that a program nobody verified cannot overflow a signed sum.
int64_t wrapping_add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t wrapping_mul(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }

}  // namespace

WalkPlan::WalkPlan(const Program& program) : program_(&program) {
  words_.reserve(program.code.size());
  for (size_t r = 0; r < moduli_.size(); ++r) moduli_[r] = program.rings[r].modulus;
  for (const Instr& instr : program.code) plan_word(instr);
}

void WalkPlan::add_sum(uint8_t place, const ChipOperand& operand) {
  Sum sum;
  sum.imm = operand.imm;
  sum.place = place;
  for (const LoopTerm& term : operand.loops) add_term(sum, term.stride, term.level % kLoopLevels);
  add_term(sum, operand.ring.stride, kLoopLevels + operand.ring.ring % kRings);
  sums_.push_back(sum);
}

void WalkPlan::plan_word(const Instr& instr) {
  Word word;
  word.step = instr.step;
  word.first_sum = static_cast<uint32_t>(sums_.size());
  if (body_matches_op(instr)) {
    plan_body(instr, word);
  } else {
    word.flow = Flow::kFault;
  }
  word.sum_count = static_cast<uint32_t>(sums_.size()) - word.first_sum;
  words_.push_back(word);
}

void WalkPlan::plan_body(const Instr& instr, Word& word) {
  const auto take_count = [&word](const Count& count) {
    word.count = count.imm;
    if (!count.from_table) return;
    word.flow = Flow::kFault;  // SEQ-2
    word.fault = FaultCode::kNotBuilt;
  };
  switch (instr.op) {
    case Op::kLd:
    case Op::kSt: {
      const auto& dma = std::get<DmaBody>(instr.body);
      Sum hbm;
      hbm.imm = wrapping_add(program_->base_registers[dma.hbm.base % kBaseRegisters], dma.hbm.imm);
      for (const LoopTerm& term : dma.hbm.loops) add_term(hbm, term.stride, term.level % kLoopLevels);
      sums_.push_back(hbm);
      add_sum(1, dma.vmem);
      take_count(dma.reps);
      if (dma.hbm.table.scale_granules != 0) word = {.flow = Flow::kFault, .fault = FaultCode::kNotBuilt};
      break;
    }
    case Op::kWld:
    case Op::kWldT: add_sum(1, std::get<WldBody>(instr.body).vmem); break;
    case Op::kMm: {
      const auto& mm = std::get<MmBody>(instr.body);
      add_sum(1, mm.vmem);
      add_sum(2, mm.acc);
      take_count(mm.rows);
      break;
    }
    case Op::kVx: {
      const auto& vx = std::get<VxBody>(instr.body);
      for (uint8_t k = 0; k < vx.slots.size(); ++k) {
        const VxSlot& slot = vx.slots[k];
        if (slot.space != VxSpace::kNone) add_sum(k, {slot.imm, {slot.loops[0], slot.loops[1], LoopTerm{}}, slot.ring});
      }
      take_count(vx.rows);
      break;
    }
    case Op::kLoop: {
      const auto& loop = std::get<LoopBody>(instr.body);
      word.flow = Flow::kLoop;
      word.level = loop.level % kLoopLevels;
      word.end_pc = loop.end_pc;
      take_count(loop.trip);
      break;
    }
    case Op::kEndloop:
      word.flow = Flow::kEndloop;
      word.level = std::get<EndloopBody>(instr.body).level % kLoopLevels;
      break;
    case Op::kSync: break;
    case Op::kHalt: word.flow = Flow::kHalt; break;
  }
}

void Walker::restart() {
  pc_ = 0;
  halted_ = false;
  fault_.reset();
  variables_.fill(0);
  loops_.fill({});
  const Program& program = plan_->program();
  for (size_t r = 0; r < kRings; ++r) variables_[kLoopLevels + r] = program.rings[r].start;
}

bool Walker::stop(FaultCode code) {
  fault_ = code;
  return false;
}

void Walker::advance_rings(uint32_t step) {
  for (; step != 0; step &= step - 1) {
    const auto ring = static_cast<size_t>(std::countr_zero(step));
    int64_t& value = variables_[kLoopLevels + ring];
    if (++value >= plan_->moduli_[ring]) value = 0;
  }
}

bool Walker::open_loop(const WalkPlan::Word& word) {
  Loop& loop = loops_[word.level];
  if (loop.active || word.end_pc <= pc_) return stop(FaultCode::kLoop);
  if (word.count == 0) {
    pc_ = word.end_pc + 1;
    return true;
  }
  loop = {.trip = word.count, .body_pc = pc_ + 1, .end_pc = word.end_pc, .active = true};
  variables_[word.level] = 0;
  ++pc_;
  return true;
}

bool Walker::close_loop(const WalkPlan::Word& word) {
  Loop& loop = loops_[word.level];
  if (!loop.active || loop.end_pc != pc_) return stop(FaultCode::kLoop);
  if (++variables_[word.level] < loop.trip) {
    pc_ = loop.body_pc;
    return true;
  }
  variables_[word.level] = 0;
  loop.active = false;
  ++pc_;
  return true;
}

uint32_t Walker::iterations_left(int level) const {
  return loops_[static_cast<size_t>(level)].trip - static_cast<uint32_t>(index(level));
}

void Walker::skip_iterations(int level, uint32_t iterations, const std::array<uint32_t, kRings>& ring_steps) {
  Loop& loop = loops_[static_cast<size_t>(level)];
  CHECK(loop.active && pc_ == loop.body_pc && iterations <= iterations_left(level)) << "i" << level << " skip " << iterations;
  for (size_t r = 0; r < kRings; ++r) {
    int64_t& value = variables_[kLoopLevels + r];
    value = (value + ring_steps[r]) % plan_->moduli_[r];
  }
  variables_[static_cast<size_t>(level)] += iterations;
  if (iterations_left(level) > 0) return;
  variables_[static_cast<size_t>(level)] = 0;
  loop.active = false;
  pc_ = loop.end_pc + 1;
}

const DynamicWord* Walker::next() {
  if (halted_ || fault_) return nullptr;
  if (pc_ >= plan_->words_.size()) return stop(FaultCode::kPcRange), nullptr;
  const WalkPlan::Word& word = plan_->words_[pc_];
  if (word.flow == WalkPlan::Flow::kFault) return stop(word.fault), nullptr;
  word_.pc = pc_;
  word_.instr = &plan_->program().code[pc_];
  word_.count = word.count;
  const WalkPlan::Sum* sum = plan_->sums_.data() + word.first_sum;
  for (const WalkPlan::Sum* end = sum + word.sum_count; sum != end; ++sum) {
    int64_t address = sum->imm;
    for (size_t k = 0; k < sum->terms; ++k) {
      address = wrapping_add(address, wrapping_mul(sum->strides[k], variables_[sum->variables[k]]));
    }
    word_.addresses[sum->place] = address;
  }
  bool moved = true;
  switch (word.flow) {
    case WalkPlan::Flow::kNext: ++pc_; break;
    case WalkPlan::Flow::kLoop: moved = open_loop(word); break;
    case WalkPlan::Flow::kEndloop: moved = close_loop(word); break;
    case WalkPlan::Flow::kHalt: halted_ = true; break;
    case WalkPlan::Flow::kFault: break;
  }
  advance_rings(word.step);
  return moved ? &word_ : nullptr;
}

}  // namespace lockstep::isa
