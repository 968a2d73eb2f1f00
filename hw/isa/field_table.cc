#include "hw/isa/field_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <type_traits>
#include <unordered_map>

#include <fmt/format.h>

#include "hw/base/check.h"

namespace lockstep::isa {

namespace {

enum class Sign { kUnsigned, kSigned };

/// Appends fields at the next free bit. A `Ref` maps an Instr to the member a field stores.
class Packer {
 public:
  template <typename Ref>
  Field& add(std::string name, int width, Sign sign, std::string unit, std::string sentence, Ref ref) {
    CHECK(width >= 1 && width <= kHbmAddressBits) << name;
    Field field;
    field.name = std::move(name);
    field.lsb = next_lsb_;
    field.width = width;
    field.is_signed = sign == Sign::kSigned;
    field.is_header = in_header_;
    field.min = field.is_signed ? -(int64_t{1} << (width - 1)) : 0;
    field.max = (int64_t{1} << (field.is_signed ? width - 1 : width)) - 1;
    field.unit = std::move(unit);
    field.sentence = std::move(sentence);
    field.get = [ref](const Instr& instr) { return static_cast<int64_t>(ref(instr)); };
    field.set = [ref](Instr& instr, int64_t value) {
      auto& member = ref(instr);
      member = static_cast<std::remove_reference_t<decltype(member)>>(value);
    };
    next_lsb_ += width;
    fields_.push_back(std::move(field));
    return fields_.back();
  }

  template <typename Ref>
  void add_unsigned(std::string name, int width, std::string unit, std::string sentence, Ref ref) {
    add(std::move(name), width, Sign::kUnsigned, std::move(unit), std::move(sentence), ref);
  }
  template <typename Ref>
  void add_signed(std::string name, int width, std::string unit, std::string sentence, Ref ref) {
    add(std::move(name), width, Sign::kSigned, std::move(unit), std::move(sentence), ref);
  }
  template <typename Ref>
  void add_flag(std::string name, std::string sentence, Ref ref) {
    add_unsigned(std::move(name), 1, "flag", std::move(sentence), ref);
  }

  template <typename Ref>
  void add_loop_terms(const std::string& prefix, int count, int stride_bits, const std::string& unit, Ref ref) {
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<size_t>(k);
      add_unsigned(fmt::format("{}.loop{}.level", prefix, k), 3, "level",
                   "Loop level whose index is multiplied; 0 when the stride is 0.",
                   [ref, at](auto& w) -> auto& { return ref(w).loops[at].level; });
      add_signed(fmt::format("{}.loop{}.stride", prefix, k), stride_bits, unit,
                 "Added once per index of that level; 0 = no term.",
                 [ref, at](auto& w) -> auto& { return ref(w).loops[at].stride; });
    }
  }

  template <typename Ref>
  void add_ring_term(const std::string& prefix, const std::string& unit, Ref ref) {
    add_unsigned(prefix + ".ring.index", 4, "ring", "Ring counter whose value is multiplied (SEQ-1); 0 when the stride is 0.",
                 [ref](auto& w) -> auto& { return ref(w).ring.ring; });
    add_signed(prefix + ".ring.stride", kChipAddressBits, unit, "Added once per ring value; 0 = no term.",
               [ref](auto& w) -> auto& { return ref(w).ring.stride; });
  }

  template <typename Ref>
  void add_chip_operand(const std::string& prefix, const std::string& what, const std::string& unit, Ref ref) {
    add_signed(prefix + ".imm", kChipAddressBits, unit, what + ", before loop and ring terms.",
               [ref](auto& w) -> auto& { return ref(w).imm; });
    add_loop_terms(prefix, 3, kChipAddressBits, unit, ref);
    add_ring_term(prefix, unit, ref);
  }

