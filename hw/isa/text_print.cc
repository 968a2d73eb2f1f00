#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "hw/isa/field_table.h"
#include "hw/isa/text.h"
#include "hw/isa/text_grammar.h"
#include "hw/isa/text_lexer.h"

namespace lockstep::isa {

namespace {

std::string name_or_number(const std::vector<std::string>& names, int64_t value) {
  const auto at = static_cast<size_t>(value);
  return at < names.size() ? names[at] : fmt::format("{}", value);
}

std::string hex(int64_t value) {
  return value < 0 ? fmt::format("-0x{:x}", 0 - static_cast<uint64_t>(value)) : fmt::format("0x{:x}", value);
}

class WordPrinter {
 public:
  explicit WordPrinter(const Instr& instr, bool natural_end) : instr_(instr), natural_end_(natural_end) {}

  std::string print() {
    out_ = op_name(instr_.op);
    if (is_engine_op(instr_.op) || instr_.unit != 0) out_ += fmt::format(".{}", int{instr_.unit});
    for (const Item& item : items_of(instr_.op)) print_item(item);
    print_waits();
    print_posts();
    if (instr_.step != 0) key("step", set_text(instr_.step, [](int bit) { return fmt::format("r{}", bit); }));
    if (instr_.tag != 0) key("tag", fmt::format("{}", instr_.tag));
    return std::move(out_);
  }

 private:
  int64_t get(const std::string& field) const { return field_of(instr_.op, field).get(instr_); }

  void key(const std::string& keyword, const std::string& value) { out_ += fmt::format(" {}={}", keyword, value); }

  void print_item(const Item& item) {
    switch (item.kind) {
      case ItemKind::kNumber: print_number(item, false); break;
      case ItemKind::kHex: print_number(item, true); break;
      case ItemKind::kFlag:
        if (get(item.field) != 0) out_ += fmt::format(" {}", item.keyword);
        break;
      case ItemKind::kHbmOperand: key(item.keyword, operand(item.field, true)); break;
      case ItemKind::kChipOperand: key(item.keyword, operand(item.field, false)); break;
      case ItemKind::kSlot: print_slot(item); break;
      case ItemKind::kCount: key(item.keyword, count(item.field)); break;
      case ItemKind::kKernel: {
        const int64_t kernel = get(item.field);
        key(item.keyword, kernel == kKernelCopy ? "copy" : fmt::format("{}", kernel));
        break;
      }
      case ItemKind::kEngines:
        key(item.keyword, set_text(static_cast<uint32_t>(get(item.field)), [](int bit) {
              return bit < kEngineCount ? engine_name(static_cast<EngineId>(bit)) : fmt::format("e{}", bit);
            }));
        break;
      case ItemKind::kLevel: out_ += fmt::format(" i{}", get(item.field)); break;
    }
  }

  void print_number(const Item& item, bool as_hex) {
    const int64_t value = get(item.field);
    if (item.field == "end_pc" && natural_end_) return;
    if (!item.required && value == item.default_value && item.field != "end_pc") return;
    if (!item.group.empty() && !slot_used(item.group)) return;
    key(item.keyword, as_hex ? hex(value) : fmt::format("{}", value));
  }

  /// A slot is left out when every field of it is 0; other groups are always written.
  bool slot_used(const std::string& group) const {
    if (!group.starts_with("slot")) return true;
    const auto& fields = op_fields(instr_.op);
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field& f) { return f.name.starts_with(group + ".") && f.get(instr_) != 0; });
  }

  void print_slot(const Item& item) {
    if (!slot_used(item.field)) return;
    key(item.keyword, fmt::format("{}.{}{}", name_or_number(space_names(), get(item.field + ".space")),
                                  name_or_number(type_names(), get(item.field + ".type")), operand(item.field, false)));
  }

