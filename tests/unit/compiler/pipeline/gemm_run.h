// Runs a compiled GEMM on golden and compares every byte of the image against a plain product.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::compiler_test {

/// Empty when right; else the first difference. The image starts with random bytes everywhere, padding and outputs
/// included; afterwards outputs hold the product, their padding holds 0, and every other byte is as before.
std::string run_and_compare(const pipeline::Compiled& compiled, const chip::ChipSpec& chip, uint32_t seed);

}  // namespace lockstep::compiler_test
