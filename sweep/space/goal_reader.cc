#include "sweep/space/goal_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/base/number.h"
#include "hw/base/printable.h"
#include "sweep/store/columns.h"

namespace lockstep::sweep {

namespace {

/// Columns with a number in them.
std::vector<std::string> metric_names(const std::vector<SweepWorkload>& workloads) {
  std::vector<std::string> names;
  for (const Column& column : metric_columns()) {
    if (column.name != "bound") names.push_back(column.name);
  }
  for (const SweepWorkload& workload : workloads) names.push_back(workload_latency_column(workload.name).name);
  return names;
}

bool is_metric(const std::string& name, const SourceLoc& loc, const std::vector<SweepWorkload>& workloads,
               DiagSink& sink) {
  const std::vector<std::string> names = metric_names(workloads);
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  const std::string near = nearest_name(name, names);
  const std::string hint = near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
  sink.report(error("E1205", loc, fmt::format("unknown metric {}{}", quote_text(name), hint),
                    {"`lockstep list metrics` names all of them"}));
  return false;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void read_constraint(const YamlNode& item, const std::vector<SweepWorkload>& workloads, std::vector<Constraint>& out,
                     DiagSink& sink) {
  const auto text = read_string(item, "constraints", sink);
  if (!text) return;
  Constraint constraint;
  constraint.text = trimmed(*text);
  size_t at = text->find("<=");
  if (at == std::string::npos) {
    at = text->find(">=");
    constraint.at_most = false;
  }
  if (at == std::string::npos) {
    sink.report(error("E1206", item.loc, fmt::format("{} is not 'metric <= number' or 'metric >= number'",
                                                     quote_text(*text))));
    return;
  }
  constraint.metric = trimmed(text->substr(0, at));
  const std::string limit = trimmed(text->substr(at + 2));
  const ParsedNumber<double> number = parse_real(limit, Unit::kNone);
  if (!number.value) {
    sink.report(error("E1206", item.loc, fmt::format("the limit of '{}' {}", constraint.metric, number.problem.message)));
  } else if (is_metric(constraint.metric, item.loc, workloads, sink)) {
    constraint.limit = *number.value;
    out.push_back(std::move(constraint));
  }
}

}  // namespace

void read_objectives(const YamlNode& node, const std::vector<SweepWorkload>& workloads, std::vector<Objective>& out,
                     DiagSink& sink) {
  if (expect_sequence(node, "objectives", sink) == nullptr) return;
  if (node.items.empty()) sink.report(error("E1205", node.loc, "a sweep needs at least one objective"));
  for (size_t i = 0; i < node.items.size(); ++i) {
    MapReader reader(node.items[i], fmt::format("objectives[{}]", i), sink);
    const auto metric = reader.string("metric");
    const auto goal = reader.choice("goal", {"minimize", "maximize"});
    reader.finish();
    if (!metric || !goal || !is_metric(*metric, reader.loc("metric"), workloads, sink)) continue;
    const bool repeated = std::any_of(out.begin(), out.end(), [&](const Objective& o) { return o.metric == *metric; });
    if (repeated) sink.report(error("E1205", reader.loc("metric"), fmt::format("{} is an objective twice", *metric)));
    else out.push_back({*metric, *goal == "minimize", reader.loc("metric")});
  }
}

void read_constraints(const YamlNode& node, const std::vector<SweepWorkload>& workloads, std::vector<Constraint>& out,
                      DiagSink& sink) {
  if (expect_sequence(node, "constraints", sink) == nullptr) return;
  for (const YamlNode& item : node.items) read_constraint(item, workloads, out, sink);
}

}  // namespace lockstep::sweep
