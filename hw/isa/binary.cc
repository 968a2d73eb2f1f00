#include "hw/isa/binary.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hw/isa/check_fields.h"
#include "hw/isa/field_table.h"

namespace lockstep::isa {

namespace {

// The line ends and the 0x1A catch images that went through a text-mode copy.
constexpr std::string_view kMagic = "LKPROG\r\n\x1a\n";
constexpr size_t kChecksumBytes = 8;

void put_bits(std::span<uint8_t> out, int lsb, int width, uint64_t value) {
  for (int bit = 0; bit < width; ++bit) {
    const int at = lsb + bit;
    if ((value >> bit) & 1U) out[static_cast<size_t>(at / 8)] |= static_cast<uint8_t>(1U << (at % 8));
  }
}

uint64_t get_bits(std::span<const uint8_t> in, int lsb, int width) {
  uint64_t value = 0;
  for (int bit = 0; bit < width; ++bit) {
    const int at = lsb + bit;
    value |= uint64_t{(in[static_cast<size_t>(at / 8)] >> (at % 8)) & 1U} << bit;
  }
  return value;
}

int64_t field_value(const Field& field, uint64_t bits) {
  if (!field.is_signed) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (field.width - 1);
  return static_cast<int64_t>((bits ^ sign) - sign);
}

class Writer {
 public:
  void raw(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  void unsigned_int(uint64_t value, int size) {
    for (int k = 0; k < size; ++k) bytes_.push_back(static_cast<uint8_t>(value >> (8 * k)));
  }
  void u8(uint8_t value) { unsigned_int(value, 1); }
  void u32(uint32_t value) { unsigned_int(value, 4); }
  void i64(int64_t value) { unsigned_int(static_cast<uint64_t>(value), 8); }
  void text(const std::string& value) {
    u32(static_cast<uint32_t>(value.size()));
    raw(value);
  }
  void word(const Instr& instr) {
    bytes_.resize(bytes_.size() + static_cast<size_t>(word_bytes()), 0);
    encode_word(instr, std::span(bytes_).last(static_cast<size_t>(word_bytes())));
  }
  std::vector<uint8_t> finish() {
    unsigned_int(XXH3_64bits(bytes_.data(), bytes_.size()), kChecksumBytes);
    return std::move(bytes_);
  }

 private:
  std::vector<uint8_t> bytes_;
};

/// Reads forward; the first read past the end (or bad value) records one diagnostic and all later reads give 0.
class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  bool failed() const { return sink_.has_errors(); }
  DiagSink& sink() { return sink_; }
  SourceLoc loc() const { return {file_, 0, 0}; }
  size_t left() const { return bytes_.size() - at_; }
  void drop_tail(size_t size) { bytes_ = bytes_.first(bytes_.size() - size); }

  void fail(std::string code, const std::string& message) {
    if (!failed()) sink_.report(error(std::move(code), loc(), fmt::format("{} (at byte {})", message, at_)));
  }