  /// "[b1 + 0x400 + i2*4096 - r0*64]". '_' keeps the place of an unused loop term in front of a used one.
  std::string operand(const std::string& prefix, bool is_hbm) const {
    std::vector<std::string> terms;
    if (is_hbm) terms.push_back(fmt::format("b{}", get(prefix + ".base")));
    const int64_t imm = get(prefix + ".imm");
    if (imm != 0 || !is_hbm) terms.push_back(hex(imm));
    add_loop_terms(prefix, terms);
    if (const std::string ring = prefix + ".ring"; find_field(instr_.op, ring + ".index") != nullptr) {
      const int64_t index = get(ring + ".index");
      const int64_t stride = get(ring + ".stride");
      if (index != 0 || stride != 0) terms.push_back(product(fmt::format("r{}", index), stride));
    }
    if (is_hbm) {
      const std::string table = table_index(prefix + ".table");
      const int64_t scale = get(prefix + ".table.scale");
      if (scale != 0 || table != "smem[0]") terms.push_back(product(table, scale));
    }
    return fmt::format("[{}]", joined(terms));
  }

  void add_loop_terms(const std::string& prefix, std::vector<std::string>& terms) const {
    std::vector<std::string> loops;
    size_t used = 0;
    for (int k = 0;; ++k) {
      const std::string loop = fmt::format("{}.loop{}", prefix, k);
      if (find_field(instr_.op, loop + ".level") == nullptr) break;
      const int64_t level = get(loop + ".level");
      const int64_t stride = get(loop + ".stride");
      const bool empty = level == 0 && stride == 0;
      loops.push_back(empty ? "_" : product(fmt::format("i{}", level), stride));
      if (!empty) used = loops.size();
    }
    terms.insert(terms.end(), loops.begin(), loops.begin() + static_cast<int64_t>(used));
  }

  /// The sign comes first, so that joined() can turn "+ -i2*8" into "- i2*8".
  static std::string product(const std::string& variable, int64_t factor) {
    return factor < 0 ? fmt::format("-{}*{}", variable, 0 - static_cast<uint64_t>(factor))
                      : fmt::format("{}*{}", variable, factor);
  }

  static std::string joined(const std::vector<std::string>& terms) {
    std::string out = terms.front();
    for (size_t k = 1; k < terms.size(); ++k) {
      const std::string& term = terms[k];
      out += term[0] == '-' ? fmt::format(" - {}", term.substr(1)) : fmt::format(" + {}", term);
    }
    return out;
  }

  std::string count(const std::string& field) const {
    const std::string table = table_index(field);
    const int64_t imm = get(field + ".imm");
    if (get(field + ".from_table") != 0) return imm == 0 ? table : fmt::format("{}~{}", table, imm);
    return table == "smem[0]" ? fmt::format("{}", imm) : fmt::format("{}~{}", imm, table);
  }

  std::string table_index(const std::string& prefix) const {
    const auto level = [&](const char* name) {
      const int64_t value = get(prefix + name);
      return value == TableIndex::kNone ? std::string("_") : fmt::format("i{}", value);
    };
    std::string out = fmt::format("smem[{}", get(prefix + ".index.imm"));
    const std::string level1 = level(".index.level1");
    const std::string level2 = level(".index.level2");
    const int64_t scale2 = get(prefix + ".index.scale2");
    const bool second = level2 != "_" || scale2 != 0;
    if (second || level1 != "_") out += " + " + level1;
    if (second) out += fmt::format(" + {}*{}", level2, scale2);
    return out + "]";
  }

  void print_waits() {
    for (size_t k = 0; k < instr_.waits.size(); ++k) {
      const Wait& wait = instr_.waits[k];
      if (wait != Wait{}) out_ += fmt::format(" wait(s{},{})", int{wait.sem}, int{wait.count});
      else if (k == 0 && instr_.waits[1] != Wait{}) out_ += " wait()";
    }
  }

  void print_posts() {
    for (size_t k = 0; k < instr_.posts.size(); ++k) {
      const Post& post = instr_.posts[k];
      const char* when = post.when == PostWhen::kDone ? "done" : "source_free";
      if (post != Post{}) out_ += fmt::format(" post(s{},{},{})", int{post.sem}, int{post.count}, when);
      else if (k == 0 && instr_.posts[1] != Post{}) out_ += " post()";
    }
  }

