// The columns of results.csv and layers.csv: name, unit, sentence, and which direction is better.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sweep {

struct Column {
  std::string name;      // snake_case with the unit last
  std::string unit;      // "ms", "B", "%"; empty for counts and words
  std::string sentence;  // what it is, in one sentence
  std::string better;    // "lower", "higher" or empty
};

/// Measured columns of a trial, in CSV order; what objectives and constraints may name.
const std::vector<Column>& metric_columns();

/// What the sweep adds to a trial: state, reason, exact, pareto and the RTL columns.
const std::vector<Column>& verdict_columns();

/// Columns of layers.csv.
const std::vector<Column>& layer_columns();

/// The latency column of one workload: "prefill" gives "latency_prefill_ms".
Column workload_latency_column(const std::string& workload);

/// results.csv: point, the axes (in axis order), one latency per workload, metrics, verdicts.
std::vector<Column> result_columns(const std::vector<Column>& axes, const std::vector<std::string>& workloads);

/// columns.json: {"results.csv": [...], "layers.csv": [...]}.
std::string columns_json(const std::vector<Column>& results);

}  // namespace lockstep::sweep
