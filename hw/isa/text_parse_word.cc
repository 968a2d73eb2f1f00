#include "hw/isa/text_parse_word.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "hw/isa/field_table.h"
#include "hw/isa/text_cursor.h"
#include "hw/isa/text_grammar.h"

namespace lockstep::isa {

namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

class WordParser {
 public:
  WordParser(const std::vector<Token>& tokens, size_t at, const SourceLoc& line, DiagSink& sink)
      : in_(tokens, at, line, sink) {}

  std::optional<ParsedWord> parse() {
    const Token& first = in_.peek();
    if (!mnemonic()) return std::nullopt;
    preset_defaults();
    positional_level();
    while (!in_.at_end()) {
      const size_t start = in_.position();
      if (!item()) skip_item(start);
    }
    report_missing(first);
    if (in_.failed()) return std::nullopt;
    ParsedWord out{std::move(instr_), false};
    out.end_omitted = out.instr.op == Op::kLoop && !seen_.contains("end");
    return out;
  }

 private:
  // ---- names of fields and items

  bool set(const std::string& field_name, int64_t value) {
    field_of(instr_.op, field_name).set(instr_, value);
    return true;
  }

  bool number_into(const std::string& field_name, const std::string& what) {
    const Field& field = field_of(instr_.op, field_name);
    const auto value = in_.number(what, field.min, field.max);
    return value && set(field_name, *value);
  }

  bool mnemonic() {
    const Token& token = in_.peek();
    if (token.kind != TokenKind::kName) {
      in_.fail("E0612", token, fmt::format("expected an instruction, found {}", token.shown()));
      return false;
    }
    std::string name = token.text;
    std::string unit = "0";
    if (const size_t dot = name.rfind('.'); dot != std::string::npos && is_digits(std::string_view(name).substr(dot + 1))) {
      unit = name.substr(dot + 1);
      name.resize(dot);
    }
    for (const Op op : all_ops()) {
      if (name == op_name(op)) instr_ = blank_instr(op), found_ = true;
    }
    if (!found_) {
      in_.fail("E0611", token, fmt::format("unknown instruction '{}'", name.substr(0, 60)), hint(name, mnemonics()));
      return false;
    }
    const Field& field = field_of(instr_.op, "unit");
    if (unit.size() > 2 || std::stoi(unit) > field.max) {
      in_.fail("E0601", token, fmt::format("unit must be in [{}, {}], got {}", field.min, field.max, unit.substr(0, 20)));
    } else {
      set("unit", std::stoi(unit));
    }
    in_.take();
    return true;
  }

  void preset_defaults() {
    for (const Item& item : items_of(instr_.op)) {
      if (item.default_value == 0) continue;
      set(item.kind == ItemKind::kCount ? item.field + ".imm" : item.field, item.default_value);
    }
  }

  void positional_level() {
    for (const Item& item : items_of(instr_.op)) {
      if (item.kind != ItemKind::kLevel) continue;
      if (const auto level = in_.numbered('i', kLoopLevels, "a loop level")) set(item.field, *level);
      else skip_item(in_.position());
    }
  }

  std::vector<std::string> keywords() const {
    std::vector<std::string> out = {"wait", "post", "step", "tag"};
    for (const Item& item : items_of(instr_.op)) {
      if (!item.keyword.empty() && std::find(out.begin(), out.end(), item.keyword) == out.end()) out.push_back(item.keyword);
    }
    return out;
  }

  /// The item called `keyword` behind the operand now open; shape keys exist once per operand.
  const Item* find_item(const std::string& keyword, bool& elsewhere) const {
    elsewhere = false;
    for (const Item& item : items_of(instr_.op)) {
      if (item.keyword != keyword || keyword.empty()) continue;
      if (item.group.empty() || item.group == group_) return &item;
      elsewhere = true;
    }
    return nullptr;
  }

  // ---- items

