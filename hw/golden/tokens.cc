#include "hw/golden/tokens.h"

#include <fmt/format.h>

namespace lockstep::golden {

Tokens::Tokens(const std::array<uint8_t, isa::kSemaphores>& start) {
  for (size_t s = 0; s < start.size(); ++s) sems_[s].count = sems_[s].start = start[s];
}

Trap Tokens::wait(const isa::Instr& instr) {
  const int engine = isa::engine_of(instr);
  for (const isa::Wait& wait : instr.waits) {
    if (wait.count == 0) continue;
    State& sem = sems_[wait.sem];
    if (sem.consumer < 0) sem.consumer = engine;
    if (sem.consumer != engine) {
      return TrapInfo{isa::FaultCode::kSemOwner, fmt::format("semaphore {} is consumed by a second engine", wait.sem)};
    }
    if (sem.count < wait.count) {
      return TrapInfo{isa::FaultCode::kSemUnderrun, fmt::format("waits for {} of semaphore {}, which holds {} in program order",
                                                      wait.count, wait.sem, sem.count)};
    }
    sem.count -= wait.count;
  }
  return {};
}

Trap Tokens::post(const isa::Instr& instr) {
  const int engine = isa::engine_of(instr);
  for (const isa::Post& post : instr.posts) {
    if (post.count == 0) continue;
    State& sem = sems_[post.sem];
    if (sem.producer < 0) {
      sem.producer = engine;
      sem.when = post.when;
    }
    if (sem.producer != engine || sem.when != post.when) {
      return TrapInfo{isa::FaultCode::kSemOwner, fmt::format("semaphore {} has a second producer or moment", post.sem)};
    }
    sem.count += post.count;
    if (sem.count > 255) return TrapInfo{isa::FaultCode::kSemOverflow, fmt::format("semaphore {} reaches {}", post.sem, sem.count)};
  }
  return {};
}

Trap Tokens::check_balance() const {
  for (size_t s = 0; s < sems_.size(); ++s) {
    if (sems_[s].count != sems_[s].start) {
      return TrapInfo{isa::FaultCode::kSemBalance, fmt::format("semaphore {} ends at {}, started at {}", s, sems_[s].count, sems_[s].start)};
    }
  }
  return {};
}

}  // namespace lockstep::golden
