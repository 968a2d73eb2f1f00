// Random small chips that pass the chip checks.
#pragma once

#include <cstdint>

#include "hw/chip/chip_spec.h"

namespace lockstep::testgen {

/// Arrays 4x4 to 16x16, every timing-relevant field drawn.
chip::ChipSpec random_chip(uint64_t seed);

/// The same build with other run-time limits (CSRs): queue depths, window, quantum, setup, VX latencies, memory.
chip::ChipSpec with_random_limits(const chip::ChipSpec& chip, uint64_t seed);

}  // namespace lockstep::testgen
