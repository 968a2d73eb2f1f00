// Legality of a schedule: whether it can be lowered for this chip at all. Nothing here looks at speed.
#pragma once

#include <optional>

#include "compiler/analysis/tiling.h"
#include "compiler/ir/infeasible.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::passes {

/// Nothing when legal. "tile": an extent the machine's granule or the order of the loops forbids; "acc_rows", "vmem",
/// "hbm": too small, with the breakdown; "semaphore": more slices in flight than a counter holds; "mxu": not built.
std::optional<ir::Infeasible> check_schedule(const analysis::Tiling& tiling, const chip::ChipSpec& chip);

}  // namespace lockstep::passes
