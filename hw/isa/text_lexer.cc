#include "hw/isa/text_lexer.h"

#include <fmt/format.h>

namespace lockstep::isa {

namespace {

constexpr std::string_view kPunctuation = "[]{}(),=:+-*~";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Lexer {
 public:
  Lexer(std::string_view line, const SourceLoc& start, DiagSink& sink) : line_(line), start_(start), sink_(sink) {}

  std::vector<Token> run() {
    while (at_ < line_.size() && line_[at_] != '#') {
      const char c = line_[at_];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (is_digit(c)) {
        number();
      } else if (is_name_start(c)) {
        name();
      } else if (c == '"') {
        string();
      } else if (kPunctuation.find(c) != std::string_view::npos) {
        add(TokenKind::kPunct, at_).text = std::string(1, c);
        ++at_;
      } else {
        bad_character();
      }
    }
    add(TokenKind::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  Token& add(TokenKind kind, size_t at) {
    tokens_.push_back({kind, start_.column + static_cast<int>(at), {}, 0});
    return tokens_.back();
  }

  void fail(size_t at, std::string message) {
    sink_.report(error("E0610", {start_.file, start_.line, start_.column + static_cast<int>(at)}, std::move(message)));
  }

  void bad_character() {
    const auto byte = static_cast<unsigned char>(line_[at_]);
    fail(at_, byte > 0x20 && byte < 0x7f ? fmt::format("character '{}' has no meaning here", line_[at_])
                                         : fmt::format("byte 0x{:02x} has no meaning here", byte));
    // One message for a run of garbage, not one a byte.
    while (at_ < line_.size() && static_cast<unsigned char>(line_[at_]) == byte) ++at_;
  }

  void name() {
    const size_t start = at_;
    while (at_ < line_.size() && is_name_char(line_[at_])) ++at_;
    add(TokenKind::kName, start).text = std::string(line_.substr(start, at_ - start));
  }

  void number() {
    const size_t start = at_;
    const bool hex = line_.substr(at_, 2) == "0x" || line_.substr(at_, 2) == "0X";
    if (hex) at_ += 2;
    const auto base = static_cast<uint64_t>(hex ? 16 : 10);
    uint64_t value = 0;
    bool overflow = false;
    bool any_digit = false;
    bool bad_digit = false;
    for (; at_ < line_.size() && is_name_char(line_[at_]); ++at_) {
      if (line_[at_] == '_' && any_digit) continue;
      const int digit = hex_value(line_[at_]);
      if (digit < 0 || static_cast<uint64_t>(digit) >= base) {
        bad_digit = true;
        continue;
      }
      any_digit = true;
      overflow = overflow || value > (UINT64_MAX - static_cast<uint64_t>(digit)) / base;
      value = value * base + static_cast<uint64_t>(digit);
    }
    const std::string_view text = line_.substr(start, at_ - start);
    if (bad_digit || !any_digit) fail(start, fmt::format("'{}' is not a number", text));
    else if (overflow) fail(start, fmt::format("number {} does not fit 64 bits", text));
    else if (!hex && text.size() > 1 && text[0] == '0') fail(start, fmt::format("'{}': a decimal number does not start with 0", text));
    add(TokenKind::kNumber, start).number = value;
  }

  void string() {
    const size_t start = at_++;
    std::string value;
    while (at_ < line_.size() && line_[at_] != '"') {
      if (line_[at_] != '\\') {
        value += line_[at_++];
        continue;
      }
      value += escape();
    }
    if (at_ < line_.size()) ++at_;
    else fail(start, "string has no closing quote");
    add(TokenKind::kString, start).text = std::move(value);
  }

  char escape() {
    const size_t start = at_++;
    const char c = at_ < line_.size() ? line_[at_++] : ' ';
    if (c == '"' || c == '\\') return c;
    if (c == 'n') return '\n';
    if (c == 'x' && at_ + 2 <= line_.size() && hex_value(line_[at_]) >= 0 && hex_value(line_[at_ + 1]) >= 0) {
      at_ += 2;
      return static_cast<char>(hex_value(line_[at_ - 2]) * 16 + hex_value(line_[at_ - 1]));
    }
    fail(start, "unknown escape; a string has \\\" \\\\ \\n and \\xHH");
    return ' ';
  }

  std::string_view line_;
  const SourceLoc& start_;
  DiagSink& sink_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Token::shown() const {
  switch (kind) {
    case TokenKind::kName: return fmt::format("'{}'", text.substr(0, 60));
    case TokenKind::kNumber: return fmt::format("number {}", number);
    case TokenKind::kString: return "a string";
    case TokenKind::kPunct: return fmt::format("'{}'", text);
    case TokenKind::kEnd: return "end of line";
  }
  return "";
}

std::vector<Token> lex_line(std::string_view line, const SourceLoc& start, DiagSink& sink) {
  return Lexer(line, start, sink).run();
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += fmt::format("\\{}", c);
    else if (c == '\n') out += "\\n";
    else if (byte < 0x20 || byte >= 0x7f) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  return out + "\"";
}

}  // namespace lockstep::isa
