// Fixture of the hand-computed tests: a program runs on the event model and on the stepped reference; both must
// agree before a value is looked at, so every number below is checked on two implementations.
#pragma once

#include <gtest/gtest.h>

#include "hw/timing/timing_target.h"
#include "tests/unit/hw/timing/stepped_reference.h"
#include "tests/unit/hw/timing/test_program.h"

namespace lockstep::timing::test {

class HandComputed : public testing::Test {
 protected:
  chip::ChipSpec chip_ = small_chip();

  target::RunResult run(std::vector<isa::Instr> code) { return run(program(chip_, std::move(code))); }

  target::RunResult run(const isa::Program& input) {
    target::RunOptions options;
    options.record_events = true;
    options.max_cycles = 100'000;
    target::MemoryImage image;
    Result<target::RunResult> result = TimingTarget(chip_).run(input, image, options);
    if (!result.ok()) {
      ADD_FAILURE() << result.diags().front().message;
      return {};
    }
    if (result->fault) return *std::move(result);
    const stepped::Outcome expected = stepped::SteppedReference(chip_, input, options).run(options.max_cycles);
    for (const std::string& line : target::diff_events(expected.log, result->events)) ADD_FAILURE() << line;
    EXPECT_EQ(result->cycles, expected.cycles);
    EXPECT_EQ(result->counters, expected.counters);
    return *std::move(result);
  }

  static const target::InstrEvent& instr(const target::RunResult& result, isa::EngineId engine, size_t n) {
    return result.events.instrs[target::log_index(engine)].at(n);
  }

  /// {issue, source_free, done} of an engine's n-th word.
  static std::array<int64_t, 3> times(const target::RunResult& result, isa::EngineId engine, size_t n) {
    const target::InstrEvent& event = instr(result, engine, n);
    return {event.issue, event.source_free, event.done};
  }
  static std::vector<int64_t> dispatches(const target::RunResult& result, isa::EngineId engine) {
    std::vector<int64_t> out;
    for (const auto& event : result.events.instrs[target::log_index(engine)]) out.push_back(event.dispatch);
    return out;
  }
  static std::vector<int64_t> issues(const target::RunResult& result, isa::EngineId engine) {
    std::vector<int64_t> out;
    for (const auto& event : result.events.instrs[target::log_index(engine)]) out.push_back(event.issue);
    return out;
  }
  static std::vector<int64_t> grants(const target::RunResult& result, isa::EngineId engine) {
    std::vector<int64_t> out;
    for (const target::BurstEvent& event : result.events.bursts[engine]) out.push_back(event.grant);
    return out;
  }
  /// {grant, first_beat, last_beat} of a queue's n-th burst.
  static std::array<int64_t, 3> burst(const target::RunResult& result, isa::EngineId engine, size_t n) {
    const target::BurstEvent& event = result.events.bursts[engine].at(n);
    return {event.grant, event.first_beat, event.last_beat};
  }
};

using Cycles = std::vector<int64_t>;
using Three = std::array<int64_t, 3>;

}  // namespace lockstep::timing::test
