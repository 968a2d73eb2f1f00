// A sweep as its file describes it (schema lockstep/sweep/v1), everything it names loaded and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/gemm.h"
#include "compiler/pipeline/knobs.h"
#include "hw/base/result.h"
#include "hw/chip/chip_file.h"
#include "sweep/space/space.h"

namespace lockstep::sweep {

/// One `--set name=value`, applied to the base before the axes.
using OverrideText = std::pair<std::string, std::string>;

struct SweepWorkload {
  std::string name;  // [a-z0-9_]+, unique; part of a column name
  double weight = 1;
  ir::Workload workload;
};

struct Objective {
  std::string metric;
  bool minimize = true;
  SourceLoc loc;
};

/// `metric <= limit` or `metric >= limit`.
struct Constraint {
  std::string metric;
  bool at_most = true;
  double limit = 0;
  std::string text;
};

struct VerifySpec {
  bool enabled = false;
  int64_t max_trials = 0;
};

struct SweepSpec {
  std::string name;
  std::string file;
  std::string chip_path;
  chip::ChipFile base;       // overrides applied
  pipeline::Knobs knobs;     // overrides applied
  std::vector<SweepWorkload> workloads;
  std::vector<Objective> objectives;
  std::vector<Constraint> constraints;
  Space space{{}};
  int64_t trial_limit = 0;
  VerifySpec verify;
};

/// Reads a sweep and all it names. Every mistake of the file is reported at once: YAML (E01xx, E02xx), E1201 unknown
/// axis, E1202 a method, limit or option that is not built, E1203 a bad axis, E1204 more points than the limit,
/// E1205 unknown metric, E1206 a bad constraint, E1207 an override that is an axis or no parameter, and the errors of
/// chip and workload files.
Result<SweepSpec> load_sweep(const std::string& path, const std::vector<OverrideText>& overrides);

/// One point, resolved.
struct PointConfig {
  chip::ChipSpec chip;
  pipeline::Knobs knobs;
  std::vector<std::string> axis_values;
  std::string infeasible;  // not empty: a static reason why this chip cannot exist
};

/// Pure: the same point gives the same configuration.
PointConfig config_at(const SweepSpec& sweep, int64_t point);

/// Sets one parameter by its full name ("chip.mxu.rows", "compiler.pipelining.buffers"); E1201 for an unknown name.
[[nodiscard]] std::optional<Diag> set_parameter(chip::ChipSpec& chip, pipeline::Knobs& knobs, const std::string& name,
                                                const std::string& value, const SourceLoc& loc);

/// The canonical text of a parameter that exists.
std::string parameter_text(const chip::ChipSpec& chip, const pipeline::Knobs& knobs, const std::string& name);

/// Documentation of a parameter that exists.
std::string parameter_sentence(const std::string& name);

/// Unit of a parameter that exists: "KiB", "GB/s"; empty for a bare number or a word.
std::string parameter_unit(const std::string& name);

/// All names a sweep may vary, chip fields first.
std::vector<std::string> axis_names();

/// Every parameter, those that cannot be swept included.
std::vector<std::string> parameter_names();

}  // namespace lockstep::sweep
