#include "sweep/cli/front_summary.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "hw/base/printable.h"
#include "sweep/cli/result_table.h"
#include "sweep/runner/tables.h"

namespace lockstep::sweep {

namespace {

/// Columns of the text table: the axes that choose, objectives and what explains them.
std::vector<std::string> shown_columns(const SweepSpec& sweep) {
  std::vector<std::string> names = {"point"};
  for (const Axis& axis : sweep.space.axes()) {
    if (!axis.same_as) names.push_back(axis.name);
  }
  for (const Objective& objective : sweep.objectives) names.push_back(objective.metric);
  for (const SweepWorkload& entry : sweep.workloads) names.push_back(workload_latency_column(entry.name).name);
  for (const char* name : {"mxu_util_pct", "hbm_util_pct", "bound", "rtl_scope", "rtl_cycles", "model_cycles_rtl_image",
                           "rtl_check"}) {
    names.emplace_back(name);
  }
  std::set<std::string> seen;
  std::erase_if(names, [&](const std::string& name) { return !seen.insert(name).second; });
  return names;
}

size_t index_of(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  CHECK(found != columns.end()) << name;
  return static_cast<size_t>(found - columns.begin());
}

std::vector<size_t> ordered_front(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                  const std::vector<bool>& pareto) {
  std::vector<size_t> front;
  for (size_t i = 0; i < trials.size(); ++i) {
    if (pareto[i]) front.push_back(i);
  }
  const std::string& metric = sweep.objectives.front().metric;
  std::stable_sort(front.begin(), front.end(), [&](size_t a, size_t b) {
    return cell_number(find_cell(trials[a].metrics, metric), 0) < cell_number(find_cell(trials[b].metrics, metric), 0);
  });
  return front;
}

std::string axis_remarks(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                         const std::vector<size_t>& front) {
  std::string text;
  for (size_t a = 0; a < sweep.space.axes().size(); ++a) {
    const Axis& axis = sweep.space.axes()[a];
    if (axis.same_as || axis.values.size() < 2) continue;
    std::set<std::string> used;
    for (const size_t i : front) used.insert(sweep.space.values_at(trials[i].point)[a]);
    if (used.size() == 1) {
      text += fmt::format("{} is {} in every point of the front, of {}\n", axis.name, *used.begin(), join_list(axis.values));
    } else {
      text += fmt::format("{} takes {} of {} values in the front\n", axis.name, used.size(), axis.values.size());
    }
  }
  return text;
}

std::string bound_remark(const std::vector<TrialRecord>& trials, const std::vector<size_t>& front) {
  std::map<std::string, int> points;
  for (const size_t i : front) ++points[cell_text(find_cell(trials[i].metrics, "bound"))];
  std::vector<std::string> parts;
  for (const auto& [bound, count] : points) parts.push_back(fmt::format("{} in {}", bound, count));
  return fmt::format("limited by {}\n", join_list(parts));
}

}  // namespace

std::string front_summary(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                          const std::vector<bool>& pareto, const std::vector<std::vector<Cell>>& rows) {
  const std::vector<size_t> front = ordered_front(sweep, trials, pareto);
  if (front.empty()) return "no point is feasible\n";
  const std::vector<Column> columns = sweep_columns(sweep);
  ResultTable table;
  table.columns = shown_columns(sweep);
  const bool has_rtl = std::any_of(front.begin(), front.end(), [&](size_t i) {
    return !cell_text(rows[i][index_of(columns, "rtl_check")]).empty();
  });
  if (!has_rtl) std::erase_if(table.columns, [](const std::string& name) { return name.find("rtl") != std::string::npos; });
  for (const size_t i : front) {
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const std::string& name : table.columns) row.push_back(rows[i][index_of(columns, name)]);
  }
  return render(table, Format::kText) + fmt::format("\nfront: {} of {} points\n", front.size(), trials.size()) +
         axis_remarks(sweep, trials, front) + bound_remark(trials, front);
}

}  // namespace lockstep::sweep
