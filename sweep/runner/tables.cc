#include "sweep/runner/tables.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hw/base/csv.h"

namespace lockstep::sweep {

namespace {

CsvWriter table_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return CsvWriter(std::move(names));
}

/// A number where the text is one, so that tables of axes sort and JSON holds numbers.
Cell axis_cell(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? Cell{int64_t{std::stoll(text)}} : Cell{text};
}

/// Where a parameter of this name was set last.
std::string origin_of(const chip::ChipFile& base, const pipeline::Knobs& knobs, const std::vector<Axis>& axes,
                      const std::string& name) {
  for (const Axis& axis : axes) {
    if (axis.name == name) return "an axis of this sweep";
  }
  if (name.rfind("chip.", 0) != 0) {
    const bool is_default = parameter_text(base.spec, knobs, name) == parameter_text(base.spec, {}, name);
    return is_default ? "default" : "--set";
  }
  const auto found = base.origins.find(name.substr(name.find('.') + 1));
  if (found == base.origins.end()) return "default";
  if (found->second.file.empty()) return "--set";
  return fmt::format("{}:{}:{}", found->second.file, found->second.line, found->second.column);
}

std::string axis_text(const SweepSpec& sweep, const Axis& axis) {
  if (axis.same_as) return fmt::format("{{same_as: {}}}", sweep.space.axes()[*axis.same_as].name);
  return fmt::format("{{values: [{}]}}", fmt::join(axis.values, ", "));
}

/// Text as a double-quoted YAML scalar; JSON strings are that.
std::string yaml_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::vector<Column> sweep_columns(const SweepSpec& sweep) {
  std::vector<Column> axes;
  for (const Axis& axis : sweep.space.axes()) axes.push_back({axis.name, parameter_unit(axis.name), parameter_sentence(axis.name), ""});
  std::vector<std::string> workloads;
  for (const SweepWorkload& entry : sweep.workloads) workloads.push_back(entry.name);
  return result_columns(axes, workloads);
}

std::vector<std::vector<Cell>> result_rows(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                           const std::vector<bool>& pareto, const std::vector<RtlRecord>& rtl) {
  const std::vector<Column> columns = sweep_columns(sweep);
  std::vector<std::vector<Cell>> rows;
  for (size_t i = 0; i < trials.size(); ++i) {
    const TrialRecord& trial = trials[i];
    CellRow named = {{"point", trial.point}};
    const std::vector<std::string> values = sweep.space.values_at(trial.point);
    for (size_t a = 0; a < values.size(); ++a) named.emplace_back(sweep.space.axes()[a].name, axis_cell(values[a]));
    named.insert(named.end(), trial.metrics.begin(), trial.metrics.end());
    named.emplace_back("state", std::string(state_word(trial.state)));
    named.emplace_back("reason", trial.reason);
    named.emplace_back("exact", trial.state == TrialState::kComplete ? Cell{int64_t{1}} : Cell{});
    named.emplace_back("pareto", int64_t{pareto[i]});
    const auto checked = std::find_if(rtl.begin(), rtl.end(), [&](const RtlRecord& r) { return r.id == trial.id; });
    if (checked != rtl.end()) named.insert(named.end(), checked->cells.begin(), checked->cells.end());
    std::vector<Cell>& row = rows.emplace_back();
    for (const Column& column : columns) row.push_back(find_cell(named, column.name));
  }
  return rows;
}

std::string results_csv(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows) {
  CsvWriter table = table_of(columns);
  for (const std::vector<Cell>& row : rows) table.add_row(row);
  return table.text();
}

std::string layers_csv(const std::vector<TrialRecord>& trials) {
  CsvWriter table = table_of(layer_columns());
  for (const TrialRecord& trial : trials) {
    for (const CellRow& layer : trial.layers) {
      std::vector<Cell> row;
      for (const Column& column : layer_columns()) {
        row.push_back(column.name == "point" ? Cell{trial.point} : find_cell(layer, column.name));
      }
      table.add_row(row);
    }
  }
  return table.text();
}

std::string host_timings_csv(const std::vector<TrialTime>& times) {
  std::string text = "point,host_ms\n";
  for (const TrialTime& time : times) text += fmt::format("{},{:.3f}\n", time.point, time.host_ms);
  return text;
}

std::string parameters_text(const chip::ChipFile& base, const pipeline::Knobs& knobs, const std::vector<Axis>& axes,
                            bool origins) {
  std::string text;
  for (const std::string& name : parameter_names()) {
    text += fmt::format("  {}: {}", name, parameter_text(base.spec, knobs, name));
    text += origins ? fmt::format("  # {}\n", origin_of(base, knobs, axes, name)) : "\n";
  }
  return text;
}

std::string resolved_config(const SweepSpec& sweep, bool origins) {
  std::string text = fmt::format("schema: lockstep/resolved/v1\nname: {}\nparameters:\n", sweep.name);
  text += parameters_text(sweep.base, sweep.knobs, sweep.space.axes(), origins);
  text += "axes:\n";
  for (const Axis& axis : sweep.space.axes()) text += fmt::format("  {}: {}\n", axis.name, axis_text(sweep, axis));
  text += "objectives:\n";
  for (const Objective& o : sweep.objectives) {
    text += fmt::format("  - {{metric: {}, goal: {}}}\n", o.metric, o.minimize ? "minimize" : "maximize");
  }
  text += "constraints:\n";
  for (const Constraint& constraint : sweep.constraints) text += fmt::format("  - {}\n", yaml_text(constraint.text));
  text += fmt::format("verify: {{max_trials: {}}}\nworkloads:\n", sweep.verify.max_trials);
  for (const SweepWorkload& entry : sweep.workloads) {
    text += fmt::format("  - name: {}\n    weight: {}\n    gemms:\n", entry.name, entry.weight);
    for (const ir::Gemm& gemm : entry.workload.gemms) {
      text += fmt::format("      - {{name: {}, M: {}, N: {}, K: {}, repeat: {}}}\n", yaml_text(gemm.name), gemm.m, gemm.n,
                          gemm.k, gemm.count);
    }
  }
  return text;
}

std::string manifest_json(const SweepSpec& sweep, const std::string& tool_version) {
  const std::string config = resolved_config(sweep, false);
  const XXH128_hash_t hash = XXH3_128bits(config.data(), config.size());
  const nlohmann::ordered_json manifest = {{"schema", "lockstep/manifest/v1"},
                                           {"tool", "lockstep"},
                                           {"version", tool_version},
                                           {"sweep", sweep.name},
                                           {"points", sweep.space.points()},
                                           {"config_xxh3", fmt::format("{:016x}{:016x}", hash.high64, hash.low64)}};
  return manifest.dump(2) + "\n";
}

}  // namespace lockstep::sweep