  template <typename Ref>
  void add_table_index(const std::string& prefix, Ref ref) {
    add_unsigned(prefix + ".index.imm", 24, "words", "SMEM word index before index terms (SEQ-2).",
                 [ref](auto& w) -> auto& { return ref(w).imm; });
    add_unsigned(prefix + ".index.level1", 4, "level", "Loop level added to the SMEM index; 15 = none.",
                 [ref](auto& w) -> auto& { return ref(w).level1; });
    add_unsigned(prefix + ".index.level2", 4, "level", "Loop level added to the SMEM index times scale2; 15 = none.",
                 [ref](auto& w) -> auto& { return ref(w).level2; });
    add_signed(prefix + ".index.scale2", 24, "words", "Multiplier of level2's index; 0 when level2 is none.",
               [ref](auto& w) -> auto& { return ref(w).scale2; });
  }

  template <typename Ref>
  void add_count(const std::string& prefix, const std::string& what, Ref ref) {
    add_flag(prefix + ".from_table", "1: the count is the SMEM word at the index, and imm is 0 (SEQ-2).",
             [ref](auto& w) -> auto& { return ref(w).from_table; });
    add_unsigned(prefix + ".imm", kCountBits, "count", what + ".", [ref](auto& w) -> auto& { return ref(w).imm; });
    add_table_index(prefix, [ref](auto& w) -> auto& { return ref(w).index; });
  }

  template <typename Ref>
  void add_shape(const std::string& prefix, int stride_bits, Ref ref) {
    add_unsigned(prefix + ".run", 32, "bytes", "Contiguous bytes of one run (DMA-1).",
                 [ref](auto& w) -> auto& { return ref(w).run_bytes; });
    add_unsigned(prefix + ".n1", kCountBits, "count", "Runs per repetition.",
        [ref](auto& w) -> auto& { return ref(w).n1; });
    add_signed(prefix + ".stride1", stride_bits, "bytes", "From one run to the next.",
               [ref](auto& w) -> auto& { return ref(w).stride1_bytes; });
    add_signed(prefix + ".stride2", stride_bits, "bytes", "From one repetition to the next.",
               [ref](auto& w) -> auto& { return ref(w).stride2_bytes; });
  }

  void end_header() { in_header_ = false; }
  std::vector<Field> take() { return std::move(fields_); }

