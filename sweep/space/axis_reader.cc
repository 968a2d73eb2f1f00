#include "sweep/space/axis_reader.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "hw/base/printable.h"
#include "hw/chip/field_table.h"
#include "sweep/space/grid_values.h"
#include "sweep/space/sweep_spec.h"

namespace lockstep::sweep {

namespace {

constexpr int64_t kMaxAxisValues = 1000;

struct AxisText {
  std::string same_as;  // name of the leader; empty when there is none
  SourceLoc same_as_loc;
};

class AxesReader {
 public:
  AxesReader(const chip::ChipSpec& base, const pipeline::Knobs& knobs, DiagSink& sink)
      : base_(base), knobs_(knobs), sink_(sink) {}

  void read(const YamlEntry& entry) {
    Axis axis;
    axis.name = entry.key;
    axis.loc = entry.key_loc;
    if (!is_axis(axis)) return;
    MapReader reader(entry.value, axis.name, sink_);
    AxisText text;
    if (reader.has("when")) not_built(reader, "when");
    if (reader.has("same_as")) {
      text.same_as = reader.string("same_as").value_or("");
      text.same_as_loc = reader.loc("same_as");
    } else if (reader.has("values")) {
      read_values(reader, axis);
    } else if (entry.value.is_map()) {
      read_range(reader, axis);
    }
    reader.finish();
    axes_.push_back(std::move(axis));
    texts_.push_back(std::move(text));
  }

  /// Links followers; drops axes that had errors, so that the space stays well formed.
  std::vector<Axis> finish() {
    for (size_t i = 0; i < axes_.size(); ++i) link(i);
    if (sink_.has_errors()) return {};
    return std::move(axes_);
  }

 private:
  bool is_axis(const Axis& axis) {
    const std::vector<std::string> names = axis_names();
    if (std::find(names.begin(), names.end(), axis.name) != names.end()) return true;
    chip::ChipSpec chip = base_;
    pipeline::Knobs knobs = knobs_;
    std::optional<Diag> unknown = set_parameter(chip, knobs, axis.name, "1", axis.loc);
    if (unknown && unknown->code == "E1201") {
      sink_.report(*std::move(unknown));
    } else {
      sink_.report(error("E1203", axis.loc, fmt::format("{} cannot be swept", axis.name)));
    }
    return false;
  }

  void not_built(MapReader& reader, const std::string& key) {
    (void)reader.node(key);
    sink_.report(error("E1202", reader.loc(key), fmt::format("'{}' is not built yet", key)));
  }

  /// The value as its field prints it, or nothing after a report.
  std::optional<std::string> canonical(const Axis& axis, const std::string& text, const SourceLoc& loc) {
    chip::ChipSpec chip = base_;
    pipeline::Knobs knobs = knobs_;
    if (std::optional<Diag> problem = set_parameter(chip, knobs, axis.name, text, loc)) {
      sink_.report(*std::move(problem));
      return std::nullopt;
    }
    return parameter_text(chip, knobs, axis.name);
  }

  void add_value(Axis& axis, const std::string& text, const SourceLoc& loc) {
    const std::optional<std::string> value = canonical(axis, text, loc);
    if (!value) return;
    if (std::find(axis.values.begin(), axis.values.end(), *value) != axis.values.end()) {
      sink_.report(error("E1203", loc, fmt::format("{} lists {} twice", axis.name, *value)));
      return;
    }
    axis.values.push_back(*value);
  }

  void read_values(MapReader& reader, Axis& axis) {
    const std::vector<YamlNode>* items = reader.sequence("values");
    if (items == nullptr) return;
    if (items->empty()) sink_.report(error("E1203", reader.loc("values"), fmt::format("{} has no values", axis.name)));
    for (const YamlNode& item : *items) {
      if (const auto text = read_string(item, axis.name + ".values", sink_)) add_value(axis, *text, item.loc);
    }
  }

  Unit unit_of(const std::string& name) const {
    constexpr std::string_view kPrefix = "chip.";
    if (name.rfind(kPrefix, 0) != 0) return Unit::kNone;
    const chip::Field* field = chip::find_field(std::string_view(name).substr(kPrefix.size()));
    return field == nullptr ? Unit::kNone : field->int_range.unit;
  }

  void read_range(MapReader& reader, Axis& axis) {
    const IntRange any = {.min = 0, .max = INT64_MAX, .unit = unit_of(axis.name)};
    const auto min = reader.integer("min", any);
    const auto max = reader.integer("max", any);
    const auto scale = reader.choice("scale", {"linear", "log2"}, Need::kOptional);
    const bool is_log2 = scale == "log2";
    std::optional<int64_t> step;
    if (reader.has("step")) step = reader.integer("step", {.min = 1, .max = INT64_MAX, .unit = any.unit});
    if (is_log2 && reader.has("step")) {
      sink_.report(error("E1203", reader.loc("step"), fmt::format("{}: a log2 scale takes no step", axis.name)));
    }
    if (!min || !max) return;
    const RangeSpec range = {*min, *max, step.value_or(1), is_log2 ? Scale::kLog2 : Scale::kLinear};
    if (std::string problem = range_problem(range, kMaxAxisValues); !problem.empty()) {
      sink_.report(error("E1203", reader.loc("min"), fmt::format("{}: {}", axis.name, problem)));
      return;
    }
    for (const int64_t value : range_values(range)) add_value(axis, std::to_string(value), reader.loc("min"));
  }

  void link(size_t index) {
    const AxisText& text = texts_[index];
    if (text.same_as.empty()) return;
    std::vector<std::string> names;
    for (const Axis& axis : axes_) names.push_back(axis.name);
    const auto leader = std::find(names.begin(), names.end(), text.same_as);
    if (leader == names.end()) {
      const std::string near = nearest_name(text.same_as, names);
      const std::string hint = near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
      sink_.report(error("E1203", text.same_as_loc, fmt::format("same_as: {} is no parameter of this sweep{}",
                                                                quote_text(text.same_as), hint)));
      return;
    }
    const auto at = static_cast<size_t>(leader - names.begin());
    if (!texts_[at].same_as.empty()) {
      sink_.report(error("E1203", text.same_as_loc, fmt::format("same_as: {} itself follows another", text.same_as)));
      return;
    }
    axes_[index].same_as = at;
    for (const std::string& value : axes_[at].values) (void)canonical(axes_[index], value, text.same_as_loc);
  }

  const chip::ChipSpec& base_;
  const pipeline::Knobs& knobs_;
  DiagSink& sink_;
  std::vector<Axis> axes_;
  std::vector<AxisText> texts_;
};

}  // namespace

std::vector<Axis> read_axes(const YamlNode& parameters, const chip::ChipSpec& base, const pipeline::Knobs& knobs,
                            DiagSink& sink) {
  AxesReader reader(base, knobs, sink);
  for (const YamlEntry& entry : parameters.entries) reader.read(entry);
  return reader.finish();
}

}  // namespace lockstep::sweep
