// Turns the event strobes of the core into the records of EVT-1.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "hw/target/event.h"

namespace lockstep::sysc {

/// One instance per run. A strobe always belongs to the oldest word of its engine that lacks it (EVT-2).
class EventRecorder {
 public:
  explicit EventRecorder(bool keep) : keep_(keep) {}

  void dispatch(int64_t cycle, unsigned engine, uint32_t pc, uint32_t tag);
  void strobes(int64_t cycle, uint32_t issue, uint32_t source_free, uint32_t done);
  void sequencer_done(int64_t cycle);
  void burst_grant(int64_t cycle, unsigned engine);
  void burst_beat(int64_t cycle, unsigned engine, bool last);

  target::EventLog take() { return std::move(log_); }

 private:
  bool keep_;
  target::EventLog log_;
  std::array<size_t, isa::kEngineCount + 1> next_issue_{}, next_source_free_{}, next_done_{};
  std::array<size_t, isa::kEngineCount> next_beat_{};
  std::array<bool, isa::kEngineCount> in_burst_{};
};

}  // namespace lockstep::sysc
