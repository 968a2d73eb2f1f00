// Random legal programs of WLD and MM words for one matrix unit.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/rtl/mxu/mxu_dut.h"

namespace lockstep::rtltest {

using Rng = std::mt19937_64;

/// Uniform in [low, high].
inline int64_t pick(Rng& rng, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(rng() % static_cast<uint64_t>(high - low + 1));
}

struct MxuProgram {
  struct Wld {
    WldWord word;
    int delay_cycles = 0;  // between becoming head of its queue and asking to issue
  };
  struct Mm {
    MmWord word;
    int delay_cycles = 0;
  };
  std::vector<Wld> wlds;
  std::vector<Mm> mms;
  int vmem_traffic_percent = 0;  // chance per port and cycle of a random LD, ST, VX access
};

/// `tiles` tiles of one WLD and 1..4 MMs, the first with the switch. Half of all programs have no delays at all, so
/// every word issues in its earliest legal cycle. Accumulator bases keep the neighbour rule (MXU-4).
MxuProgram random_program(const MxuConfig& config, Rng& rng, int tiles);

/// True if MM `next` directly behind `previous` breaks the neighbour rule (MXU-4).
bool breaks_neighbour_rule(const MxuConfig& config, const MmWord& previous, const MmWord& next);

}  // namespace lockstep::rtltest
