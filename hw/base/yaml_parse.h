// Strict YAML: text to tree. The only user of yaml-cpp, and only of its event interface, because the node
// interface accepts what must be refused (duplicate keys, octal numbers, a second document, aliases).
//
// Refused with a code and a place: E0101..E0112 of docs/errors.md. Never throws, never signals.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hw/base/result.h"
#include "hw/base/yaml_node.h"

namespace lockstep {

/// What one document may hold at most; beyond it is an error, not a slow run.
struct YamlLimits {
  int64_t max_bytes = int64_t{1} << 20;  // yaml-cpp needs up to 250 bytes of memory per byte of hostile text
  int max_depth = 32;
  int max_nodes = 100000;
};

struct YamlDocument {
  std::string file;  // as given; used in every location
  std::shared_ptr<const std::string> text;
  YamlNode root;
};

/// Parses exactly one document. `file` only names the text in messages.
Result<YamlDocument> parse_yaml(std::string_view text, const std::string& file, const YamlLimits& limits = {});

/// Reads and parses a file; `loc` places a "cannot read" message (default: the file itself).
Result<YamlDocument> read_yaml(const std::string& path, const SourceLoc& loc = {}, const YamlLimits& limits = {});

}  // namespace lockstep