  bool item() {
    const Token& token = in_.peek();
    if (token.kind != TokenKind::kName) {
      in_.fail("E0612", token, fmt::format("expected a keyword, found {}", token.shown()));
      return false;
    }
    if (token.text == "wait") return wait();
    if (token.text == "post") return post();
    if (token.text == "step") return once("step", token) && step();
    if (token.text == "tag") return once("tag", token) && key() && number_into("tag", "tag");
    bool elsewhere = false;
    const Item* found = find_item(token.text, elsewhere);
    if (found == nullptr) {
      if (elsewhere) in_.fail("E0612", token, fmt::format("'{}' must follow the operand it describes", token.text));
      else in_.fail("E0611", token, fmt::format("{} has no '{}'", op_name(instr_.op), token.text.substr(0, 60)), hint(token.text, keywords()));
      return false;
    }
    if (!once(found->group.empty() ? found->keyword : found->group + " " + found->keyword, token)) return false;
    return value_of(*found);
  }

  bool once(const std::string& name, const Token& token) {
    if (seen_.insert(name).second) return true;
    in_.fail("E0613", token, fmt::format("'{}' is given twice", token.text));
    return false;
  }

  bool key() {
    const std::string keyword = in_.take().text;
    return in_.expect('=', fmt::format("after '{}'", keyword));
  }

  bool value_of(const Item& item) {
    switch (item.kind) {
      case ItemKind::kFlag: in_.take(); return set(item.field, 1);
      case ItemKind::kNumber:
      case ItemKind::kHex: return key() && number_into(item.field, item.keyword);
      case ItemKind::kHbmOperand:
      case ItemKind::kChipOperand:
        group_ = item.keyword;
        return key() && operand(item.field, item.kind == ItemKind::kHbmOperand);
      case ItemKind::kSlot: group_ = item.keyword; return key() && slot(item.field);
      case ItemKind::kCount: return key() && count(item.field, item.keyword);
      case ItemKind::kKernel:
        if (!key()) return false;
        if (!in_.peek().is_name("copy")) return number_into(item.field, item.keyword);
        in_.take();
        return set(item.field, kKernelCopy);
      case ItemKind::kEngines: return key() && engines(item.field);
      case ItemKind::kLevel: return false;
    }
    return false;
  }

  /// `{a,b}` or `{}`; `bit` reads one element and gives its bit number.
  template <typename Bit>
  bool set_of(const std::string& field, Bit bit) {
    if (!in_.expect('{', "")) return false;
    int64_t mask = 0;
    while (!in_.accept('}')) {
      if (mask != 0 && !in_.expect(',', "between names")) return false;
      const Token& token = in_.peek();
      const std::optional<int> at = bit();
      if (!at) return false;
      if ((mask >> *at) & 1) {
        in_.fail("E0613", token, fmt::format("{} is named twice", token.shown()));
        return false;
      }
      mask |= int64_t{1} << *at;
    }
    return set(field, mask);
  }

  bool step() {
    return key() && set_of("step", [this] { return in_.numbered('r', kRings, "a ring"); });
  }

  bool engines(const std::string& field) {
    std::vector<std::string> names;
    for (EngineId id = 0; id < kEngineCount; ++id) names.push_back(engine_name(id));
    for (int bit = kEngineCount; bit < 16; ++bit) names.push_back(fmt::format("e{}", bit));  // no engine: the verifier's business
    return set_of(field, [&]() -> std::optional<int> {
      const auto at = in_.one_of(names, "an engine");
      return at ? std::optional<int>(static_cast<int>(*at)) : std::nullopt;
    });
  }

  bool wait() {
    const Token& token = in_.take();
    if (waits_ == 2) {
      in_.fail("E0613", token, "a word has at most two waits");
      return false;
    }
    const std::string field = fmt::format("wait{}", waits_++);
    if (!in_.expect('(', "after 'wait'")) return false;
    if (in_.accept(')')) return true;
    return semaphore(field) && in_.expect(')', "after the count");
  }

  bool post() {
    const Token& token = in_.take();
    if (posts_ == 2) {
      in_.fail("E0613", token, "a word has at most two posts");
      return false;
    }
    const std::string field = fmt::format("post{}", posts_++);
    if (!in_.expect('(', "after 'post'")) return false;
    if (in_.accept(')')) return true;
    if (!semaphore(field) || !in_.expect(',', "before the moment")) return false;
    const auto when = in_.one_of({"source_free", "done"}, "source_free or done");
    return when && set(field + ".when", static_cast<int64_t>(*when)) && in_.expect(')', "after the moment");
  }

