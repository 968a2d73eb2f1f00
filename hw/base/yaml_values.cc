#include "hw/base/yaml_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/base/number.h"
#include "hw/base/printable.h"

namespace lockstep {

namespace {

bool is_power_of_two(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

std::string unit_suffix(Unit unit) {
  const std::string_view name = unit_name(unit);
  return name.empty() ? std::string() : fmt::format(" {}", name);
}

/// Field name at the start of a message; the root of a document has none.
std::string subject(const std::string& name) { return name.empty() ? "the document" : name; }

/// The scalar text, or nothing after a report.
const std::string* scalar_text(const YamlNode& node, const std::string& name, std::string_view wanted,
                               DiagSink& sink) {
  if (node.is_scalar()) return &node.scalar;
  if (node.is_null()) sink.report(error("E0209", node.loc, fmt::format("{} has no value", subject(name))));
  else sink.report(error("E0201", node.loc, fmt::format("{} must be {}, got {}", subject(name), wanted, describe(node))));
  return nullptr;
}

/// As scalar_text, and the text is not quoted.
const std::string* number_text(const YamlNode& node, const std::string& name, std::string_view wanted,
                               DiagSink& sink) {
  const std::string* text = scalar_text(node, name, wanted, sink);
  if (text == nullptr || !node.is_quoted) return text;
  sink.report(error("E0204", node.loc, fmt::format("{} must be {}, got the quoted text {}", subject(name), wanted,
                                                   quote_text(*text))));
  return nullptr;
}

void report_number(const NumberProblem& problem, const YamlNode& node, const std::string& name, DiagSink& sink) {
  std::vector<std::string> notes;
  if (!problem.note.empty()) notes.push_back(problem.note);
  sink.report(error(problem.code, node.loc, fmt::format("{} {}", subject(name), problem.message), std::move(notes)));
}

}  // namespace

std::string describe_range(const IntRange& range) {
  const bool no_min = range.min == std::numeric_limits<int64_t>::min();
  const bool no_max = range.max == std::numeric_limits<int64_t>::max();
  const std::string unit = unit_suffix(range.unit);
  if (range.min == range.max) return fmt::format("{}{}", range.min, unit);
  const std::string power = range.power_of_two ? "a power of two " : "";
  if (no_min && no_max) return range.power_of_two ? fmt::format("a power of two{}", unit) : "any whole number" + unit;
  if (no_max) return fmt::format("{}at least {}{}", power, range.min, unit);
  if (no_min) return fmt::format("{}at most {}{}", power, range.max, unit);
  return fmt::format("{}in [{}, {}]{}", power, range.min, range.max, unit);
}

std::string describe_range(const RealRange& range) {
  const bool no_min = range.min == std::numeric_limits<double>::lowest();
  const bool no_max = range.max == std::numeric_limits<double>::max();
  const std::string unit = unit_suffix(range.unit);
  const std::string low = shortest_text(range.min);
  if (no_min && no_max) return "any number" + unit;
  if (no_max) return fmt::format("{} {}{}", range.min_excluded ? "greater than" : "at least", low, unit);
  if (no_min) return fmt::format("at most {}{}", shortest_text(range.max), unit);
  return fmt::format("in {}{}, {}]{}", range.min_excluded ? "(" : "[", low, shortest_text(range.max), unit);
}

std::optional<int64_t> read_integer(const YamlNode& node, const std::string& name, const IntRange& range,
                                    DiagSink& sink) {
  const std::string* text = number_text(node, name, "a whole number", sink);
  if (text == nullptr) return std::nullopt;
  const ParsedNumber<int64_t> parsed = parse_integer(*text, range.unit);
  if (!parsed.value) {
    report_number(parsed.problem, node, name, sink);
    return std::nullopt;
  }
  const bool in_range = *parsed.value >= range.min && *parsed.value <= range.max;
  if (in_range && (!range.power_of_two || is_power_of_two(*parsed.value))) return parsed.value;
  sink.report(error(in_range ? "E0302" : "E0301", node.loc,
                    fmt::format("{} must be {}, got {}", subject(name), describe_range(range), *text)));
  return std::nullopt;
}

std::optional<double> read_real(const YamlNode& node, const std::string& name, const RealRange& range,
                                DiagSink& sink) {
  const std::string* text = number_text(node, name, "a number", sink);
  if (text == nullptr) return std::nullopt;
  const ParsedNumber<double> parsed = parse_real(*text, range.unit);
  if (!parsed.value) {
    report_number(parsed.problem, node, name, sink);
    return std::nullopt;
  }
  const bool above = range.min_excluded ? *parsed.value > range.min : *parsed.value >= range.min;
  if (above && *parsed.value <= range.max) return parsed.value;
  sink.report(error("E0301", node.loc,
                    fmt::format("{} must be {}, got {}", subject(name), describe_range(range), *text)));
  return std::nullopt;
}

std::optional<bool> read_boolean(const YamlNode& node, const std::string& name, DiagSink& sink) {
  const std::string* text = scalar_text(node, name, "true or false", sink);
  if (text == nullptr) return std::nullopt;
  if (!node.is_quoted && *text == "true") return true;
  if (!node.is_quoted && *text == "false") return false;
  sink.report(error("E0206", node.loc, fmt::format("{} must be true or false, got {}", subject(name), quote_text(*text)),
                    {"YAML's other spellings (yes, no, on, off, True) are not accepted"}));
  return std::nullopt;
}

std::optional<std::string> read_string(const YamlNode& node, const std::string& name, DiagSink& sink) {
  const std::string* text = scalar_text(node, name, "text", sink);
  if (text == nullptr) return std::nullopt;
  if (text->empty()) {
    sink.report(error("E0209", node.loc, fmt::format("{} is empty", subject(name))));
    return std::nullopt;
  }
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(text->begin(), text->end(), control)) {
    sink.report(error("E0212", node.loc,
                      fmt::format("{} holds a control character or a line break: {}", subject(name), quote_text(*text))));
    return std::nullopt;
  }
  return *text;
}

std::optional<std::string> read_choice(const YamlNode& node, const std::string& name,
                                       const std::vector<std::string>& choices, DiagSink& sink) {
  const std::optional<std::string> text = read_string(node, name, sink);
  if (!text) return std::nullopt;
  if (std::find(choices.begin(), choices.end(), *text) != choices.end()) return text;
  const std::string near = nearest_name(*text, choices);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean {}?)", quote_text(near));
  sink.report(error("E0207", node.loc, fmt::format("{} must be {}, got {}{}", subject(name), join_choices(choices),
                                                   quote_text(*text), hint)));
  return std::nullopt;
}

const YamlNode* expect_map(const YamlNode& node, const std::string& name, DiagSink& sink) {
  if (node.is_map()) return &node;
  if (node.is_null()) {
    sink.report(error("E0209", node.loc, fmt::format("{} has no value", subject(name))));
    return nullptr;
  }
  std::vector<std::string> notes;
  if (node.is_scalar() && node.scalar.find(':') != std::string::npos) {
    notes.emplace_back("a key needs a space behind its ':'");
  }
  sink.report(error("E0201", node.loc,
                    fmt::format("{} must be a map (lines of `key: value`), got {}", subject(name), describe(node)),
                    std::move(notes)));
  return nullptr;
}

const YamlNode* expect_sequence(const YamlNode& node, const std::string& name, DiagSink& sink) {
  if (node.is_sequence()) return &node;
  if (node.is_null()) {
    sink.report(error("E0209", node.loc, fmt::format("{} has no value", subject(name))));
    return nullptr;
  }
  sink.report(error("E0201", node.loc, fmt::format("{} must be a list, got {}", subject(name), describe(node))));
  return nullptr;
}

}  // namespace lockstep
