// What a timed result rests on: which part of the run was simulated and which was jumped over, and why not more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::target {

/// Jumps of one loop that had the same shape. All are exact: the machine's whole relative state had recurred.
struct LoopJump {
  uint32_t loop_pc = 0;    // the LOOP word
  uint64_t transient = 0;  // iterations before the recurring state
  uint64_t period = 0;     // iterations between its two appearances
  uint64_t periods = 0;    // q: how many were jumped over
  uint64_t times = 0;      // jumps of this shape in the run
  friend bool operator==(const LoopJump&, const LoopJump&) = default;
};

struct Certificate {
  bool exact = true;
  std::vector<LoopJump> jumps;         // the first kMaxJumps shapes
  uint64_t jump_count = 0;             // all jumps
  std::vector<std::string> fallbacks;  // why the run, or a loop of it, was simulated in full
  uint64_t events = 0;                 // instructions issued and bursts granted
  uint64_t events_simulated = 0;       // of them, those not jumped over
  uint64_t self_checks = 0;            // periods simulated after a jump and found equal
  static constexpr size_t kMaxJumps = 4096;
};

}  // namespace lockstep::target