  std::span<const uint8_t> take(size_t size, const char* what) {
    if (failed()) return {};
    if (size > left()) {
      fail("E0622", fmt::format("program image ends inside {}: {} bytes needed, {} left", what, size, left()));
      return {};
    }
    const auto out = bytes_.subspan(at_, size);
    at_ += size;
    return out;
  }
  uint64_t unsigned_int(size_t size, const char* what) {
    uint64_t value = 0;
    const auto bytes = take(size, what);
    for (size_t k = 0; k < bytes.size(); ++k) value |= uint64_t{bytes[k]} << (8 * k);
    return value;
  }
  uint8_t u8(const char* what) { return static_cast<uint8_t>(unsigned_int(1, what)); }
  uint32_t u32(const char* what) { return static_cast<uint32_t>(unsigned_int(4, what)); }
  int64_t i64(const char* what) { return static_cast<int64_t>(unsigned_int(8, what)); }
  std::string text(const char* what) {
    const auto bytes = take(u32(what), what);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  /// A count of items of at least `item_bytes`, checked against what is left before anybody allocates.
  size_t count(size_t item_bytes, const char* what) {
    const uint32_t n = u32(what);
    if (!failed() && n > left() / item_bytes) {
      fail("E0622", fmt::format("program image has no room for {} {}", n, what));
    }
    return failed() ? 0 : n;
  }
  template <typename E>
  E enumerator(E last, const char* what) {
    const uint8_t value = u8(what);
    if (value > static_cast<uint8_t>(last)) fail("E0623", fmt::format("{} {} is unknown", what, value));
    return failed() ? E{} : static_cast<E>(value);
  }

 private:
  std::span<const uint8_t> bytes_;
  std::string file_;
  size_t at_ = 0;
  DiagSink sink_;
};

void write_tensor(Writer& out, const Tensor& t) {
  out.text(t.name);
  out.u8(static_cast<uint8_t>(t.role));
  out.u8(static_cast<uint8_t>(t.type));
  for (const int64_t value : {t.rows, t.cols, t.offset_bytes, t.bytes, t.block_rows, t.block_cols,
                              t.block_row_stride_bytes, t.block_col_stride_bytes, t.row_stride_bytes}) {
    out.i64(value);
  }
}

Tensor read_tensor(Reader& in) {
  Tensor t;
  t.name = in.text("tensor name");
  t.role = in.enumerator(TensorRole::kScratch, "tensor role");
  t.type = in.enumerator(ElementType::kFp32, "element type");
  for (int64_t* value : {&t.rows, &t.cols, &t.offset_bytes, &t.bytes, &t.block_rows, &t.block_cols,
                         &t.block_row_stride_bytes, &t.block_col_stride_bytes, &t.row_stride_bytes}) {
    *value = in.i64("tensor");
  }
  return t;
}

/// Magic, version, word width and checksum; false ends the decoding.
bool read_preamble(Reader& in, std::span<const uint8_t> bytes) {
  const auto magic = in.take(std::min(kMagic.size(), bytes.size()), "magic");
  if (!std::equal(magic.begin(), magic.end(), kMagic.begin(), kMagic.end())) {
    in.fail("E0620", "not a lockstep program image: wrong magic");
    return false;
  }
  const uint32_t version = in.u32("version");
  if (!in.failed() && version != kImageVersion) {
    in.fail("E0621", fmt::format("program image has version {}, this build reads version {}", version, kImageVersion));
  }
  const uint32_t bits = in.u32("word width");
  if (!in.failed() && bits != static_cast<uint32_t>(word_bits())) {
    in.fail("E0621", fmt::format("program image has {}-bit words, this build has {}-bit words", bits, word_bits()));
  }
  if (in.failed()) return false;
  if (in.left() < kChecksumBytes) {
    in.fail("E0622", "program image ends before its checksum");
    return false;
  }
  const size_t body = bytes.size() - kChecksumBytes;
  Reader tail(bytes.subspan(body), "");
  if (tail.unsigned_int(kChecksumBytes, "checksum") != XXH3_64bits(bytes.data(), body)) {
    in.fail("E0624", "program image is damaged: its checksum does not match");
  }
  in.drop_tail(kChecksumBytes);
  return !in.failed();
}

void read_state(Reader& in, Program& program) {
  program.chip_hash = in.unsigned_int(8, "chip hash");
  program.name = in.text("program name");
  program.hbm_bytes = in.i64("hbm_bytes");
  for (int64_t& value : program.base_registers) value = in.i64("base registers");
  for (RingInit& ring : program.rings) {
    ring.modulus = in.u8("rings");
    ring.start = in.u8("rings");
  }
  for (uint8_t& value : program.semaphores) value = in.u8("semaphores");
  program.smem.resize(in.count(4, "SMEM words"));
  for (uint32_t& value : program.smem) value = in.u32("SMEM words");
}

void read_code(Reader& in, Program& program) {
  const auto bytes_per_word = static_cast<size_t>(word_bytes());
  const size_t words = in.count(bytes_per_word, "words");
  program.code.reserve(words);
  DiagSink bad_words;
  for (size_t pc = 0; pc < words; ++pc) {
    const auto bytes = in.take(bytes_per_word, "code");
    Result<Instr> instr = decode_word(bytes, in.loc());
    if (instr) {
      program.code.push_back(*std::move(instr));
      continue;
    }
    for (Diag diag : instr.diags()) {
      diag.message = fmt::format("word {}: {}", pc, diag.message);
      bad_words.report(std::move(diag));
    }
  }
  in.sink().append(bad_words);
}

}  // namespace

void encode_word(const Instr& instr, std::span<uint8_t> out) {
  CHECK(out.size() == static_cast<size_t>(word_bytes())) << out.size();
  CHECK(body_matches_op(instr)) << op_name(instr.op);
  std::fill(out.begin(), out.end(), uint8_t{0});
  for (const Field& field : op_fields(instr.op)) {
    const int64_t value = field.get(instr);
    CHECK(value >= field.min && value <= field.max) << op_name(instr.op) << " " << field.name << " = " << value;
    put_bits(out, field.lsb, field.width, static_cast<uint64_t>(value));
  }
}

Result<Instr> decode_word(std::span<const uint8_t> bytes, const SourceLoc& loc) {
  CHECK(bytes.size() == static_cast<size_t>(word_bytes())) << bytes.size();
  const Field& op_field = field_of(Op::kHalt, "op");
  const uint64_t opcode = get_bits(bytes, op_field.lsb, op_field.width);
  if (!is_op(opcode)) return error("E0603", loc, fmt::format("unknown opcode {}", opcode));
  Instr instr = blank_instr(static_cast<Op>(opcode));
  DiagSink sink;
  for (const Field& field : op_fields(instr.op)) {
    const int64_t value = field_value(field, get_bits(bytes, field.lsb, field.width));
    if (value < field.min || value > field.max) {
      sink.report(error("E0601", loc, fmt::format("{}: {} must be in [{}, {}], got {}", op_name(instr.op), field.name,
                                                  field.min, field.max, value)));
      continue;
    }
    field.set(instr, value);
  }
  const Field& last = op_fields(instr.op).back();
  for (int bit = last.lsb + last.width; bit < word_bits(); ++bit) {
    if (get_bits(bytes, bit, 1) == 0) continue;
    sink.report(error("E0604", loc, fmt::format("{}: bit {} belongs to no field and must be 0", op_name(instr.op), bit)));
    break;
  }
  if (sink.has_errors()) return sink.diags();
  return instr;
}

Result<std::vector<uint8_t>> encode_program(const Program& program) {
  DiagSink sink;
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    check_fields(program.code[pc], {}, fmt::format("word {}", pc), sink);
  }
  if (sink.has_errors()) return sink.diags();
  Writer out;
  out.raw(kMagic);
  out.u32(kImageVersion);
  out.u32(static_cast<uint32_t>(word_bits()));
  out.unsigned_int(program.chip_hash, 8);
  out.text(program.name);
  out.i64(program.hbm_bytes);
  for (const int64_t value : program.base_registers) out.i64(value);
  for (const RingInit& ring : program.rings) {
    out.u8(ring.modulus);
    out.u8(ring.start);
  }
  for (const uint8_t value : program.semaphores) out.u8(value);
  out.u32(static_cast<uint32_t>(program.smem.size()));
  for (const uint32_t value : program.smem) out.u32(value);
  out.u32(static_cast<uint32_t>(program.code.size()));
  for (const Instr& instr : program.code) out.word(instr);
  out.u32(static_cast<uint32_t>(program.tensors.size()));
  for (const Tensor& tensor : program.tensors) write_tensor(out, tensor);
  out.u32(static_cast<uint32_t>(program.ops.size()));
  for (const OpName& op : program.ops) {
    out.u32(op.tag);
    out.text(op.name);
  }
  return out.finish();
}

Result<Program> decode_program(std::span<const uint8_t> bytes, const std::string& file) {
  Reader in(bytes, file);
  Program program;
  if (!read_preamble(in, bytes)) return in.sink().diags();
  read_state(in, program);
  read_code(in, program);
  for (size_t n = in.count(4 + 2 + 9 * 8, "tensors"); n > 0 && !in.failed(); --n) program.tensors.push_back(read_tensor(in));
  for (size_t n = in.count(8, "op names"); n > 0 && !in.failed(); --n) {
    const uint32_t tag = in.u32("op name");
    program.ops.push_back({tag, in.text("op name")});
  }
  if (!in.failed() && in.left() != 0) in.fail("E0622", fmt::format("program image has {} bytes too many", in.left()));
  if (in.failed()) return in.sink().diags();
  return program;
}

}  // namespace lockstep::isa
