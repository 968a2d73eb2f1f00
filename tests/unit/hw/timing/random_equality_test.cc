// The event model against the cycle-stepped reference: every event, every counter, on random programs and chips.
#include <cstdlib>

#include <gtest/gtest.h>

#include "hw/timing/timing_target.h"
#include "tests/unit/hw/timing/random_program.h"
#include "tests/unit/hw/timing/stepped_reference.h"

namespace lockstep::timing {
namespace {

/// LOCKSTEP_RANDOM_PROGRAMS=n runs n programs instead of the default.
uint64_t program_count() {
  const char* text = std::getenv("LOCKSTEP_RANDOM_PROGRAMS");
  return text == nullptr ? 400 : std::strtoull(text, nullptr, 10);
}

uint64_t first_seed() {
  const char* text = std::getenv("LOCKSTEP_FIRST_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

struct Totals {
  uint64_t cycles = 0;
  uint64_t instrs = 0;
  uint64_t bursts = 0;
  uint64_t faults = 0;
};

/// Empty when the two agree on everything.
std::string compare(const chip::ChipSpec& chip, const isa::Program& program, const target::RunOptions& options,
                    Totals& totals) {
  target::MemoryImage image;
  const Result<target::RunResult> result = TimingTarget(chip).run(program, image, options);
  if (!result.ok()) return "refused: " + result.diags().front().message;
  stepped::SteppedReference reference(chip, program, options);
  const stepped::Outcome expected = reference.run(options.max_cycles);
  if (!expected.fault.empty() || result->fault) {
    ++totals.faults;
    if (!result->fault) return "reference faults, model does not: " + expected.fault;
    if (result->fault->code == expected.fault && result->fault->cycle == expected.fault_cycle &&
        (result->fault->tag == expected.fault_tag || expected.fault == "F-WATCHDOG")) {
      return {};
    }
    return "model: " + result->fault->code + " in " + std::to_string(result->fault->cycle) + ": " +
           result->fault->detail + "; reference: " + expected.fault + " in " + std::to_string(expected.fault_cycle);
  }
  std::string text;
  for (const std::string& line : target::diff_events(expected.log, result->events, 6)) text += line + "\n";
  if (result->cycles != expected.cycles) {
    text += "cycles: " + std::to_string(result->cycles) + ", reference " + std::to_string(expected.cycles) + "\n";
  }
  if (!(result->counters == expected.counters)) text += "counters differ\n";
  totals.cycles += static_cast<uint64_t>(expected.cycles);
  for (const auto& records : expected.log.instrs) totals.instrs += records.size();
  for (const auto& records : expected.log.bursts) totals.bursts += records.size();
  return text;
}

TEST(RandomEquality, ModelEqualsTheSteppedReferenceOnRandomProgramsAndChips) {
  constexpr uint64_t kChipsPerProgram = 8;
  Totals totals;
  for (uint64_t seed = first_seed(); seed < first_seed() + program_count(); ++seed) {
    for (uint64_t n = 0; n < kChipsPerProgram; ++n) {
      const uint64_t chip_seed = seed * kChipsPerProgram + n;
      const chip::ChipSpec chip = test::random_chip(chip_seed);
      const isa::Program program = test::random_program(seed, chip);
      const std::string difference = compare(chip, program, test::random_options(chip_seed), totals);
      ASSERT_EQ(difference, "") << "program seed " << seed << ", chip seed " << chip_seed;
    }
  }
  std::printf("first seed %llu: %llu programs x %llu chips, %llu cycles, %llu instructions, %llu bursts, %llu faults\n",
              static_cast<unsigned long long>(first_seed()), static_cast<unsigned long long>(program_count()),
              static_cast<unsigned long long>(kChipsPerProgram), static_cast<unsigned long long>(totals.cycles),
              static_cast<unsigned long long>(totals.instrs), static_cast<unsigned long long>(totals.bursts),
              static_cast<unsigned long long>(totals.faults));
}

}  // namespace
}  // namespace lockstep::timing
