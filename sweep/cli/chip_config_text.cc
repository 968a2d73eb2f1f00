#include "sweep/cli/chip_config_text.h"

#include "sweep/runner/tables.h"

namespace lockstep::sweep {

std::string chip_config_text(const ChipInput& chip) { return parameters_text(chip.file, chip.knobs, {}, true); }

}  // namespace lockstep::sweep
