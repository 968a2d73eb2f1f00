// Random legal programs: SEM-1..4, MXU-2 alternation, MXU-4 neighbours, bounds, granules, and free of data races, so
// that every legal timing leaves golden's result. They are drawn as a Scenario, a small description that lowers to a
// Program and that the shrinker works on.
#pragma once

#include <cstdint>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/target/target.h"
#include "tests/property/scenario.h"

namespace lockstep::testgen {

struct GenOptions {
  int max_phases = 2;
  int max_flows = 3;         // per phase
  int max_items = 12;        // iterations of a flow's item
  bool use_mxu = true;
  bool byte_offsets = true;  // operand rows at any byte of a line, else at multiples of their width
};

Scenario random_scenario(uint64_t seed, const chip::ChipSpec& chip, const GenOptions& options = {});

/// Total: any scenario gives a legal program; flows that do not fit the chip are left out.
isa::Program lower(const Scenario& scenario, const chip::ChipSpec& chip);

isa::Program random_program(uint64_t seed, const chip::ChipSpec& chip, const GenOptions& options = {});

target::MemoryImage random_image(uint64_t seed, const isa::Program& program);

/// MXU-2 period: `tiles` pairs WLD, MM of `rows` rows without waits between them, weights and activations resident.
/// The MMs of the pairs carry tag kPairTag.
inline constexpr uint32_t kPairTag = 0xABCDE;
isa::Program pair_program(const chip::ChipSpec& chip, int tiles, int rows);

}  // namespace lockstep::testgen
