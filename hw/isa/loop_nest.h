// Which loops enclose each word, from the program's LOOP and ENDLOOP words.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/isa/program.h"

namespace lockstep::isa {

struct Enclosing {
  static constexpr int64_t kInactive = -1;
  std::array<int64_t, kLoopLevels> trips;  // by level; kInactive when no loop of that level is open
  int64_t executions = 0;                  // product of the open trips, saturated at 2^62

  bool active(int level) const { return trips[static_cast<size_t>(level)] != kInactive; }
};

inline constexpr int64_t kManyExecutions = int64_t{1} << 62;

/// One entry per word; LOOP and ENDLOOP belong to the loops around them, not to their own. Needs the structure that
/// the verifier checks first (E0631 .. E0633); on other programs the result is meaningless but safe.
/// An ENDLOOP runs once per trip: its executions count its own loop.
std::vector<Enclosing> enclosing_loops(const Program& program);

}  // namespace lockstep::isa
