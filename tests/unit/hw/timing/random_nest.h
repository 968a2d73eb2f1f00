// Random nests of long loops for the jumps of the fast model: small bodies, trip counts up to thousands, strides that
// do and do not keep the address phases, transfers whose row stripes meet, rings of tokens, idle gaps, faults.
#pragma once

#include <cstdint>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/target/target.h"

namespace lockstep::timing::test {

struct NestCase {
  chip::ChipSpec chip;
  isa::Program program;
  target::RunOptions options;
};

/// `words` bounds the words executed, roughly.
NestCase random_nest(uint64_t seed, int64_t words);

}  // namespace lockstep::timing::test
