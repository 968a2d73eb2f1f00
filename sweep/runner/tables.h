// The files a sweep leaves: results.csv, layers.csv, columns.json, config.resolved.yaml and manifest.json. All of them
// are equal, byte for byte, between runs, thread counts and machines; host times go to host_timings.csv.
#pragma once

#include <string>
#include <vector>

#include "sweep/runner/sweep_runner.h"
#include "sweep/space/sweep_spec.h"
#include "sweep/store/columns.h"
#include "sweep/store/trial.h"

namespace lockstep::sweep {

/// Columns of results.csv for this sweep.
std::vector<Column> sweep_columns(const SweepSpec& sweep);

/// One row a trial with every column's cell, in column order. `pareto` is parallel to `trials`.
std::vector<std::vector<Cell>> result_rows(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                           const std::vector<bool>& pareto, const std::vector<RtlRecord>& rtl);

std::string results_csv(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows);
std::string layers_csv(const std::vector<TrialRecord>& trials);
std::string host_timings_csv(const std::vector<TrialTime>& times);

/// One line "  chip.mxu.rows: 16" a parameter, in table order; with `origins` each says where it was set.
std::string parameters_text(const chip::ChipFile& base, const pipeline::Knobs& knobs, const std::vector<Axis>& axes,
                            bool origins);

/// YAML text of everything a sweep's points start from and vary over. With `origins` each value says where it was set.
std::string resolved_config(const SweepSpec& sweep, bool origins);

/// What the folder is for; resuming needs equal text.
std::string manifest_json(const SweepSpec& sweep, const std::string& tool_version);

}  // namespace lockstep::sweep
