// Random chips and random legal programs for comparing timing models: nests of loops over words of every engine,
// tied by token pairs. A pair is a post and a wait of the same loop body, so every body is balanced; a pair whose
// wait would not be covered in program order (SEM-4) is taken out again.
#pragma once

#include <cstdint>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/target/target.h"

namespace lockstep::timing::test {

chip::ChipSpec random_chip(uint64_t seed);

/// Legal on every chip with the load queues of `chip`.
isa::Program random_program(uint64_t seed, const chip::ChipSpec& chip);

/// Sometimes with memory jitter.
target::RunOptions random_options(uint64_t seed);

}  // namespace lockstep::timing::test
