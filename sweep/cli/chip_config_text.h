// The resolved parameters of a chip with the origin of each value, for --print-config.
#pragma once

#include <string>

#include "sweep/cli/inputs.h"

namespace lockstep::sweep {

/// One line a parameter: "chip.mxu.rows: 16  # configs/chips/edge16.yaml:6:13".
std::string chip_config_text(const ChipInput& chip);

}  // namespace lockstep::sweep
