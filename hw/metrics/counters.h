// Event counters that every timed target maintains alike; part of the RTL = model equality.
#pragma once

#include <array>
#include <cstdint>

#include "hw/isa/engine.h"

namespace lockstep::metrics {

struct EngineCounters {
  uint64_t instrs = 0;
  uint64_t busy_cycles = 0;  // sum of EVT-2 occupancies; for LD and ST: issue .. last grant, inclusive
  friend bool operator==(const EngineCounters&, const EngineCounters&) = default;
};

struct Counters {
  uint64_t words = 0;  // dispatched words, LOOP/ENDLOOP/SYNC/HALT included
  std::array<EngineCounters, isa::kEngineCount> engines{};
  uint64_t hbm_read_bytes = 0;   // useful bytes
  uint64_t hbm_write_bytes = 0;
  uint64_t hbm_bus_bytes = 0;    // bytes of the column accesses made
  uint64_t read_bursts = 0;
  uint64_t write_bursts = 0;
  uint64_t macs = 0;  // sum over MMs of M * k_valid * n_valid
  friend bool operator==(const Counters&, const Counters&) = default;
};

}  // namespace lockstep::metrics
