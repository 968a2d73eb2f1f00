// JSON text to a tree whose members know where they were written; the only user of nlohmann-json's parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/result.h"

namespace lockstep::frontend {

struct JsonMember;

struct JsonNode {
  enum class Kind : uint8_t { kNull, kBool, kInteger, kReal, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0;  // kInteger
  double real = 0;      // kReal, and integers beyond int64
  std::string text;     // kString
  std::vector<JsonNode> items;      // kArray
  std::vector<JsonMember> members;  // kObject, in file order, keys unique

  /// The member named `key`, or nullptr.
  const JsonMember* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  SourceLoc loc;  // of the key
  JsonNode value;
};

/// E1050 with line and column when the text is not JSON, is nested deeper than 32 or larger than 4 MiB; E1051 for
/// each duplicate key. Never throws.
Result<JsonNode> parse_json(std::string_view text, const std::string& file);

/// "a number", "null", "true", the quoted text of a string ...: for messages.
std::string describe(const JsonNode& node);

}  // namespace lockstep::frontend
