#include <array>

#include <fmt/format.h>

#include "compiler/pipeline/knobs.h"
#include "hw/base/printable.h"
#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"
#include "hw/metrics/utilization.h"
#include "sweep/cli/result_table.h"
#include "sweep/cli/verbs.h"
#include "sweep/store/columns.h"

namespace lockstep::sweep {

namespace {

ResultTable list_files(const Context& context, const std::string& folder, const std::string& suffix) {
  ResultTable table{{"name", "file"}, {}};
  const std::string path = context.find_folder(folder);
  for (const std::string& name : names_in(path, suffix)) {
    table.add({name, fmt::format("{}/{}{}", path, name, suffix)});
  }
  return table;
}

ResultTable list_chips(const Context& context) { return list_files(context, "configs/chips", ".yaml"); }

ResultTable list_workloads(const Context& context) {
  ResultTable table = list_files(context, "workloads/layers", ".yaml");
  const ResultTable models = list_files(context, "workloads/models", ".json");
  table.rows.insert(table.rows.end(), models.rows.begin(), models.rows.end());
  return table;
}

ResultTable list_axes(const Context&) {
  ResultTable table{{"axis", "rule", "sentence"}, {}};
  for (const chip::Field& field : chip::chip_fields()) {
    if (!field.is_sweepable) continue;
    table.add({fmt::format("chip.{}", field.name), chip::describe_rule(field), std::string(field.sentence)});
  }
  for (const pipeline::Knob& knob : pipeline::knob_table()) table.add({knob.name, std::string("see `list knobs`"), knob.sentence});
  return table;
}

std::string knob_rule(const pipeline::Knob& knob) {
  switch (knob.type) {
    case pipeline::KnobType::kInteger: return fmt::format("in [{}, {}]", knob.min, knob.max);
    case pipeline::KnobType::kBool: return "true or false";
    case pipeline::KnobType::kWord: return join_choices(knob.words);
  }
  return {};
}

ResultTable list_knobs(const Context&) {
  ResultTable table{{"knob", "rule", "default", "unit", "sentence"}, {}};
  for (const pipeline::Knob& knob : pipeline::knob_table()) {
    table.add({knob.name, knob_rule(knob), knob.get(pipeline::Knobs{}), knob.unit, knob.sentence});
  }
  return table;
}

ResultTable list_metrics(const Context&) {
  ResultTable table{{"metric", "unit", "better", "sentence"}, {}};
  for (const Column& column : metric_columns()) table.add({column.name, column.unit, column.better, column.sentence});
  return table;
}

ResultTable list_counters(const Context&) {
  ResultTable table{{"counter", "unit", "sentence"}, {}};
  for (const metrics::CounterDoc& doc : metrics::counter_docs()) {
    table.add({std::string(doc.name), std::string(doc.unit), std::string(doc.sentence)});
  }
  return table;
}

struct ListWord {
  const char* name;
  ResultTable (*make)(const Context&);
};

constexpr std::array<ListWord, 6> kLists = {{{"chips", list_chips},
                                             {"workloads", list_workloads},
                                             {"axes", list_axes},
                                             {"knobs", list_knobs},
                                             {"metrics", list_metrics},
                                             {"counters", list_counters}}};

}  // namespace

int run_list(const CommandLine& command, Context& context) {
  const std::string& what = command.files.front();
  std::vector<std::string> names;
  for (const ListWord& list : kLists) {
    if (what == list.name) {
      context.console.result(render(list.make(context), command.common.format));
      return kExitOk;
    }
    names.emplace_back(list.name);
  }
  const std::string near = nearest_name(what, names);
  const std::string hint = near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
  context.console.report(error("E1104", {}, fmt::format("list shows {}, not {}{}", join_choices(names), quote_text(what), hint)));
  return kExitUsage;
}

}  // namespace lockstep::sweep