 private:
  std::vector<Field> fields_;
  int next_lsb_ = 0;
  bool in_header_ = true;
};

void add_header(Packer& p) {
  p.add("op", 4, Sign::kUnsigned, "opcode", "Which instruction this is.",
        [](auto& w) -> auto& { return w.op; }).max = kOpCount;
  p.add("unit", 4, Sign::kUnsigned, "unit", "Engine instance within its kind (MXU-8, DMA-5).",
        [](auto& w) -> auto& { return w.unit; }).max = 3;
  p.add_unsigned("tag", kTagBits, "id", "Compiler op id, echoed in events, faults and counters.",
                 [](auto& w) -> auto& { return w.tag; });
  p.add_unsigned("step", kRings, "mask", "Rings advanced after this word's addresses are formed (SEQ-1).",
                 [](auto& w) -> auto& { return w.step; });
  for (size_t k = 0; k < 2; ++k) {
    p.add_unsigned(fmt::format("wait{}.sem", k), 6, "semaphore", "Semaphore to wait on; 0 when the count is 0.",
                   [k](auto& w) -> auto& { return w.waits[k].sem; });
    p.add_unsigned(fmt::format("wait{}.count", k), 8, "tokens", "Tokens needed and consumed at issue (SEM-1); 0 = no wait.",
                   [k](auto& w) -> auto& { return w.waits[k].count; });
  }
  for (size_t k = 0; k < 2; ++k) {
    p.add_unsigned(fmt::format("post{}.sem", k), 6, "semaphore", "Semaphore to post to; 0 when the count is 0.",
                   [k](auto& w) -> auto& { return w.posts[k].sem; });
    p.add_unsigned(fmt::format("post{}.count", k), 8, "tokens", "Tokens added at the end of the event cycle; 0 = no post.",
                   [k](auto& w) -> auto& { return w.posts[k].count; });
    p.add_unsigned(fmt::format("post{}.when", k), 1, "moment", "0 source_free, 1 done (SEM-3); 0 when the count is 0.",
                   [k](auto& w) -> auto& { return w.posts[k].when; });
  }
  p.end_header();
}

void add_dma(Packer& p) {
  const auto body = [](auto& w) -> auto& { return std::get<DmaBody>(w.body); };
  const auto hbm = [body](auto& w) -> auto& { return body(w).hbm; };
  p.add_unsigned("hbm.base", 4, "register", "Base register of the HBM address.",
                 [hbm](auto& w) -> auto& { return hbm(w).base; });
  p.add_signed("hbm.imm", kHbmAddressBits, "bytes", "HBM byte address added to the base register.",
               [hbm](auto& w) -> auto& { return hbm(w).imm; });
  p.add_loop_terms("hbm", 4, kHbmAddressBits, "bytes", hbm);
  p.add_table_index("hbm.table", [hbm](auto& w) -> auto& { return hbm(w).table.index; });
  p.add_signed("hbm.table.scale", 32, "granules", "Multiplier of the SMEM word added to the address; 0 = no table term.",
               [hbm](auto& w) -> auto& { return hbm(w).table.scale_granules; });
  p.add_shape("hbm", kHbmAddressBits, [body](auto& w) -> auto& { return body(w).hbm_shape; });
  p.add_chip_operand("vmem", "VMEM byte address of the first run", "bytes",
                     [body](auto& w) -> auto& { return body(w).vmem; });
  p.add_shape("vmem", kChipAddressBits, [body](auto& w) -> auto& { return body(w).vmem_shape; });
  p.add_count("reps", "Outer repetitions of both sides; 0 moves nothing and posts",
              [body](auto& w) -> auto& { return body(w).reps; });
  p.add_flag("continues", "The queue's next transfer goes on in the same DRAM row, leave it open (MEM-4).",
             [body](auto& w) -> auto& { return body(w).continues; });
  p.add_flag("fill", "LD writes fill_value into VMEM and reads no HBM.",
             [body](auto& w) -> auto& { return body(w).fill; });
  p.add_unsigned("fill_value", 32, "bits", "32-bit pattern of fill mode; 0 otherwise.",
                 [body](auto& w) -> auto& { return body(w).fill_value; });
}

void add_wld(Packer& p) {
  const auto body = [](auto& w) -> auto& { return std::get<WldBody>(w.body); };
  p.add_chip_operand("vmem", "VMEM byte address of weight row 0", "bytes",
                     [body](auto& w) -> auto& { return body(w).vmem; });
  p.add_signed("row_stride", kChipAddressBits, "bytes", "From one weight row to the next.",
               [body](auto& w) -> auto& { return body(w).row_stride_bytes; });
  p.add_unsigned("k_valid", 16, "rows", "Array rows >= k_valid are loaded with zero (MXU-4).",
                 [body](auto& w) -> auto& { return body(w).k_valid; });
  p.add_unsigned("n_valid", 16, "columns", "Array columns >= n_valid are loaded with zero (MXU-4).",
                 [body](auto& w) -> auto& { return body(w).n_valid; });
}

void add_mm(Packer& p) {
  const auto body = [](auto& w) -> auto& { return std::get<MmBody>(w.body); };
  p.add_chip_operand("vmem", "VMEM byte address of activation row 0", "bytes",
                     [body](auto& w) -> auto& { return body(w).vmem; });
  p.add_signed("row_stride", kChipAddressBits, "bytes", "From one activation row to the next.",
               [body](auto& w) -> auto& { return body(w).row_stride_bytes; });
  p.add_chip_operand("acc", "Accumulator row of activation row 0", "rows",
                     [body](auto& w) -> auto& { return body(w).acc; });
  p.add_count("rows", "Activation rows M", [body](auto& w) -> auto& { return body(w).rows; });
  p.add_unsigned("k_valid", 16, "elements", "Activation elements >= k_valid enter as zero (MXU-4).",
                 [body](auto& w) -> auto& { return body(w).k_valid; });
  p.add_unsigned("n_valid", 16, "columns", "Partial sums of columns >= n_valid are zero (MXU-4).",
                 [body](auto& w) -> auto& { return body(w).n_valid; });
  p.add_flag("first", "Overwrite the accumulator rows instead of adding (MXU-6).",
             [body](auto& w) -> auto& { return body(w).first; });
  p.add_flag("switch", "Carries the switch token: use the weights of the latest WLD (MXU-2).",
             [body](auto& w) -> auto& { return body(w).switch_plane; });
}

void add_slot(Packer& p, size_t k) {
  const auto slot = [k](auto& w) -> auto& { return std::get<VxBody>(w.body).slots[k]; };
  const std::string prefix = fmt::format("slot{}", k);
  p.add(prefix + ".space", 3, Sign::kUnsigned, "space", "0 unused, 1 VMEM, 2 + u accumulators of MXU u.",
        [slot](auto& w) -> auto& { return slot(w).space; }).max = 5;
  p.add_unsigned(prefix + ".type", 2, "type", "0 int32, 1 fp32, 2 int8, 3 bf16.",
                 [slot](auto& w) -> auto& { return slot(w).type; });
  p.add_signed(prefix + ".imm", kChipAddressBits, "bytes or rows", "Address of row 0, chunk 0, before loop and ring terms.",
               [slot](auto& w) -> auto& { return slot(w).imm; });
  p.add_loop_terms(prefix, 2, kChipAddressBits, "bytes or rows", slot);
  p.add_ring_term(prefix, "bytes or rows", slot);
  p.add_signed(prefix + ".row_stride", kChipAddressBits, "bytes or rows", "From one row to the next.",
               [slot](auto& w) -> auto& { return slot(w).row_stride; });
  p.add_signed(prefix + ".chunk_stride", kChipAddressBits, "bytes or rows",
               "VMEM: from one chunk of vpu.lanes columns to the next; accumulators: from one full row of chunks (VX-4).",
               [slot](auto& w) -> auto& { return slot(w).chunk_stride; });
}

void add_vx(Packer& p) {
  const auto body = [](auto& w) -> auto& { return std::get<VxBody>(w.body); };
  p.add_unsigned("kernel", 16, "id", "Micro-kernel; 0 is the copy from accumulators to VMEM (VX-1).",
                 [body](auto& w) -> auto& { return body(w).kernel; });
  p.add_count("rows", "Rows of the tile", [body](auto& w) -> auto& { return body(w).rows; });
  p.add_unsigned("chunks", 16, "count", "Chunks of vpu.lanes columns.",
                 [body](auto& w) -> auto& { return body(w).chunks; });
  p.add_unsigned("cols_valid", kCountBits, "columns", "Columns >= cols_valid are not written (VPU-4).",
                 [body](auto& w) -> auto& { return body(w).cols_valid; });
  p.add_unsigned("rows_inner", kCountBits, "rows", "Inner extent of two-level row addressing; 0 = one level (VPU-4).",
                 [body](auto& w) -> auto& { return body(w).rows_inner; });
  for (size_t k = 0; k < 6; ++k) add_slot(p, k);
  for (size_t k = 0; k < 2; ++k) {  // behind the slots, so that all six slots have the same layout
    p.add_signed(fmt::format("slot{}.row_stride2", k), kChipAddressBits, "bytes or rows", "Outer row stride of two-level rows (VPU-4).",
                 [k](auto& w) -> auto& { return std::get<VxBody>(w.body).slots[k].row_stride2; });
  }
  p.add_unsigned("imm0", 32, "fp32 bits", "First immediate of the kernel.",
                 [body](auto& w) -> auto& { return body(w).imm0_bits; });
  p.add_unsigned("imm1", 32, "fp32 bits", "Second immediate of the kernel.",
                 [body](auto& w) -> auto& { return body(w).imm1_bits; });
}

void add_loop(Packer& p) {
  const auto body = [](auto& w) -> auto& { return std::get<LoopBody>(w.body); };
  p.add_unsigned("level", 3, "level", "Loop level opened.", [body](auto& w) -> auto& { return body(w).level; });
  p.add_count("trip", "Trips; 0 skips the body (SEQ-3)", [body](auto& w) -> auto& { return body(w).trip; });
  p.add_unsigned("end_pc", kPcBits, "words", "Index of the matching ENDLOOP.",
                 [body](auto& w) -> auto& { return body(w).end_pc; });
}

void add_endloop(Packer& p) {
  p.add_unsigned("level", 3, "level", "Loop level closed.",
                 [](auto& w) -> auto& { return std::get<EndloopBody>(w.body).level; });
}

void add_sync(Packer& p) {
  p.add_unsigned("engines", 16, "mask", "Bit e waits for engine e (SEQ-5).",
                 [](auto& w) -> auto& { return std::get<SyncBody>(w.body).engines; });
}

std::vector<Field> fields_for(Op op) {
  Packer p;
  add_header(p);
  switch (op) {
    case Op::kLd:
    case Op::kSt: add_dma(p); break;
    case Op::kWld:
    case Op::kWldT: add_wld(p); break;
    case Op::kMm: add_mm(p); break;
    case Op::kVx: add_vx(p); break;
    case Op::kLoop: add_loop(p); break;
    case Op::kEndloop: add_endloop(p); break;
    case Op::kSync: add_sync(p); break;
    case Op::kHalt: break;
  }
  return p.take();
}

using Table = std::array<std::vector<Field>, kOpCount + 1>;  // indexed by opcode

const Table& table() {
  static const Table kTable = [] {
    Table out;
    for (const Op op : all_ops()) out[static_cast<size_t>(op)] = fields_for(op);
    return out;
  }();
  return kTable;
}

}  // namespace

