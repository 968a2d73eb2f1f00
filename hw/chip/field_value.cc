#include "hw/chip/field_value.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "hw/base/check.h"
#include "hw/base/number.h"
#include "hw/base/printable.h"
#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"

namespace lockstep::chip {

namespace {

constexpr std::string_view kSingle = "single";
constexpr std::string_view kSlotsGroup = "vpu.slots.";
constexpr size_t kMaxIdentifierBytes = 64;

/// The accessors give references to change; reading through them changes nothing.
ChipSpec& readable(const ChipSpec& chip) { return const_cast<ChipSpec&>(chip); }

bool is_identifier(std::string_view text) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  const bool starts_well = !text.empty() && std::isalnum(static_cast<unsigned char>(text.front())) != 0;
  return starts_well && text.size() <= kMaxIdentifierBytes && std::all_of(text.begin(), text.end(), allowed);
}

std::optional<std::string> read_identifier(const YamlNode& node, const std::string& name, DiagSink& sink) {
  std::optional<std::string> text = read_string(node, name, sink);
  if (!text || is_identifier(*text)) return text;
  sink.report(error("E0213", node.loc,
                    fmt::format("{} must be letters, digits, '_', '-' or '.', at most {} of them and starting with a "
                                "letter or a digit, got {}",
                                name, kMaxIdentifierBytes, quote_text(*text))));
  return std::nullopt;
}

/// `single`, or a map: each key is a field of its own.
bool read_slots(const YamlNode& node, ChipSpec& chip, DiagSink& sink) {
  if (node.is_scalar() && node.scalar == kSingle) {
    chip.vpu.slots = VpuSlots{};
    return true;
  }
  if (!node.is_map()) {
    sink.report(error("E0201", node.loc,
                      fmt::format("vpu.slots must be single or a map of slots, got {}", describe(node))));
    return false;
  }
  chip.vpu.slots.single = false;
  bool fine = true;
  for (const YamlEntry& entry : node.entries) {
    const std::string name = fmt::format("{}{}", kSlotsGroup, entry.key);
    const Field* field = find_field(name);
    if (field == nullptr) sink.report(unknown_key(entry.key_loc, name, keys_below("vpu.slots")));
    fine = field != nullptr && read_field(*field, entry.value, chip, sink) && fine;
  }
  return fine;
}

/// Stores a well-formed value; false when there was none.
bool store_value(const Field& field, const YamlNode& node, ChipSpec& chip, DiagSink& sink) {
  const std::string name(field.name);
  if (const IntMember* member = std::get_if<IntMember>(&field.member)) {
    const std::optional<int64_t> value = read_integer(node, name, field.int_range, sink);
    if (value) (*member)(chip) = static_cast<int>(*value);  // every int_range of the table is within int
    return value.has_value();
  }
  if (const RealMember* member = std::get_if<RealMember>(&field.member)) {
    const std::optional<double> value = read_real(node, name, field.real_range, sink);
    if (value) (*member)(chip) = *value;
    return value.has_value();
  }
  if (const TextMember* member = std::get_if<TextMember>(&field.member)) {
    std::optional<std::string> value =
        field.choices.empty() ? read_identifier(node, name, sink) : read_choice(node, name, field.choices, sink);
    if (value) (*member)(chip) = *std::move(value);
    return value.has_value();
  }
  return read_slots(node, chip, sink);
}

/// E0203 with the names near `name`: those of its group, or of the whole table.
Diag unknown_field(const SourceLoc& loc, std::string_view name) {
  const std::string shown(name.substr(0, 200));
  const size_t dot = shown.rfind('.');
  const std::string group = dot == std::string::npos ? "" : shown.substr(0, dot);
  std::vector<std::string> allowed = keys_below(shown);  // `shown` may be a group itself
  if (allowed.empty()) allowed = keys_below(group);
  if (allowed.empty()) allowed = keys_below("");
  Diag diag = unknown_key(loc, shown, allowed);
  diag.message.replace(0, std::string_view("unknown key").size(), "unknown chip field");
  return diag;
}

/// The text as a YAML value. A plain text needs no parser, which keeps its messages about the field.
Result<YamlNode> node_of_text(const Field& field, std::string_view text, const SourceLoc& loc) {
  if (std::holds_alternative<SlotModeMember>(field.member) && text.starts_with('{')) {
    const Result<YamlDocument> document = parse_yaml(text, loc.file);
    if (document.ok()) return document->root;
    Diag wrong = document.diags().front();
    wrong.loc = loc;
    wrong.message = fmt::format("{}: {}", field.name, wrong.message);
    return wrong;
  }
  YamlNode node;
  node.loc = loc;
  node.kind = text.empty() ? YamlNode::Kind::kNull : YamlNode::Kind::kScalar;
  node.scalar = text;
  return node;
}

}  // namespace

bool read_field(const Field& field, const YamlNode& node, ChipSpec& chip, DiagSink& sink) {
  if (!store_value(field, node, chip, sink)) return false;
  if (field.name.starts_with(kSlotsGroup)) chip.vpu.slots.single = false;
  const BuiltOnly& built = field.built_only;
  if (built.value.empty() || field_text(field, chip) == built.value) return true;
  sink.report(error(std::string(built.code), node.loc,
                    fmt::format("{} {} is not built yet, only {} is", field.name, field_text(field, chip), built.value),
                    {std::string(built.why)}));
  return false;
}

std::optional<Diag> set_field(ChipSpec& chip, std::string_view name, std::string_view text, const SourceLoc& loc) {
  const Field* field = find_field(name);
  if (field == nullptr) return unknown_field(loc, name);
  Result<YamlNode> node = node_of_text(*field, text, loc);
  if (!node.ok()) return node.diags().front();
  DiagSink sink;
  ChipSpec changed = chip;  // unchanged on error
  if (read_field(*field, *node, changed, sink)) {
    chip = std::move(changed);
    return std::nullopt;
  }
  Diag wrong = sink.diags().front();
  wrong.loc = loc;
  return wrong;
}

std::string field_text(const Field& field, const ChipSpec& chip) {
  if (const IntMember* member = std::get_if<IntMember>(&field.member)) {
    return std::to_string((*member)(readable(chip)));
  }
  if (const RealMember* member = std::get_if<RealMember>(&field.member)) {
    return shortest_text((*member)(readable(chip)));
  }
  if (const TextMember* member = std::get_if<TextMember>(&field.member)) return (*member)(readable(chip));
  const VpuSlots& slots = chip.vpu.slots;
  if (slots.single) return std::string(kSingle);
  return fmt::format("{{load: {}, alu: {}, eup: {}, xlu: {}, store: {}}}", slots.load, slots.alu, slots.eup, slots.xlu,
                     slots.store);
}

std::string field_text(std::string_view name, const ChipSpec& chip) {
  const Field* field = find_field(name);
  CHECK(field != nullptr) << name;
  return field_text(*field, chip);
}

}  // namespace lockstep::chip
