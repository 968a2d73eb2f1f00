// Random operands for a program's inputs, so that data can be compared between targets.
#pragma once

#include <cstdint>

#include "hw/isa/program.h"
#include "hw/target/target.h"

namespace lockstep::sweep {

/// An image of program.hbm_bytes. Input and weight tensors hold int8 values from `seed`, the same on every machine;
/// everything else, padding and outputs included, holds a fixed canary byte, so that a write out of place shows.
target::MemoryImage operand_image(const isa::Program& program, uint64_t seed);

/// C = A x B in plain loops over the program's tensors; true when the output tensor of `image` holds exactly that.
/// Needs one input, one weight and one output tensor; `why` names the first difference.
bool output_is_product(const isa::Program& program, const target::MemoryImage& image, std::string& why);

}  // namespace lockstep::sweep
