// Objectives and constraints of a sweep file.
#pragma once

#include <vector>

#include "hw/base/yaml_reader.h"
#include "sweep/space/sweep_spec.h"

namespace lockstep::sweep {

/// At least one objective over a numeric result column (E1205); each metric once.
void read_objectives(const YamlNode& node, const std::vector<SweepWorkload>& workloads, std::vector<Objective>& out,
                     DiagSink& sink);

/// Texts "metric <= number" or "metric >= number" (E1206).
void read_constraints(const YamlNode& node, const std::vector<SweepWorkload>& workloads, std::vector<Constraint>& out,
                      DiagSink& sink);

}  // namespace lockstep::sweep
