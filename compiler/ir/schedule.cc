#include "compiler/ir/schedule.h"

#include <charconv>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/gemm.h"
#include "hw/base/printable.h"

namespace lockstep::ir {

namespace {

constexpr int kMaxBuffers = 8;  // a ring counts modulo at most 8 (SEQ-1)

struct ScheduleField {
  std::string name;
  int64_t max = 0;
  std::function<void(Schedule&, int64_t)> set;
};

const std::vector<ScheduleField>& fields() {
  static const std::vector<ScheduleField> kFields = {
      {"tm", kMaxExtent, [](Schedule& s, int64_t v) { s.tm = v; }},
      {"tn", kMaxExtent, [](Schedule& s, int64_t v) { s.tn = v; }},
      {"tk", kMaxExtent, [](Schedule& s, int64_t v) { s.tk = v; }},
      {"weight_buffers", kMaxBuffers, [](Schedule& s, int64_t v) { s.weight_buffers = static_cast<int>(v); }},
      {"activation_buffers", kMaxBuffers, [](Schedule& s, int64_t v) { s.activation_buffers = static_cast<int>(v); }},
      {"accumulator_buffers", kMaxBuffers, [](Schedule& s, int64_t v) { s.accumulator_buffers = static_cast<int>(v); }},
      {"output_buffers", kMaxBuffers, [](Schedule& s, int64_t v) { s.output_buffers = static_cast<int>(v); }},
  };
  return kFields;
}

std::vector<std::string> field_names() {
  std::vector<std::string> names = {"activations"};
  for (const ScheduleField& field : fields()) names.push_back(field.name);
  return names;
}

/// The error text of one `key=value`, or nothing.
std::optional<std::string> set_field(Schedule& schedule, const std::string& key, const std::string& value) {
  if (key == "activations") {
    if (value != "resident" && value != "streamed") return fmt::format("activations must be resident or streamed, got {}", quote_text(value));
    schedule.activations = value == "resident" ? Activations::kResident : Activations::kStreamed;
    return std::nullopt;
  }
  for (const ScheduleField& field : fields()) {
    if (field.name != key) continue;
    int64_t number = 0;
    const auto [stop, status] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (status != std::errc() || stop != value.data() + value.size() || number < 1 || number > field.max) {
      return fmt::format("{} must be a whole number in [1, {}], got {}", key, field.max, quote_text(value));
    }
    field.set(schedule, number);
    return std::nullopt;
  }
  const std::string near = nearest_name(key, field_names());
  return fmt::format("unknown key {}{}", quote_text(key), near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
}

}  // namespace

std::string print(const Schedule& s) {
  return fmt::format(
      "tm={} tn={} tk={} activations={} weight_buffers={} activation_buffers={} accumulator_buffers={} output_buffers={}",
      s.tm, s.tn, s.tk, s.activations == Activations::kResident ? "resident" : "streamed", s.weight_buffers,
      s.activation_buffers, s.accumulator_buffers, s.output_buffers);
}

Result<Schedule> parse_schedule(std::string_view text, const SourceLoc& loc) {
  Schedule schedule;
  std::set<std::string> seen;
  std::vector<Diag> problems;
  const auto fail = [&](std::string why) { problems.push_back(error("E1020", loc, "schedule: " + std::move(why))); };
  while (!text.empty()) {
    const size_t space = text.find(' ');
    const std::string_view item = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const std::string key(item.substr(0, equals));
    const std::string value(equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1));
    if (!seen.insert(key).second) fail(fmt::format("key {} is given twice", quote_text(key)));
    if (const auto why = set_field(schedule, key, value)) fail(*why);
  }
  for (const std::string& name : field_names()) {
    if (!seen.contains(name)) fail(fmt::format("key '{}' is missing", name));
  }
  if (!problems.empty()) return problems;
  return schedule;
}

}  // namespace lockstep::ir
