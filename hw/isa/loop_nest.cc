#include "hw/isa/loop_nest.h"

namespace lockstep::isa {

namespace {

int64_t saturating_product(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > kManyExecutions / b ? kManyExecutions : a * b;
}

int64_t executions_of(const Enclosing& loops) {
  int64_t out = 1;
  for (const int64_t trip : loops.trips) {
    if (trip != Enclosing::kInactive) out = saturating_product(out, trip);
  }
  return out;
}

}  // namespace

std::vector<Enclosing> enclosing_loops(const Program& program) {
  std::vector<Enclosing> out;
  out.reserve(program.code.size());
  Enclosing now;
  now.trips.fill(Enclosing::kInactive);
  now.executions = 1;
  for (const Instr& instr : program.code) {
    if (const auto* end = std::get_if<EndloopBody>(&instr.body)) {
      const int64_t runs = now.executions;
      now.trips[end->level % kLoopLevels] = Enclosing::kInactive;
      now.executions = executions_of(now);
      out.push_back(now);
      out.back().executions = runs;
      continue;
    }
    out.push_back(now);
    if (const auto* loop = std::get_if<LoopBody>(&instr.body)) {
      now.trips[loop->level % kLoopLevels] = loop->trip.imm;
      now.executions = executions_of(now);
    }
  }
  return out;
}

}  // namespace lockstep::isa
