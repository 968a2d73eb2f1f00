// The event record of EVT-1: what RTL and fast model must agree on, event for event.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/engine.h"

namespace lockstep::target {

/// One executed instruction. Cycles count from the dispatch of word 0. `seq` counts the words of that engine
/// from 0. SYNC and HALT have engine kSequencer, issue = source_free = -1.
struct InstrEvent {
  isa::EngineId engine = 0;
  uint32_t pc = 0;
  uint64_t seq = 0;
  uint32_t tag = 0;
  int64_t dispatch = 0;
  int64_t issue = 0;
  int64_t source_free = 0;
  int64_t done = 0;
  friend bool operator==(const InstrEvent&, const InstrEvent&) = default;
};

/// One burst of an LD or ST queue; `seq` counts the bursts of that queue from 0.
/// LD: first/last beat = cycles of the first and last VMEM write. ST: of the first and last VMEM read.
struct BurstEvent {
  isa::EngineId engine = 0;
  uint64_t seq = 0;
  int64_t grant = 0;
  int64_t first_beat = 0;
  int64_t last_beat = 0;
  friend bool operator==(const BurstEvent&, const BurstEvent&) = default;
};

/// Events per engine in program order; index kEngineCount holds the sequencer's SYNC/HALT records.
struct EventLog {
  std::array<std::vector<InstrEvent>, isa::kEngineCount + 1> instrs;
  std::array<std::vector<BurstEvent>, isa::kEngineCount> bursts;
  friend bool operator==(const EventLog&, const EventLog&) = default;
};

/// Index into EventLog::instrs for an engine id (kSequencer maps to kEngineCount).
inline size_t log_index(isa::EngineId engine) {
  return engine == isa::kSequencer ? size_t{isa::kEngineCount} : size_t{engine};
}

/// Differences of two logs, one printable line each, at most `limit`; empty = lockstep.
std::vector<std::string> diff_events(const EventLog& expected, const EventLog& actual, size_t limit = 20);

}  // namespace lockstep::target