const std::vector<Field>& op_fields(Op op) {
  CHECK(is_op(static_cast<uint64_t>(op))) << "opcode " << static_cast<int>(op);
  return table()[static_cast<size_t>(op)];
}

const Field* find_field(Op op, std::string_view name) {
  using Index = std::unordered_map<std::string_view, const Field*>;
  static const std::array<Index, kOpCount + 1> kIndex = [] {
    std::array<Index, kOpCount + 1> out;
    for (const Op each : all_ops()) {
      for (const Field& field : op_fields(each)) out[static_cast<size_t>(each)].emplace(field.name, &field);
    }
    return out;
  }();
  CHECK(is_op(static_cast<uint64_t>(op))) << "opcode " << static_cast<int>(op);
  const Index& index = kIndex[static_cast<size_t>(op)];
  const auto it = index.find(name);
  return it == index.end() ? nullptr : it->second;
}

const Field& field_of(Op op, std::string_view name) {
  const Field* field = find_field(op, name);
  CHECK(field != nullptr) << op_name(op) << " has no field " << name;
  return *field;
}

int header_bits() {
  static const int kBits = [] {
    const Field& last = op_fields(Op::kHalt).back();  // HALT is a bare header
    return last.lsb + last.width;
  }();
  return kBits;
}

int word_bits() {
  static const int kBits = [] {
    int widest = 0;
    for (const Op op : all_ops()) {
      const Field& last = op_fields(op).back();
      widest = std::max(widest, last.lsb + last.width);
    }
    return (widest + kWordGrain - 1) / kWordGrain * kWordGrain;
  }();
  return kBits;
}

std::string field_constant(Op op, const Field& field) {
  std::string out = field.is_header ? "HDR" : op == Op::kWldT ? "WLDT" : op_name(op);
  out += '_';
  for (const char c : field.name) {
    out += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace lockstep::isa
