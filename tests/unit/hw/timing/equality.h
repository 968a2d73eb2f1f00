// Runs a program on the event model and on the stepped reference and compares everything both record.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/target/target.h"

namespace lockstep::timing::test {

/// What a campaign covered.
struct Totals {
  uint64_t runs = 0;
  uint64_t cycles = 0;
  uint64_t instrs = 0;
  uint64_t bursts = 0;
  uint64_t faults = 0;
};

/// Empty when the two agree on fault or on every event, counter and the cycles.
std::string compare(const chip::ChipSpec& chip, const isa::Program& program, const target::RunOptions& options,
                    Totals& totals);

/// "123 runs, 456 cycles, ..." for the log.
std::string describe(const Totals& totals);

/// A number from the environment, to run longer campaigns than the default: LOCKSTEP_RANDOM_PROGRAMS,
/// LOCKSTEP_FIRST_SEED.
inline uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace lockstep::timing::test
