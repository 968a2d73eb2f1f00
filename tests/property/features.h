// Which situations a program contains: shows that generated programs reach the corners they are meant to reach.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

/// Names of all features that features_of can find.
const std::vector<std::string>& all_features();

/// By walking the dynamic words: a feature counts only when it is executed.
std::set<std::string> features_of(const isa::Program& program, const chip::ChipSpec& chip);

}  // namespace lockstep::testgen