  bool semaphore(const std::string& field) {
    const auto sem = in_.numbered('s', kSemaphores, "a semaphore");
    return sem && set(field + ".sem", *sem) && in_.expect(',', "after the semaphore") && number_into(field + ".count", "count");
  }

  // ---- operands and counts

  bool slot(const std::string& field) {
    // "acc0.int32" is one token, since names may hold dots.
    const Token& token = in_.peek();
    const size_t dot = token.text.find('.');
    const std::string space = token.text.substr(0, dot);
    const std::string type = dot == std::string::npos ? "" : token.text.substr(dot + 1);
    const auto space_at = std::find(space_names().begin(), space_names().end(), space);
    const auto type_at = std::find(type_names().begin(), type_names().end(), type);
    if (token.kind != TokenKind::kName || space_at == space_names().end()) {
      in_.fail("E0611", token, fmt::format("expected a space like acc0.int32, found {}", token.shown()), hint(space, space_names()));
      return false;
    }
    if (type_at == type_names().end()) {
      in_.fail("E0611", token, fmt::format("expected an element type behind '{}.'", space), hint(type, type_names()));
      return false;
    }
    in_.take();
    set(field + ".space", space_at - space_names().begin());
    set(field + ".type", type_at - type_names().begin());
    return operand(field, false);
  }

  struct OperandState {
    std::string prefix;
    bool is_hbm = false;
    bool has_base = false;
    bool has_imm = false;
    bool has_ring = false;
    bool has_table = false;
    int loops = 0;
  };

  bool operand(const std::string& prefix, bool is_hbm) {
    OperandState state{.prefix = prefix, .is_hbm = is_hbm};
    const Token& open = in_.peek();
    if (!in_.expect('[', "before an address")) return false;
    bool negative = in_.accept('-');
    while (true) {
      if (!term(state, negative)) return false;
      if (in_.accept(']')) break;
      negative = in_.accept('-');
      if (!negative && !in_.expect('+', "between terms of an address")) return false;
    }
    if (!is_hbm || state.has_base) return true;
    in_.fail("E0614", open, "an HBM address needs a base register, like b0");
    return false;
  }

  bool term(OperandState& state, bool negative) {
    const Token& token = in_.peek();
    if (token.kind == TokenKind::kNumber) {
      return only(state.has_imm, "immediate", token) && signed_into(state.prefix + ".imm", "immediate", negative);
    }
    const char letter = token.kind == TokenKind::kName ? token.text[0] : '\0';
    if (state.is_hbm && letter == 'b' && !negative) {
      const auto base = in_.numbered('b', kBaseRegisters, "a base register");
      return base && only(state.has_base, "base register", token) && set(state.prefix + ".base", *base);
    }
    if (state.is_hbm && token.is_name("smem")) {
      return only(state.has_table, "table term", token) && table_index(state.prefix + ".table") &&
             in_.expect('*', "between smem[...] and its scale") && signed_into(state.prefix + ".table.scale", "scale", negative);
    }
    if (token.is_name("_") || letter == 'i') return loop_term(state, negative);
    if (!state.is_hbm && letter == 'r') {
      const auto ring = in_.numbered('r', kRings, "a ring");
      return ring && only(state.has_ring, "ring term", token) && set(state.prefix + ".ring.index", *ring) &&
             stride_into(state.prefix + ".ring.stride", negative);
    }
    in_.fail("E0612", token, fmt::format("expected a term of an address, found {}", token.shown()),
             {state.is_hbm ? "terms are: b0, a number, i0*64, smem[...]*1" : "terms are: a number, i0*64, r0*64"});
    return false;
  }

  bool only(bool& seen, const std::string& what, const Token& token) {
    if (!seen) return seen = true;
    in_.fail("E0613", token, fmt::format("an address has at most one {}", what));
    return false;
  }

  bool loop_term(OperandState& state, bool negative) {
    const Token& token = in_.peek();
    const std::string field = fmt::format("{}.loop{}", state.prefix, state.loops++);
    if (find_field(instr_.op, field + ".level") == nullptr) {
      in_.fail("E0613", token, fmt::format("this address has at most {} loop terms", state.loops - 1));
      return false;
    }
    if (token.is_name("_")) {
      in_.take();
      return true;
    }
    const auto level = in_.numbered('i', kLoopLevels, "a loop level");
    return level && set(field + ".level", *level) && stride_into(field + ".stride", negative);
  }

