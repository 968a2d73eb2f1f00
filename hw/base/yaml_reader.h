// Walks one map of a YamlDocument: each accessor names a key, says what it must be and marks it as known;
// finish() reports every key nobody asked for. All errors go to the sink; nothing stops at the first.
//
//   MapReader reader(document.root, "", sink);
//   reader.schema({"lockstep/sweep/v1"});
//   const auto trials = reader.integer("trials", {.min = 1, .max = 1000000}, Need::kOptional);
//   reader.finish();
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/yaml_values.h"

namespace lockstep {

enum class Need { kRequired, kOptional };

class MapReader {
 public:
  /// `prefix` is the dotted path of the map, "" for the root. A node that is not a map is reported once (E0201)
  /// and reads as an empty map without missing-key reports.
  MapReader(const YamlNode& node, std::string prefix, DiagSink& sink);

  bool has(std::string_view key) const { return node_->find(key) != nullptr; }

  /// Each returns nothing when the key is absent or wrong. Absent and required: E0202 at the enclosing map.
  std::optional<int64_t> integer(const std::string& key, const IntRange& range, Need need = Need::kRequired);
  std::optional<double> real(const std::string& key, const RealRange& range, Need need = Need::kRequired);
  std::optional<bool> boolean(const std::string& key, Need need = Need::kRequired);
  std::optional<std::string> string(const std::string& key, Need need = Need::kRequired);
  std::optional<std::string> choice(const std::string& key, const std::vector<std::string>& choices,
                                    Need need = Need::kRequired);

  /// A nested map; absent and optional gives nothing.
  std::optional<MapReader> map(const std::string& key, Need need = Need::kRequired);

  /// The items of a list, or nullptr.
  const std::vector<YamlNode>* sequence(const std::string& key, Need need = Need::kRequired);

  /// The raw value, marked as known; nullptr when absent.
  const YamlNode* node(const std::string& key, Need need = Need::kRequired);

  /// The root key `schema`: required and one of `known` (E0202, E0208). False after a report.
  bool schema(const std::vector<std::string>& known);

  /// The place of the key's value, or of the map when the key is absent.
  SourceLoc loc(std::string_view key) const;
  const SourceLoc& loc() const { return node_->loc; }

  /// "mxu.rows" for key "rows" of the map "mxu".
  std::string dotted(std::string_view key) const;

  /// Reports each unknown key (E0203) with the nearest known name and the list of allowed keys.
  void finish();

  DiagSink& sink() { return *sink_; }

 private:
  const YamlNode* node_;
  std::string prefix_;
  DiagSink* sink_;
  bool is_map_;
  std::vector<std::string> known_;  // keys asked for, in order
};

/// The E0203 of one key: "unknown key 'mxu.row' (did you mean 'mxu.rows'?)". `allowed` holds dotted names.
Diag unknown_key(const SourceLoc& loc, const std::string& dotted, const std::vector<std::string>& allowed);

/// E0208 for a `schema:` value that is not one of `known`; the note lists them.
Diag unknown_schema(const SourceLoc& loc, const std::string& got, const std::vector<std::string>& known);

}  // namespace lockstep
