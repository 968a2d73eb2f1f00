// The `parameters:` of a sweep file.
#pragma once

#include <vector>

#include "compiler/pipeline/knobs.h"
#include "hw/base/yaml_reader.h"
#include "hw/chip/chip_spec.h"
#include "sweep/space/space.h"

namespace lockstep::sweep {

/// Axes in file order. Each value is checked against its field alone (relations between fields are judged point by
/// point). What is wrong goes to the sink: E1201, E1202, E1203 and the errors of the field tables.
std::vector<Axis> read_axes(const YamlNode& parameters, const chip::ChipSpec& base, const pipeline::Knobs& knobs,
                            DiagSink& sink);

}  // namespace lockstep::sweep