  /// "*64" behind a variable; without it the stride is 1.
  bool stride_into(const std::string& field, bool negative) {
    if (!in_.peek().is_punct('*')) return set(field, negative ? -1 : 1);
    in_.take();
    return signed_into(field, "stride", negative);
  }

  bool signed_into(const std::string& field_name, const std::string& what, bool negative) {
    const Field& field = field_of(instr_.op, field_name);
    if (!negative) return number_into(field_name, what);
    const auto value = in_.number(what, -field.max, -field.min);
    return value && set(field_name, -*value);
  }

  bool count(const std::string& field, const std::string& what) {
    if (in_.peek().is_name("smem")) {
      set(field + ".imm", 0);
      if (!set(field + ".from_table", 1) || !table_index(field)) return false;
      return !in_.accept('~') || number_into(field + ".imm", what);
    }
    if (!number_into(field + ".imm", what)) return false;
    return !in_.accept('~') || table_index(field);
  }

  /// smem[3 + i1 + i2*4]
  bool table_index(const std::string& prefix) {
    if (!in_.peek().is_name("smem")) {
      in_.fail("E0612", in_.peek(), fmt::format("expected smem[...], found {}", in_.peek().shown()));
      return false;
    }
    in_.take();
    if (!in_.expect('[', "after 'smem'") || !number_into(prefix + ".index.imm", "SMEM index")) return false;
    if (in_.accept('+') && !table_level(prefix + ".index.level1")) return false;
    if (in_.accept('+')) {
      if (!table_level(prefix + ".index.level2")) return false;
      if (!in_.expect('*', "before the scale") || !number_into(prefix + ".index.scale2", "scale")) return false;
    }
    return in_.expect(']', "after the SMEM index");
  }

  bool table_level(const std::string& field) {
    if (in_.peek().is_name("_")) {
      in_.take();
      return set(field, TableIndex::kNone);
    }
    const auto level = in_.numbered('i', TableIndex::kNone, "a loop level");
    return level && set(field, *level);
  }

  // ---- recovery

  /// Goes on behind the item that began at `start`: at the next keyword outside all brackets.
  void skip_item(size_t start) {
    in_.move_to(start);
    if (!in_.at_end()) in_.take();
    int depth = 0;
    for (; !in_.at_end(); in_.take()) {
      const Token& token = in_.peek();
      if (token.is_punct('[') || token.is_punct('{') || token.is_punct('(')) ++depth;
      if (token.is_punct(']') || token.is_punct('}') || token.is_punct(')')) --depth;
      if (depth > 0 || token.kind != TokenKind::kName) continue;
      const Token& after = in_.peek(1);
      if (after.is_punct('=') || after.is_punct('(')) return;
      bool elsewhere = false;
      const Item* item = find_item(token.text, elsewhere);
      if (item != nullptr && item->kind == ItemKind::kFlag) return;
    }
  }

  void report_missing(const Token& first) {
    if (in_.failed()) return;
    for (const Item& item : items_of(instr_.op)) {
      if (!item.required || item.keyword.empty()) continue;
      if (seen_.contains(item.group.empty() ? item.keyword : item.group + " " + item.keyword)) continue;
      const std::string where = item.group.empty() ? "" : fmt::format(" behind '{}'", item.group);
      in_.fail("E0614", first, fmt::format("{} needs '{}'{}", op_name(instr_.op), item.keyword, where));
    }
  }

  TextCursor in_;
  Instr instr_;
  bool found_ = false;
  std::string group_;
  std::set<std::string> seen_;
  int waits_ = 0;
  int posts_ = 0;
};

}  // namespace

std::vector<std::string> mnemonics() {
  std::vector<std::string> out;
  for (const Op op : all_ops()) out.push_back(op_name(op));
  return out;
}

std::optional<ParsedWord> parse_word(const std::vector<Token>& tokens, size_t at, const SourceLoc& line, DiagSink& sink) {
  return WordParser(tokens, at, line, sink).parse();
}

}  // namespace lockstep::isa
