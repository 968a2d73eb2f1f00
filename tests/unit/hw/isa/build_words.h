// Short ways to write words and programs in tests.
#pragma once

#include <utility>
#include <vector>

#include "hw/isa/program.h"

namespace lockstep::isa {

inline Instr loop(uint8_t level, uint32_t trip, uint32_t end_pc) {
  Instr instr = blank_instr(Op::kLoop);
  auto& body = std::get<LoopBody>(instr.body);
  body.level = level;
  body.trip.imm = trip;
  body.end_pc = end_pc;
  return instr;
}

inline Instr endloop(uint8_t level) {
  Instr instr = blank_instr(Op::kEndloop);
  std::get<EndloopBody>(instr.body).level = level;
  return instr;
}

inline Instr sync(uint16_t engines = 0) {
  Instr instr = blank_instr(Op::kSync);
  std::get<SyncBody>(instr.body).engines = engines;
  return instr;
}

inline Instr halt() { return blank_instr(Op::kHalt); }

inline Program program_of(std::vector<Instr> code) {
  Program program;
  program.name = "test";
  program.code = std::move(code);
  return program;
}

}  // namespace lockstep::isa
