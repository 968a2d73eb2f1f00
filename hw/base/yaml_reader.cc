#include "hw/base/yaml_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep {

namespace {

constexpr size_t kLongestKeyToMatch = 64;  // edit distance on megabyte keys would take seconds

const YamlNode& empty_map() {
  static const YamlNode kEmpty = [] {
    YamlNode node;
    node.kind = YamlNode::Kind::kMap;
    return node;
  }();
  return kEmpty;
}

/// "mxu." of "mxu.rows", "" of "name".
std::string_view group_of(std::string_view dotted) { return dotted.substr(0, dotted.rfind('.') + 1); }

/// The allowed key closest to `dotted`, or empty. Keys of one group are compared without it: a long common prefix
/// would make everything look near. Last resort: the same name with a unit behind it, `size` for `size_KiB`.
std::string nearest_key(const std::string& dotted, const std::vector<std::string>& allowed) {
  if (dotted.size() > kLongestKeyToMatch) return "";
  const std::string group(group_of(dotted));
  const std::string key = dotted.substr(group.size());
  std::vector<std::string> same_group;
  for (const std::string& name : allowed) {
    if (group_of(name) == group) same_group.push_back(name.substr(group.size()));
  }
  const std::string near = nearest_name(key, same_group);
  if (!near.empty()) return group + near;
  for (const std::string& name : same_group) {
    if (!key.empty() && name.starts_with(key + "_")) return group + name;
  }
  return "";
}

}  // namespace

Diag unknown_key(const SourceLoc& loc, const std::string& dotted, const std::vector<std::string>& allowed) {
  const std::string near = nearest_key(dotted, allowed);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean {}?)", quote_text(near));
  return error("E0203", loc, fmt::format("unknown key {}{}", quote_text(dotted), hint),
               {fmt::format("allowed: {}", join_list(allowed))});
}

Diag unknown_schema(const SourceLoc& loc, const std::string& got, const std::vector<std::string>& known) {
  return error("E0208", loc, fmt::format("unknown schema {}", quote_text(got)),
               {fmt::format("known: {}", join_list(known))});
}

MapReader::MapReader(const YamlNode& node, std::string prefix, DiagSink& sink)
    : node_(&node), prefix_(std::move(prefix)), sink_(&sink), is_map_(true) {
  if (expect_map(node, prefix_, sink) == nullptr) {
    node_ = &empty_map();
    is_map_ = false;
  }
}

std::string MapReader::dotted(std::string_view key) const {
  return prefix_.empty() ? std::string(key) : fmt::format("{}.{}", prefix_, key);
}

SourceLoc MapReader::loc(std::string_view key) const {
  const YamlNode* value = node_->find(key);
  return value != nullptr ? value->loc : node_->loc;
}

const YamlNode* MapReader::node(const std::string& key, Need need) {
  known_.push_back(key);
  const YamlNode* value = node_->find(key);
  if (value == nullptr && need == Need::kRequired && is_map_) {
    sink_->report(error("E0202", node_->loc, fmt::format("missing key {}", quote_text(dotted(key)))));
  }
  return value;
}

std::optional<int64_t> MapReader::integer(const std::string& key, const IntRange& range, Need need) {
  const YamlNode* value = node(key, need);
  return value == nullptr ? std::nullopt : read_integer(*value, dotted(key), range, *sink_);
}

std::optional<double> MapReader::real(const std::string& key, const RealRange& range, Need need) {
  const YamlNode* value = node(key, need);
  return value == nullptr ? std::nullopt : read_real(*value, dotted(key), range, *sink_);
}

std::optional<bool> MapReader::boolean(const std::string& key, Need need) {
  const YamlNode* value = node(key, need);
  return value == nullptr ? std::nullopt : read_boolean(*value, dotted(key), *sink_);
}

std::optional<std::string> MapReader::string(const std::string& key, Need need) {
  const YamlNode* value = node(key, need);
  return value == nullptr ? std::nullopt : read_string(*value, dotted(key), *sink_);
}

std::optional<std::string> MapReader::choice(const std::string& key, const std::vector<std::string>& choices,
                                             Need need) {
  const YamlNode* value = node(key, need);
  return value == nullptr ? std::nullopt : read_choice(*value, dotted(key), choices, *sink_);
}

std::optional<MapReader> MapReader::map(const std::string& key, Need need) {
  const YamlNode* value = node(key, need);
  if (value == nullptr) return std::nullopt;
  return MapReader(*value, dotted(key), *sink_);
}

const std::vector<YamlNode>* MapReader::sequence(const std::string& key, Need need) {
  const YamlNode* value = node(key, need);
  if (value == nullptr || expect_sequence(*value, dotted(key), *sink_) == nullptr) return nullptr;
  return &value->items;
}

bool MapReader::schema(const std::vector<std::string>& known) {
  known_.emplace_back("schema");
  const YamlNode* value = node_->find("schema");
  if (value == nullptr) {
    if (is_map_) {
      sink_->report(error("E0202", node_->loc, "missing key 'schema'",
                          {fmt::format("write `schema: {}` as the first line", known.front())}));
    }
    return false;
  }
  const std::optional<std::string> text = read_string(*value, "schema", *sink_);
  if (!text) return false;
  if (std::find(known.begin(), known.end(), *text) != known.end()) return true;
  sink_->report(unknown_schema(value->loc, *text, known));
  return false;
}

void MapReader::finish() {
  std::vector<std::string> allowed;
  for (const std::string& key : known_) allowed.push_back(dotted(key));
  for (const YamlEntry& entry : node_->entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    sink_->report(unknown_key(entry.key_loc, dotted(entry.key), allowed));
  }
}

}  // namespace lockstep
