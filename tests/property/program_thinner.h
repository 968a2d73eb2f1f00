// Drops words, token pairs and loops of a program one by one as long as it stays legal and `keeps` says so.
#pragma once

#include <functional>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

/// True when golden runs `program` without a fault, its result does not depend on what VMEM held before, and no two
/// accesses race.
bool is_legal(const isa::Program& program, const chip::ChipSpec& chip);

/// `keeps` is only asked about legal programs.
void thin(isa::Program& program, const chip::ChipSpec& chip, const std::function<bool(const isa::Program&)>& keeps);

}  // namespace lockstep::testgen
