// A place in a line's tokens, with the expectations shared by the word and the header parser.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/diag.h"
#include "hw/isa/text_lexer.h"

namespace lockstep::isa {

class TextCursor {
 public:
  TextCursor(const std::vector<Token>& tokens, size_t at, const SourceLoc& line, DiagSink& sink)
      : tokens_(tokens), at_(at), line_(line), sink_(sink) {}

  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take();
  size_t position() const { return at_; }
  void move_to(size_t position) { at_ = position; }
  bool at_end() const { return peek().kind == TokenKind::kEnd; }

  /// Reports at `token` and marks the line as bad.
  void fail(const std::string& code, const Token& token, std::string message, std::vector<std::string> notes = {});
  bool failed() const { return failed_; }

  /// Takes the punctuation or reports E0612 "expected '=' ...".
  bool expect(char punct, const std::string& where);
  bool accept(char punct);

  /// A number with an optional minus sign, within [min, max] (E0601).
  std::optional<int64_t> number(const std::string& what, int64_t min, int64_t max);

  /// "r3" with prefix 'r' and 3 < limit.
  std::optional<int> numbered(char prefix, int limit, const std::string& what);

  /// One of `names`; the index. Unknown names get a nearest-name hint (E0611).
  std::optional<size_t> one_of(const std::vector<std::string>& names, const std::string& what);

  std::optional<std::string> string(const std::string& what);

 private:
  const std::vector<Token>& tokens_;
  size_t at_;
  const SourceLoc& line_;
  DiagSink& sink_;
  bool failed_ = false;
};

/// Notes for an unknown `word`: the nearest of `candidates`, else the list of all.
std::vector<std::string> hint(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace lockstep::isa
