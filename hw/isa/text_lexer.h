// Tokens of one line of program text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/diag.h"

namespace lockstep::isa {

enum class TokenKind : uint8_t { kName, kNumber, kString, kPunct, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int column = 0;        // 1-based
  std::string text;      // name, punctuation character, or the contents of a string
  uint64_t number = 0;

  bool is_punct(char c) const { return kind == TokenKind::kPunct && text[0] == c; }
  bool is_name(std::string_view name) const { return kind == TokenKind::kName && text == name; }
  /// "'run'", "number 12", "end of line" for messages.
  std::string shown() const;
};

/// Tokens of `line`, the last always kEnd. '#' starts a comment. Names are letters, digits, '_' and '.', starting
/// with a letter or '_'; numbers are decimal or 0x, with '_' between digits. Reports E0610 and goes on.
std::vector<Token> lex_line(std::string_view line, const SourceLoc& start, DiagSink& sink);

/// `text` in double quotes, with escapes for quotes, backslashes and anything unprintable.
std::string quote(std::string_view text);

}  // namespace lockstep::isa
