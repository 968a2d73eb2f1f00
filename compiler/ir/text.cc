#include "compiler/ir/text.h"

#include <charconv>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep::ir {

namespace {

enum class TokenKind { kEnd, kWord, kString, kPunct };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  int line = 1;
  int column = 1;
};

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    skip_blank();
    Token token;
    token.line = line_;
    token.column = column_;
    if (at_ >= text_.size()) return token;
    if (text_[at_] == '"') return string_token(std::move(token));
    if (text_.substr(at_, 2) == "->") {
      take(token);
      take(token);
      token.kind = TokenKind::kPunct;
    } else if (is_word_char(text_[at_])) {
      token.kind = TokenKind::kWord;
      while (at_ < text_.size() && is_word_char(text_[at_]) && text_.substr(at_, 2) != "->") take(token);
    } else {
      token.kind = TokenKind::kPunct;
      take(token);
    }
    return token;
  }

 private:
  void take(Token& token) {
    token.text += text_[at_];
    advance();
  }

  void advance() {
    if (text_[at_++] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') advance();
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        advance();
      } else {
        return;
      }
    }
  }

  /// A string ends on its line; \" and \\ are the only escapes. An unterminated one comes back as punctuation.
  Token string_token(Token token) {
    advance();
    token.kind = TokenKind::kString;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) advance();
      take(token);
    }
    if (at_ < text_.size() && text_[at_] == '"') {
      advance();
    } else {
      token.kind = TokenKind::kPunct;
      token.text = "unterminated string";
    }
    return token;
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : lexer_(text), file_(file) { advance(); }

  std::optional<Workload> workload() {
    Workload out;
    if (!expect("workload") || !word(out.name)) return std::nullopt;
    if (accept("blocks") && !number(out.blocks)) return std::nullopt;
    if (!expect("{")) return std::nullopt;
    while (!accept("}")) {
      if (!gemm(out.gemms.emplace_back())) return std::nullopt;
    }
    if (token_.kind != TokenKind::kEnd) return fail("the end of the file"), std::nullopt;
    return out;
  }

  const Diag& diag() const { return diag_; }

 private:
  bool gemm(Gemm& out) {
    out.loc = here();
    if (!expect("gemm") || !word(out.name) || !number(out.m) || !expect("x") || !number(out.n) || !expect("x") ||
        !number(out.k) || !expect(":") || !type(out.input) || !expect("->") || !type(out.output)) {
      return false;
    }
    if (accept("count") && !number(out.count)) return false;
    return !accept("loc") || location(out.loc);
  }

  bool location(SourceLoc& out) {
    if (token_.kind != TokenKind::kString) return fail("a quoted file name");
    out = {token_.text, 0, 0};
    advance();
    int64_t line = 0;
    int64_t column = 0;
    if (!expect(":") || !number(line) || !expect(":") || !number(column)) return false;
    out.line = static_cast<int>(line);
    out.column = static_cast<int>(column);
    return true;
  }

  bool type(ElementType& out) {
    if (accept("int8")) return out = ElementType::kInt8, true;
    if (accept("int32")) return out = ElementType::kInt32, true;
    return fail("a type (int8 or int32)");
  }

  bool word(std::string& out) {
    if (token_.kind != TokenKind::kWord) return fail("a name");
    out = token_.text;
    advance();
    return true;
  }

  bool number(int64_t& out) {
    const char* begin = token_.text.data();
    const char* end = begin + token_.text.size();
    constexpr int64_t kMax = int64_t{1} << 30;
    if (token_.kind != TokenKind::kWord) return fail("a number");
    const auto [stop, status] = std::from_chars(begin, end, out);
    if (status != std::errc() || stop != end || out < 0 || out > kMax) return fail("a number in [0, 2^30]");
    advance();
    return true;
  }

  bool expect(const char* text) { return accept(text) || fail(fmt::format("'{}'", text)); }

  bool accept(const char* text) {
    if ((token_.kind != TokenKind::kWord && token_.kind != TokenKind::kPunct) || token_.text != text) return false;
    advance();
    return true;
  }

  bool fail(const std::string& wanted) {
    const std::string got = token_.kind == TokenKind::kEnd ? "the end of the file" : quote_text(token_.text);
    diag_ = error("E1010", here(), fmt::format("expected {}, got {}", wanted, got));
    return false;
  }

  SourceLoc here() const { return {file_, token_.line, token_.column}; }
  void advance() { token_ = lexer_.next(); }

  Lexer lexer_;
  std::string file_;
  Token token_;
  Diag diag_;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

}  // namespace

std::string print(const Workload& workload) {
  std::string out = fmt::format("workload {}", workload.name);
  if (workload.blocks != 1) out += fmt::format(" blocks {}", workload.blocks);
  out += " {\n";
  for (const Gemm& g : workload.gemms) {
    out += fmt::format("  gemm {} {} x {} x {} : {} -> {}", g.name, g.m, g.n, g.k, type_name(g.input), type_name(g.output));
    if (g.count != 1) out += fmt::format(" count {}", g.count);
    if (!g.loc.file.empty()) out += fmt::format(" loc {}:{}:{}", quoted(g.loc.file), g.loc.line, g.loc.column);
    out += '\n';
  }
  return out + "}\n";
}

Result<Workload> parse(std::string_view text, const std::string& file) {
  Parser parser(text, file);
  std::optional<Workload> workload = parser.workload();
  if (!workload) return parser.diag();
  DiagSink sink;
  verify(*workload, sink);
  if (sink.has_errors()) return sink.diags();
  return *std::move(workload);
}

}  // namespace lockstep::ir
