#include "hw/isa/text_cursor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::isa {

const Token& TextCursor::take() {
  const Token& token = peek();
  if (token.kind != TokenKind::kEnd) ++at_;
  return token;
}

void TextCursor::fail(const std::string& code, const Token& token, std::string message, std::vector<std::string> notes) {
  failed_ = true;
  sink_.report(error(code, {line_.file, line_.line, token.column}, std::move(message), std::move(notes)));
}

bool TextCursor::accept(char punct) {
  if (!peek().is_punct(punct)) return false;
  ++at_;
  return true;
}

bool TextCursor::expect(char punct, const std::string& where) {
  if (accept(punct)) return true;
  fail("E0612", peek(), fmt::format("expected '{}' {}, found {}", punct, where, peek().shown()));
  return false;
}

std::optional<int64_t> TextCursor::number(const std::string& what, int64_t min, int64_t max) {
  const Token& first = peek();
  const bool negative = accept('-');
  if (peek().kind != TokenKind::kNumber) {
    fail("E0612", peek(), fmt::format("expected a number for {}, found {}", what, peek().shown()));
    return std::nullopt;
  }
  const uint64_t magnitude = take().number;
  const auto limit = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  const auto value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  if (magnitude > limit || value < min || value > max) {
    fail("E0601", first, fmt::format("{} must be in [{}, {}], got {}{}", what, min, max, negative ? "-" : "", magnitude));
    return std::nullopt;
  }
  return value;
}

std::optional<int> TextCursor::numbered(char prefix, int limit, const std::string& what) {
  const Token& token = peek();
  const std::string& text = token.text;
  const bool shaped = token.kind == TokenKind::kName && text.size() >= 2 && text.size() <= 3 && text[0] == prefix &&
                      text.find_first_not_of("0123456789", 1) == std::string::npos && (text.size() == 2 || text[1] != '0');
  const int value = shaped ? std::stoi(text.substr(1)) : limit;
  if (value >= limit) {
    fail("E0612", token, fmt::format("expected {} ({}0 .. {}{}), found {}", what, prefix, prefix, limit - 1, token.shown()));
    return std::nullopt;
  }
  ++at_;
  return value;
}

std::optional<size_t> TextCursor::one_of(const std::vector<std::string>& names, const std::string& what) {
  const Token& token = peek();
  const auto it = token.kind == TokenKind::kName ? std::find(names.begin(), names.end(), token.text) : names.end();
  if (it == names.end()) {
    fail("E0611", token, fmt::format("expected {}, found {}", what, token.shown()), hint(token.text, names));
    return std::nullopt;
  }
  ++at_;
  return static_cast<size_t>(it - names.begin());
}

std::optional<std::string> TextCursor::string(const std::string& what) {
  if (peek().kind == TokenKind::kString) return take().text;
  fail("E0612", peek(), fmt::format("expected {} in double quotes, found {}", what, peek().shown()));
  return std::nullopt;
}

std::vector<std::string> hint(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(word.substr(0, 60), candidates);
  if (!near.empty()) return {fmt::format("did you mean '{}'?", near)};
  return {fmt::format("one of: {}", fmt::join(candidates, ", "))};
}

}  // namespace lockstep::isa
