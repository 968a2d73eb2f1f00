// What golden refuses before it runs anything: forms no encoded word can have, and features that are not built.
#pragma once

#include <vector>

#include "hw/base/diag.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::golden {

/// Every objection to `program` on `chip`, empty when it may run. E0501, E0502, E0503 as in golden.h.
std::vector<Diag> check_admission(const isa::Program& program, const chip::ChipSpec& chip);

}  // namespace lockstep::golden