  template <typename Name>
  static std::string set_text(uint32_t mask, Name name) {
    std::string out;
    for (int bit = 0; bit < 32; ++bit) {
      if (((mask >> bit) & 1U) == 0) continue;
      if (!out.empty()) out += ',';
      out += name(bit);
    }
    return fmt::format("{{{}}}", out);
  }

  const Instr& instr_;
  bool natural_end_;
  std::string out_;
};

void print_header(const Program& program, std::string& out) {
  out += fmt::format("program {}\nchip 0x{:016x}\nhbm {}\n", quote(program.name), program.chip_hash, hex(program.hbm_bytes));
  for (size_t k = 0; k < program.base_registers.size(); ++k) {
    if (program.base_registers[k] != 0) out += fmt::format("base b{} = {}\n", k, hex(program.base_registers[k]));
  }
  for (size_t k = 0; k < program.rings.size(); ++k) {
    const RingInit& ring = program.rings[k];
    if (ring != RingInit{}) out += fmt::format("ring r{} modulus={} start={}\n", k, int{ring.modulus}, int{ring.start});
  }
  for (size_t k = 0; k < program.semaphores.size(); ++k) {
    if (program.semaphores[k] != 0) out += fmt::format("sem s{} = {}\n", k, int{program.semaphores[k]});
  }
  for (size_t k = 0; k < program.smem.size(); ++k) {
    out += fmt::format("{}{}", k % 8 == 0 ? "smem " : " ", program.smem[k]);
    if (k % 8 == 7 || k + 1 == program.smem.size()) out += '\n';
  }
}

void print_tensor(const Tensor& t, std::string& out) {
  out += fmt::format("tensor {} role={} type={} rows={} cols={} offset={} bytes={}", quote(t.name),
                     role_names()[static_cast<size_t>(t.role)], element_names()[static_cast<size_t>(t.type)], t.rows, t.cols,
                     hex(t.offset_bytes), t.bytes);
  out += fmt::format(" block_rows={} block_cols={} block_row_stride={} block_col_stride={} row_stride={}\n", t.block_rows,
                     t.block_cols, t.block_row_stride_bytes, t.block_col_stride_bytes, t.row_stride_bytes);
}

/// For each word the index of the next ENDLOOP of its own level behind it: what a LOOP without `end=` means.
std::vector<uint32_t> natural_ends(const std::vector<Instr>& code) {
  std::array<uint32_t, kLoopLevels> next{};
  std::vector<uint32_t> ends(code.size(), 0);
  for (size_t pc = code.size(); pc-- > 0;) {
    if (const auto* end = std::get_if<EndloopBody>(&code[pc].body)) next[end->level % kLoopLevels] = static_cast<uint32_t>(pc);
    if (const auto* loop = std::get_if<LoopBody>(&code[pc].body)) ends[pc] = next[loop->level % kLoopLevels];
  }
  return ends;
}

}  // namespace

std::string print_word(const Instr& instr) { return WordPrinter(instr, false).print(); }

std::string print_program(const Program& program) {
  std::string out;
  print_header(program, out);
  for (const Tensor& tensor : program.tensors) print_tensor(tensor, out);
  for (const OpName& op : program.ops) out += fmt::format("op {} {}\n", op.tag, quote(op.name));
  out += "\ncode\n";
  const std::vector<uint32_t> ends = natural_ends(program.code);
  int depth = 0;
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    const Instr& instr = program.code[pc];
    const auto* loop = std::get_if<LoopBody>(&instr.body);
    if (instr.op == Op::kEndloop) depth = std::max(depth - 1, 0);
    out += fmt::format("{:5}: {}{}\n", pc, std::string(static_cast<size_t>(2 * std::min(depth, kLoopLevels)), ' '),
                       WordPrinter(instr, loop != nullptr && ends[pc] != 0 && loop->end_pc == ends[pc]).print());
    if (loop != nullptr) ++depth;
  }
  return out;
}

}  // namespace lockstep::isa
