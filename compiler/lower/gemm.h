// Weight-stationary GEMM: a schedule to the words of a program.
//
// Time runs to the right, one row per engine, buffers = 2, two k slices a block:
//
//   LD0   W0 A0 W1 A1 W2 A2 | W3 A3 ...            loads run ahead by buffers - 1 slices, held by free slots
//   WLD0        w0.0 w0.1 w1.0 ...                 one plane ahead of MM (MXU-2)
//   MM0              m0.0 m0.1 m1.0 m1.1 | m2.0    back to back across slices, n blocks and m blocks
//   VX0                                  | d0      drains one accumulator buffer while MM fills the other
//   ST0                                      | s0
//
// Semaphores (one producer and one consumer each, SEM-1; start count = free slots, SEM-2):
//   weights full LD->WLD, free WLD->LD;  activations full LD->MM, free MM->LD;
//   accumulators full MM->VX, free VX->MM;  outputs full VX->ST, free ST->VX
#pragma once

#include <string>
#include <variant>

#include "compiler/analysis/tiling.h"
#include "compiler/ir/infeasible.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::lower {

/// Lowers a legal schedule (passes::check_schedule) to a program called `name`. Infeasible "imem" when the program is longer than the chip's
/// instruction memory.
std::variant<isa::Program, ir::Infeasible> lower_gemm(const std::string& name, const analysis::Tiling& tiling,
                                                    const chip::ChipSpec& chip);

}  // namespace lockstep::lower
