#include "compiler/frontend/workload_yaml.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "compiler/frontend/workload_name.h"
#include "hw/base/number.h"
#include "hw/base/yaml_parse.h"

namespace lockstep::frontend {

namespace {

constexpr std::string_view kSchema = "lockstep/workload/v1";

/// Reads one map: every key is either asked for or reported as unknown.
class MapReader {
 public:
  MapReader(const YamlNode& map, std::vector<std::string> keys, DiagSink& sink)
      : map_(map), keys_(std::move(keys)), sink_(sink) {
    for (const YamlEntry& entry : map_.entries) {
      if (std::find(keys_.begin(), keys_.end(), entry.key) != keys_.end()) continue;
      const std::string near = nearest_name(entry.key, keys_);
      sink_.report(error("E0203", entry.key_loc, fmt::format("unknown key '{}'{}", entry.key,
                                                             near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near))));
    }
  }

  const YamlNode* required(std::string_view key) {
    const YamlNode* node = map_.find(key);
    if (node == nullptr) sink_.report(error("E0340", map_.loc, fmt::format("missing key '{}'", key)));
    return node;
  }

  std::optional<std::string> word(std::string_view key, const YamlNode* node) {
    if (node == nullptr) return std::nullopt;
    if (node->is_scalar()) return node->scalar;
    sink_.report(error("E0342", node->loc, fmt::format("'{}' must be a word, got {}", key, describe(*node))));
    return std::nullopt;
  }

  int64_t number(std::string_view key, const YamlNode* node) {
    if (node == nullptr) return 1;
    if (!node->is_scalar() || node->is_quoted) {
      sink_.report(error("E0342", node->loc, fmt::format("'{}' must be a whole number, got {}", key, describe(*node))));
      return 1;
    }
    const ParsedNumber<int64_t> parsed = parse_integer(node->scalar, Unit::kNone);
    if (!parsed.value) {
      std::vector<std::string> notes;
      if (!parsed.problem.note.empty()) notes.push_back(parsed.problem.note);
      sink_.report(error(parsed.problem.code, node->loc, fmt::format("'{}' {}", key, parsed.problem.message), notes));
      return 1;
    }
    if (*parsed.value < 1 || *parsed.value > ir::kMaxExtent) {
      sink_.report(error("E0301", node->loc, fmt::format("'{}' must be in [1, {}], got {}", key, ir::kMaxExtent, *parsed.value)));
      return 1;
    }
    return *parsed.value;
  }

  const YamlNode* find(std::string_view key) const { return map_.find(key); }

 private:
  const YamlNode& map_;
  std::vector<std::string> keys_;
  DiagSink& sink_;
};

void read_gemm(const YamlNode& node, ir::Workload& workload, DiagSink& sink) {
  if (!node.is_map()) {
    sink.report(error("E0342", node.loc, fmt::format("a gemm must be a map {{name, M, N, K}}, got {}", describe(node))));
    return;
  }
  MapReader reader(node, {"name", "M", "N", "K", "repeat"}, sink);
  ir::Gemm gemm;
  gemm.loc = node.loc;
  gemm.name = reader.word("name", reader.required("name")).value_or("");
  gemm.m = reader.number("M", reader.required("M"));
  gemm.n = reader.number("N", reader.required("N"));
  gemm.k = reader.number("K", reader.required("K"));
  gemm.count = reader.number("repeat", reader.find("repeat"));
  workload.gemms.push_back(std::move(gemm));
}

}  // namespace

Result<ir::Workload> parse_workload(std::string_view text, const std::string& file) {
  Result<YamlDocument> document = parse_yaml(text, file);
  if (!document) return document.diags();
  const YamlNode& root = document->root;
  if (!root.is_map()) return error("E0342", root.loc, fmt::format("a workload must be a map, got {}", describe(root)));
  DiagSink sink;
  MapReader reader(root, {"schema", "name", "gemms"}, sink);
  const YamlNode* schema = reader.required("schema");
  if (schema != nullptr && (!schema->is_scalar() || schema->scalar != kSchema)) {
    sink.report(error("E0341", schema->loc, fmt::format("schema must be '{}', got {}", kSchema, describe(*schema))));
  }
  ir::Workload workload;
  workload.name = reader.word("name", reader.find("name")).value_or(workload_name(file));
  const YamlNode* gemms = reader.required("gemms");
  if (gemms != nullptr && (!gemms->is_sequence() || gemms->items.empty())) {
    sink.report(error("E0342", gemms->loc, fmt::format("'gemms' must be a list of at least one gemm, got {}", describe(*gemms))));
  } else if (gemms != nullptr) {
    for (const YamlNode& item : gemms->items) read_gemm(item, workload, sink);
  }
  if (!sink.has_errors()) ir::verify(workload, sink);
  if (sink.has_errors()) return sink.diags();
  return workload;
}

Result<ir::Workload> read_workload(const std::string& path, const SourceLoc& named_at) {
  Result<YamlDocument> document = read_yaml(path, named_at);
  if (!document) return document.diags();
  return parse_workload(*document->text, path);
}

}  // namespace lockstep::frontend
