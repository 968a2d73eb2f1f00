// The tree of one YAML document: plain values, every node and key with its place in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/base/source_loc.h"

namespace lockstep {

struct YamlEntry;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMap };

  Kind kind = Kind::kNull;
  SourceLoc loc;
  std::string scalar;           // kScalar: the text, unquoted and unescaped
  bool is_quoted = false;       // kScalar: written in quotes or as a block, so never a number or a boolean
  std::vector<YamlNode> items;  // kSequence
  std::vector<YamlEntry> entries;  // kMap, in file order; keys are unique

  bool is_map() const { return kind == Kind::kMap; }
  bool is_sequence() const { return kind == Kind::kSequence; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_null() const { return kind == Kind::kNull; }

  /// The value of `key`, or nullptr.
  const YamlNode* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  SourceLoc key_loc;
  YamlNode value;
};

inline const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

/// "a map", "a sequence", "nothing", or the quoted text of a scalar: for messages.
std::string describe(const YamlNode& node);

}  // namespace lockstep
