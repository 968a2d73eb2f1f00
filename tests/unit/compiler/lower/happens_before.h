// Race check of a straight walk of a program, independent of any target and of any latency: two accesses to the same
// bytes, at least one a write, by two engines, must be ordered by semaphores, planes and the engines' own order.
#pragma once

#include <string>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::compiler_test {

/// Empty when race-free; else the first pair of words that nothing orders. Quadratic in executed words: keep them few.
std::string find_race(const isa::Program& program, const chip::ChipSpec& chip);

}  // namespace lockstep::compiler_test
