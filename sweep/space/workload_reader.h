// The `workloads:` list of a sweep file: models with a request, and layers files.
#pragma once

#include <string>
#include <vector>

#include "hw/base/yaml_reader.h"
#include "sweep/space/sweep_spec.h"

namespace lockstep::sweep {

/// Loads each entry; paths resolve against `sweep_file`. A name not given is made from the workload's own.
std::vector<SweepWorkload> read_sweep_workloads(const YamlNode& node, const std::string& sweep_file, DiagSink& sink);

/// Lower case, everything but letters and digits as '_': fit for a column name.
std::string column_word(const std::string& name);

}  // namespace lockstep::sweep
