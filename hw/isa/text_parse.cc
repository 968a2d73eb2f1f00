#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "hw/isa/text.h"
#include "hw/isa/text_cursor.h"
#include "hw/isa/text_grammar.h"
#include "hw/isa/text_parse_word.h"

namespace lockstep::isa {

namespace {

constexpr size_t kMaxErrors = 100;
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();

const std::vector<std::string>& directives() {
  static const std::vector<std::string> kNames = {"program", "chip", "hbm", "base", "ring", "sem", "smem", "tensor", "op", "code"};
  return kNames;
}

class ProgramParser {
 public:
  explicit ProgramParser(const std::string& file) : file_(file) {}

  Result<Program> parse(std::string_view text) {
    int number = 0;
    while (!text.empty() && sink_.diags().size() < kMaxErrors) {
      const size_t end = std::min(text.find('\n'), text.size());
      line({file_, ++number, 1}, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (sink_.diags().size() >= kMaxErrors) {
      sink_.report(error("E0616", {file_, number, 1}, fmt::format("more than {} errors, giving up here", kMaxErrors)));
    }
    resolve_loop_ends();
    if (!in_code_) sink_.report(error("E0614", {file_, 0, 0}, "the program has no line 'code' with its words behind it"));
    if (sink_.has_errors()) return sink_.diags();
    return std::move(program_);
  }

 private:
  void line(const SourceLoc& loc, std::string_view text) {
    const size_t errors = sink_.diags().size();
    const std::vector<Token> tokens = lex_line(text, loc, sink_);
    const bool lexed = sink_.diags().size() == errors;
    if (in_code_) {
      if (tokens.front().kind == TokenKind::kEnd && lexed) return;
      word(tokens, loc, lexed);
      return;
    }
    if (tokens.front().kind == TokenKind::kEnd || !lexed) return;
    TextCursor in(tokens, 0, loc, sink_);
    directive(in);
    if (!in.failed() && !in.at_end()) in.fail("E0612", in.peek(), fmt::format("expected end of line, found {}", in.peek().shown()));
  }

  /// A bad word leaves a HALT in its place, so that the labels and loops behind it still fit.
  void word(const std::vector<Token>& tokens, const SourceLoc& loc, bool lexed) {
    const auto pc = static_cast<uint32_t>(program_.code.size());
    size_t at = 0;
    if (tokens[0].kind == TokenKind::kNumber && tokens[1].is_punct(':')) {
      at = 2;
      if (tokens[0].number != pc) {
        sink_.report(error("E0615", {loc.file, loc.line, tokens[0].column},
                           fmt::format("this is word {}, but its label says {}", pc, tokens[0].number)));
      }
    }
    const auto parsed = lexed ? parse_word(tokens, at, loc, sink_) : std::nullopt;
    program_.code.push_back(parsed ? parsed->instr : blank_instr(Op::kHalt));
    if (parsed && parsed->end_omitted) open_ends_.push_back({pc, {loc.file, loc.line, tokens[at].column}});
    if (!parsed) bad_words_ = true;
  }

  void resolve_loop_ends() {
    std::array<uint32_t, kLoopLevels> next{};
    auto open = open_ends_.rbegin();
    for (size_t pc = program_.code.size(); pc-- > 0;) {
      Instr& instr = program_.code[pc];
      if (const auto* end = std::get_if<EndloopBody>(&instr.body)) next[end->level] = static_cast<uint32_t>(pc);
      if (open == open_ends_.rend() || open->pc != pc) continue;
      auto& loop = std::get<LoopBody>(instr.body);
      loop.end_pc = next[loop.level];
      if (loop.end_pc == 0 && !bad_words_) {
        sink_.report(error("E0617", open->loc, fmt::format("LOOP i{} has no ENDLOOP i{} behind it", int{loop.level}, int{loop.level})));
      }
      ++open;
    }
  }

  // ---- header

  void directive(TextCursor& in) {
    const Token keyword = in.peek();
    if (keyword.kind != TokenKind::kName) {
      in.fail("E0612", keyword, fmt::format("expected a header line, found {}", keyword.shown()));
      return;
    }
    const std::string& name = keyword.text;
    if (std::find(directives().begin(), directives().end(), name) == directives().end()) {
      unknown_directive(in, keyword);
      return;
    }
    in.take();
    if (name == "base") base(in, keyword);
    else if (name == "ring") ring(in, keyword);
    else if (name == "sem") semaphore(in, keyword);
    else if (name == "smem") smem(in);
    else if (name == "tensor") tensor(in);
    else if (name == "op") op(in);
    else if (once(in, keyword, name)) single(in, name);
  }

  void unknown_directive(TextCursor& in, const Token& keyword) {
    const std::string stem = keyword.text.substr(0, keyword.text.find('.'));
    const std::vector<std::string> words = mnemonics();
    if (std::find(words.begin(), words.end(), stem) != words.end()) {
      in.fail("E0612", keyword, "words of the program come behind a line 'code'");
    } else {
      in.fail("E0611", keyword, fmt::format("unknown header line '{}'", keyword.text.substr(0, 60)), hint(keyword.text, directives()));
    }
  }

  bool once(TextCursor& in, const Token& token, const std::string& what) {
    if (seen_.insert(what).second) return true;
    in.fail("E0613", token, fmt::format("'{}' is given twice", what));
    return false;
  }

  void single(TextCursor& in, const std::string& name) {
    if (name == "program") {
      if (auto text = in.string("the program's name")) program_.name = *std::move(text);
    } else if (name == "chip") {
      if (in.peek().kind == TokenKind::kNumber) program_.chip_hash = in.take().number;
      else in.fail("E0612", in.peek(), fmt::format("expected the chip hash, found {}", in.peek().shown()));
    } else if (name == "hbm") {
      if (const auto bytes = in.number("hbm", kInt64Min, kInt64Max)) program_.hbm_bytes = *bytes;
    } else {
      in_code_ = true;
    }
  }

  void base(TextCursor& in, const Token& keyword) {
    const auto at = in.numbered('b', kBaseRegisters, "a base register");
    if (!at || !once(in, keyword, fmt::format("base b{}", *at)) || !in.expect('=', "after the register")) return;
    if (const auto value = in.number("base register", kInt64Min, kInt64Max)) program_.base_registers[static_cast<size_t>(*at)] = *value;
  }

  void ring(TextCursor& in, const Token& keyword) {
    const auto at = in.numbered('r', kRings, "a ring");
    if (!at || !once(in, keyword, fmt::format("ring r{}", *at))) return;
    RingInit& ring = program_.rings[static_cast<size_t>(*at)];
    std::set<std::string> keys;
    while (!in.at_end()) {
      const Token& token = in.peek();
      const auto key = in.one_of({"modulus", "start"}, "modulus or start");
      if (!key || !distinct(in, keys, token) || !in.expect('=', "after the key")) return;
      const auto value = in.number(token.text, 0, 255);
      if (!value) return;
      (*key == 0 ? ring.modulus : ring.start) = static_cast<uint8_t>(*value);
    }
  }

  static bool distinct(TextCursor& in, std::set<std::string>& keys, const Token& token) {
    if (keys.insert(token.text).second) return true;
    in.fail("E0613", token, fmt::format("'{}' is given twice", token.text));
    return false;
  }

  void semaphore(TextCursor& in, const Token& keyword) {
    const auto at = in.numbered('s', kSemaphores, "a semaphore");
    if (!at || !once(in, keyword, fmt::format("sem s{}", *at)) || !in.expect('=', "after the semaphore")) return;
    if (const auto value = in.number("start count", 0, kSemaphoreMax)) {
      program_.semaphores[static_cast<size_t>(*at)] = static_cast<uint8_t>(*value);
    }
  }

  void smem(TextCursor& in) {
    while (!in.at_end()) {
      const auto value = in.number("SMEM word", 0, std::numeric_limits<uint32_t>::max());
      if (!value) return;
      program_.smem.push_back(static_cast<uint32_t>(*value));
    }
  }

  void op(TextCursor& in) {
    const auto tag = in.number("tag", 0, std::numeric_limits<uint32_t>::max());
    if (!tag) return;
    if (auto name = in.string("the op's name")) program_.ops.push_back({static_cast<uint32_t>(*tag), *std::move(name)});
  }

  void tensor(TextCursor& in) {
    const Token first = in.peek();
    auto name = in.string("the tensor's name");
    if (!name) return;
    Tensor t;
    t.name = *std::move(name);
    static const std::vector<std::string> kKeys = {"role", "type", "rows", "cols", "offset", "bytes", "block_rows", "block_cols",
                                                   "block_row_stride", "block_col_stride", "row_stride"};
    const std::array<int64_t*, 9> numbers = {&t.rows, &t.cols, &t.offset_bytes, &t.bytes, &t.block_rows, &t.block_cols,
                                             &t.block_row_stride_bytes, &t.block_col_stride_bytes, &t.row_stride_bytes};
    std::set<std::string> keys;
    while (!in.at_end()) {
      const Token& token = in.peek();
      const auto key = in.one_of(kKeys, "a key of a tensor");
      if (!key || !distinct(in, keys, token) || !in.expect('=', "after the key")) return;
      if (!tensor_value(in, t, *key, token.text, *key < 2 ? nullptr : numbers[*key - 2])) return;
    }
    for (const std::string& key : kKeys) {
      if (!keys.contains(key)) in.fail("E0614", first, fmt::format("tensor needs '{}'", key));
    }
    program_.tensors.push_back(std::move(t));
  }

  static bool tensor_value(TextCursor& in, Tensor& t, size_t key, const std::string& what, int64_t* number) {
    if (number != nullptr) {
      const auto value = in.number(what, kInt64Min, kInt64Max);
      if (value) *number = *value;
      return value.has_value();
    }
    const auto at = in.one_of(key == 0 ? role_names() : element_names(), key == 0 ? "a role" : "an element type");
    if (!at) return false;
    if (key == 0) t.role = static_cast<TensorRole>(*at);
    else t.type = static_cast<ElementType>(*at);
    return true;
  }

  struct OpenEnd {
    uint32_t pc;
    SourceLoc loc;
  };

  std::string file_;
  DiagSink sink_;
  Program program_;
  bool in_code_ = false;
  bool bad_words_ = false;
  std::set<std::string> seen_;
  std::vector<OpenEnd> open_ends_;
};

}  // namespace

Result<Program> parse_program(std::string_view text, const std::string& file) { return ProgramParser(file).parse(text); }

}  // namespace lockstep::isa
