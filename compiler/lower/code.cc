#include "compiler/lower/code.h"

#include <algorithm>

#include "hw/base/check.h"

namespace lockstep::lower {

namespace {

/// Where an index stands while its loop's body is assembled: a constant, or base + the index of a hardware loop.
struct Binding {
  int64_t base = 0;
  int level = -1;  // -1: constant
};

class Assembler {
 public:
  explicit Assembler(uint32_t tag) : tag_(tag) {}

  void emit(const Code& code) {
    for (const Node& node : code) {
      if (const auto* word = std::get_if<Word>(&node)) {
        words_.push_back(encode(*word));
      } else {
        emit_loop(std::get<LoopNode>(node));
      }
    }
  }

  std::vector<isa::Instr> take() { return std::move(words_); }

 private:
  void emit_loop(const LoopNode& loop) {
    Binding& binding = bindings_[static_cast<size_t>(loop.dim)];
    const Binding outer = binding;
    const int64_t trip = loop.end - loop.begin;
    const size_t start = words_.size();
    binding = {loop.begin, -1};
    emit(loop.body);
    const auto body_words = static_cast<int64_t>(words_.size() - start);
    if (trip > 1 && (trip - 1) * body_words <= 2) {
      for (int64_t i = 1; i < trip; ++i) {
        binding.base = loop.begin + i;
        emit(loop.body);
      }
    } else if (trip > 1) {
      words_.resize(start);
      emit_rolled(loop);
    }
    bindings_[static_cast<size_t>(loop.dim)] = outer;
  }

  void emit_rolled(const LoopNode& loop) {
    CHECK(depth_ < isa::kLoopLevels) << "loops nest deeper than the machine's levels";
    const int level = depth_++;
    bindings_[static_cast<size_t>(loop.dim)] = {loop.begin, level};
    const size_t start = words_.size();
    isa::LoopBody head;
    head.level = static_cast<uint8_t>(level);
    head.trip.imm = static_cast<uint32_t>(loop.end - loop.begin);
    words_.push_back(bare(isa::Op::kLoop, head));
    emit(loop.body);
    std::get<isa::LoopBody>(words_[start].body).end_pc = static_cast<uint32_t>(words_.size());
    words_.push_back(bare(isa::Op::kEndloop, isa::EndloopBody{static_cast<uint8_t>(level)}));
    --depth_;
  }

  template <typename Body>
  isa::Instr bare(isa::Op op, Body body) const {
    isa::Instr instr;
    instr.op = op;
    instr.tag = tag_;
    instr.body = body;
    return instr;
  }

  template <size_t N>
  void bind(const Affine& affine, int64_t& imm, std::array<isa::LoopTerm, N>& terms) const {
    imm = affine.constant;
    size_t used = 0;
    for (size_t d = 0; d < kDims; ++d) {
      const int64_t coefficient = affine.coefficients[d];
      if (coefficient == 0) continue;
      imm += coefficient * bindings_[d].base;
      if (bindings_[d].level < 0) continue;
      CHECK(used < N) << "more loop terms than the operand has";
      terms[used++] = {static_cast<uint8_t>(bindings_[d].level), coefficient};
    }
  }

  isa::ChipOperand chip_operand(const Address& address) const {
    isa::ChipOperand out;
    bind(address.affine, out.imm, out.loops);
    out.ring = address.ring;
    return out;
  }

  isa::VxSlot vx_slot(const Address& address, isa::VxSpace space) const {
    isa::VxSlot out;
    out.space = space;
    out.type = isa::VxType::kInt32;
    bind(address.affine, out.imm, out.loops);
    out.ring = address.ring;
    return out;
  }

  isa::Instr encode(const Word& word) const {
    isa::Instr instr = bare(word.op, isa::HaltBody{});
    instr.unit = word.unit;
    instr.waits = word.waits;
    instr.posts = word.posts;
    instr.step = word.step;
    switch (word.op) {
      case isa::Op::kLd:
      case isa::Op::kSt: instr.body = dma_body(word); break;
      case isa::Op::kWld: instr.body = isa::WldBody{chip_operand(word.vmem), word.vmem_stride_bytes, word.k_valid, word.n_valid}; break;
      case isa::Op::kMm: instr.body = mm_body(word); break;
      case isa::Op::kVx: instr.body = vx_body(word); break;
      case isa::Op::kHalt: break;
      default: CHECK(false) << "not a word of a GEMM: " << isa::op_name(word.op);
    }
    return instr;
  }

  isa::DmaBody dma_body(const Word& word) const {
    isa::DmaBody body;
    bind(word.hbm.affine, body.hbm.imm, body.hbm.loops);
    body.hbm_shape = {word.run_bytes, word.n1, word.hbm_stride_bytes, 0};
    body.vmem = chip_operand(word.vmem);
    body.vmem_shape = {word.run_bytes, word.n1, word.vmem_stride_bytes, 0};
    body.reps.imm = 1;
    return body;
  }

  isa::MmBody mm_body(const Word& word) const {
    isa::MmBody body;
    body.vmem = chip_operand(word.vmem);
    body.row_stride_bytes = word.vmem_stride_bytes;
    body.acc = chip_operand(word.acc);
    body.rows.imm = word.rows;
    body.k_valid = word.k_valid;
    body.n_valid = word.n_valid;
    body.first = word.first;
    body.switch_plane = word.switch_plane;
    return body;
  }

  isa::VxBody vx_body(const Word& word) const {
    isa::VxBody body;
    body.kernel = isa::kKernelCopy;
    body.rows.imm = word.rows;
    body.chunks = word.chunks;
    body.cols_valid = word.n_valid;
    body.slots[0] = vx_slot(word.acc, isa::VxSpace::kAcc0);
    body.slots[0].row_stride = 1;  // accumulator rows; all chunks lie in one row (VX-4), so chunk_stride is unused
    body.slots[1] = vx_slot(word.vmem, isa::VxSpace::kVmem);
    body.slots[1].row_stride = word.vmem_stride_bytes;
    body.slots[1].chunk_stride = word.chunk_stride_bytes;
    return body;
  }

  uint32_t tag_;
  int depth_ = 0;
  std::array<Binding, kDims> bindings_{};
  std::vector<isa::Instr> words_;
};

}  // namespace

void Word::wait(uint8_t sem, uint8_t count) {
  isa::Wait& slot = waits[0].count == 0 ? waits[0] : waits[1];
  CHECK(slot.count == 0) << "a word has two waits";
  slot = {sem, count};
}

void Word::post(uint8_t sem, isa::PostWhen when, uint8_t count) {
  isa::Post& slot = posts[0].count == 0 ? posts[0] : posts[1];
  CHECK(slot.count == 0) << "a word has two posts";
  slot = {sem, count, when};
}

void append_range(Code& code, Dim dim, int64_t begin, int64_t end, Code body) {
  if (!code.empty()) {
    auto* last = std::get_if<LoopNode>(&code.back());
    if (last != nullptr && last->dim == dim && last->end == begin && last->body == body) {
      last->end = end;
      return;
    }
  }
  code.push_back(LoopNode{dim, begin, end, std::move(body)});
}

std::vector<isa::Instr> assemble(const Code& code, uint32_t tag) {
  Assembler assembler(tag);
  assembler.emit(code);
  return assembler.take();
}

}  // namespace lockstep::lower
