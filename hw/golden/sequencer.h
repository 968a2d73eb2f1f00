// Program order: hardware loops (SEQ-3), ring counters (SEQ-1) and addresses at dispatch (ISA-2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/golden/machine.h"
#include "hw/golden/tokens.h"
#include "hw/isa/program.h"

namespace lockstep::golden {

class Sequencer {
 public:
  Sequencer(const isa::Program& program, Machine& machine);

  /// Runs to HALT or the first trap; fault_tag() is then the tag of the word that caused it.
  Trap run();
  uint32_t fault_tag() const { return tag_; }

 private:
  struct OpenLoop {
    uint8_t level;
    uint32_t first_pc;  // first word of the body
    uint32_t end_pc;
    uint32_t trip;
  };

  Trap step(const isa::Instr& instr);  // moves pc_
  Trap begin_loop(const isa::LoopBody& body);
  Trap end_loop(const isa::EndloopBody& body);
  Trap execute(const isa::Instr& instr);
  Trap perform(const isa::Instr& instr);
  Trap halt();
  void advance_rings(uint16_t mask);

  Trap form_hbm(const isa::HbmOperand& operand, int64_t& address) const;
  Trap form_chip(const isa::ChipOperand& operand, isa::FaultCode range_code, int64_t& address) const;
  Trap form_slot(const isa::VxSlot& slot, isa::FaultCode range_code, int64_t& address) const;
  template <size_t N>
  Trap add_loops(const std::array<isa::LoopTerm, N>& loops, class AddressSum& sum) const;

  const isa::Program& program_;
  Machine& machine_;
  Tokens tokens_;
  uint32_t pc_ = 0;
  uint32_t tag_ = 0;
  bool halted_ = false;
  std::array<bool, isa::kLoopLevels> active_{};
  std::array<uint32_t, isa::kLoopLevels> index_{};
  std::array<uint8_t, isa::kRings> rings_{};
  std::vector<OpenLoop> open_;
};

}  // namespace lockstep::golden
