#include "hw/chip/chip_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "hw/base/file_io.h"
#include "hw/base/printable.h"
#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"
#include "hw/chip/chip_checks.h"
#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"

namespace lockstep::chip {

namespace {

constexpr std::string_view kSchema = "lockstep/chip/v1";
constexpr size_t kMaxExtends = 8;

/// The chain of documents, the file itself first.
using Layers = std::vector<YamlDocument>;

/// What is known while layers are applied, base first.
struct Loading {
  ChipFile chip;
  std::set<std::string, std::less<>> wrong;  // fields with a report: no further checks use them
  DiagSink sink;
};

/// One spelling per file, so that a cycle through "./a.yaml" and "a.yaml" is seen.
std::string canonical(const std::string& path) {
  std::error_code code;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, code);
  return code ? path : resolved.string();
}

/// The value of `extends:`, or nothing; reports a wrong type.
std::optional<std::string> base_of(const YamlDocument& document, DiagSink& sink) {
  const YamlNode* extends = document.root.find("extends");
  return extends == nullptr ? std::nullopt : read_string(*extends, "extends", sink);
}

/// Reads the file named by the last layer's `extends:`; false when there is none or it cannot be used.
bool read_base(Layers& layers, std::vector<std::string>& seen, DiagSink& sink) {
  const std::optional<std::string> named = base_of(layers.back(), sink);
  if (!named) return false;
  const SourceLoc loc = layers.back().root.find("extends")->loc;
  const std::string path = resolve_path(*named, layers.back().file);
  const std::string key = canonical(path);
  if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
    sink.report(error("E0113", loc, fmt::format("extends leads back to {}", quote_text(path))));
    return false;
  }
  if (layers.size() > kMaxExtends) {
    sink.report(error("E0114", loc, fmt::format("more than {} files extend each other", kMaxExtends)));
    return false;
  }
  Result<YamlDocument> base = read_yaml(path, loc);
  for (Diag diag : base.diags()) {
    if (diag.loc != loc) diag.notes.push_back(fmt::format("extended by {}:{}:{}", loc.file, loc.line, loc.column));
    sink.report(std::move(diag));
  }
  if (!base.ok()) return false;
  seen.push_back(key);
  layers.push_back(*std::move(base));
  return true;
}

/// E0203 for a key of `group`, also looking for a field of that last name in other groups.
Diag unknown_chip_key(const YamlEntry& entry, const std::string& dotted, std::string_view group) {
  std::vector<std::string> allowed = keys_below(group);
  if (group.empty()) allowed.insert(allowed.begin(), {"schema", "extends"});
  Diag diag = unknown_key(entry.key_loc, dotted, allowed);
  if (diag.message.find("did you mean") != std::string::npos) return diag;
  for (const Field& field : chip_fields()) {
    if (field.name.ends_with("." + entry.key)) {
      diag.message += fmt::format(" (did you mean {}?)", quote_text(field.name));
      return diag;
    }
  }
  return diag;
}

void apply_map(const YamlNode& map, const std::string& group, Loading& loading) {
  for (const YamlEntry& entry : map.entries) {
    const std::string dotted = group.empty() ? entry.key : fmt::format("{}.{}", group, entry.key);
    if (group.empty() && (entry.key == "schema" || entry.key == "extends")) continue;
    if (const Field* field = find_field(dotted)) {
      loading.chip.origins[dotted] = entry.value.loc;
      if (read_field(*field, entry.value, loading.chip.spec, loading.sink)) loading.wrong.erase(dotted);
      else loading.wrong.insert(dotted);
    } else if (keys_below(dotted).empty()) {
      loading.sink.report(unknown_chip_key(entry, dotted, group));
    } else if (const YamlNode* inner = expect_map(entry.value, dotted, loading.sink)) {
      apply_map(*inner, dotted, loading);
    } else {
      loading.wrong.insert(dotted);
    }
  }
}

void apply_layer(const YamlDocument& document, Loading& loading) {
  const YamlNode* root = expect_map(document.root, "", loading.sink);
  if (root == nullptr) return;
  MapReader(*root, "", loading.sink).schema({std::string(kSchema)});
  apply_map(*root, "", loading);
}

/// True when the field or one of the groups above it has a report, so that a missing value is not news.
bool is_excused(std::string_view name, const Loading& loading) {
  for (std::string_view at = name; !at.empty();) {
    if (loading.wrong.find(at) != loading.wrong.end()) return true;
    const size_t dot = at.rfind('.');
    at = dot == std::string_view::npos ? std::string_view() : at.substr(0, dot);
  }
  return false;
}

/// Required fields that no file set: one report for each map of the top file where some are missing.
void report_missing(const YamlNode& root, Loading& loading) {
  std::vector<std::pair<SourceLoc, std::vector<std::string>>> missing;
  for (const Field& field : chip_fields()) {
    if (!field.is_required || loading.chip.origins.contains(field.name) || is_excused(field.name, loading)) continue;
    const std::string name(field.name);
    const YamlNode* group = root.find(name.substr(0, name.find('.')));
    const bool in_group = group != nullptr && group->is_map();
    const SourceLoc& loc = in_group ? group->loc : root.loc;
    loading.wrong.insert(name);
    const auto known = std::find_if(missing.begin(), missing.end(), [&loc](const auto& at) { return at.first == loc; });
    if (known == missing.end()) missing.push_back({loc, {quote_text(name)}});
    else known->second.push_back(quote_text(name));
  }
  for (const auto& [loc, names] : missing) {
    loading.sink.report(
        error("E0202", loc, fmt::format("missing key{} {}", names.size() == 1 ? "" : "s", join_list(names))));
  }
}

Result<ChipFile> apply_layers(const Layers& layers, Loading& loading, bool is_complete) {
  for (const YamlDocument& document : layers) loading.chip.files.push_back(document.file);
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) apply_layer(*layer, loading);
  if (is_complete && layers.front().root.is_map()) {  // a base that cannot be read would make everything missing
    report_missing(layers.front().root, loading);
    const auto is_known = [&loading](std::string_view name) { return !is_excused(name, loading); };
    for (Diag& diag : check_relations(loading.chip.spec, loading.chip.origins, is_known)) {
      loading.sink.report(std::move(diag));
    }
  }
  if (loading.sink.has_errors()) return loading.sink.diags();
  return std::move(loading.chip);
}

}  // namespace

Result<ChipFile> parse_chip(const std::string& path) {
  Result<YamlDocument> top = read_yaml(path);
  if (!top.ok()) return top.diags();
  Loading loading;
  Layers layers;
  layers.push_back(*std::move(top));
  std::vector<std::string> seen = {canonical(path)};
  while (read_base(layers, seen, loading.sink)) {
  }
  const bool is_complete = !loading.sink.has_errors();
  return apply_layers(layers, loading, is_complete);
}

Result<ChipFile> parse_chip_text(std::string_view text, const std::string& file) {
  Result<YamlDocument> top = parse_yaml(text, file);
  if (!top.ok()) return top.diags();
  Loading loading;
  if (const YamlNode* extends = top->root.find("extends")) {
    loading.sink.report(error("E0114", extends->loc, "extends needs a chip file on disk"));
  }
  Layers layers;
  layers.push_back(*std::move(top));
  return apply_layers(layers, loading, !loading.sink.has_errors());
}

}  // namespace lockstep::chip
