#include "hw/isa/instr.h"

#include "hw/base/check.h"

namespace lockstep::isa {

namespace {

constexpr std::array<Op, kOpCount> kOps = {Op::kLd,   Op::kSt,      Op::kWld,  Op::kWldT, Op::kMm, Op::kVx,
                                           Op::kLoop, Op::kEndloop, Op::kSync, Op::kHalt};

EngineKind kind_of(Op op) {
  switch (op) {
    case Op::kLd: return EngineKind::kLd;
    case Op::kSt: return EngineKind::kSt;
    case Op::kWld:
    case Op::kWldT: return EngineKind::kWld;
    case Op::kMm: return EngineKind::kMm;
    default: return EngineKind::kVx;
  }
}

}  // namespace

const std::array<Op, kOpCount>& all_ops() { return kOps; }

bool is_op(uint64_t value) { return value >= 1 && value <= kOpCount; }

bool is_engine_op(Op op) {
  switch (op) {
    case Op::kLd:
    case Op::kSt:
    case Op::kWld:
    case Op::kWldT:
    case Op::kMm:
    case Op::kVx: return true;
    default: return false;
  }
}

int unit_count(Op op) {
  switch (op) {
    case Op::kLd: return 2;
    case Op::kWld:
    case Op::kWldT:
    case Op::kMm: return 4;
    default: return 1;
  }
}

EngineId engine_of(const Instr& instr) {
  CHECK(is_engine_op(instr.op)) << op_name(instr.op) << " has no engine";
  CHECK(instr.unit < unit_count(instr.op)) << op_name(instr.op) << " unit " << int{instr.unit};
  return engine_id(kind_of(instr.op), instr.unit);
}

const char* op_name(Op op) {
  switch (op) {
    case Op::kLd: return "LD";
    case Op::kSt: return "ST";
    case Op::kWld: return "WLD";
    case Op::kWldT: return "WLD.T";
    case Op::kMm: return "MM";
    case Op::kVx: return "VX";
    case Op::kLoop: return "LOOP";
    case Op::kEndloop: return "ENDLOOP";
    case Op::kSync: return "SYNC";
    case Op::kHalt: return "HALT";
  }
  return "?";
}

Instr blank_instr(Op op) {
  Instr instr;
  instr.op = op;
  switch (op) {
    case Op::kLd:
    case Op::kSt: instr.body = DmaBody{}; break;
    case Op::kWld:
    case Op::kWldT: instr.body = WldBody{}; break;
    case Op::kMm: instr.body = MmBody{}; break;
    case Op::kVx: instr.body = VxBody{}; break;
    case Op::kLoop: instr.body = LoopBody{}; break;
    case Op::kEndloop: instr.body = EndloopBody{}; break;
    case Op::kSync: instr.body = SyncBody{}; break;
    case Op::kHalt: instr.body = HaltBody{}; break;
  }
  return instr;
}

bool body_matches_op(const Instr& instr) {
  return is_op(static_cast<uint64_t>(instr.op)) && instr.body.index() == blank_instr(instr.op).body.index();
}

}  // namespace lockstep::isa
