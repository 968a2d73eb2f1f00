// Semaphores in program order (SEM-1, SEM-2, SEM-4): a wait must be covered when its word is reached.
#pragma once

#include <array>
#include <cstdint>

#include "hw/golden/trap.h"
#include "hw/isa/program.h"

namespace lockstep::golden {

class Tokens {
 public:
  explicit Tokens(const std::array<uint8_t, isa::kSemaphores>& start);

  Trap wait(const isa::Instr& instr);
  Trap post(const isa::Instr& instr);
  Trap check_balance() const;  // at HALT

 private:
  struct State {
    int count = 0;
    int start = 0;
    int producer = -1;  // engine ids, -1 = not seen
    int consumer = -1;
    isa::PostWhen when = isa::PostWhen::kSourceFree;
  };
  std::array<State, isa::kSemaphores> sems_;
};

}  // namespace lockstep::golden
