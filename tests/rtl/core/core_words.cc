#include "tests/rtl/core/core_words.h"

#include <utility>

namespace lockstep::rtl_test {

using isa::Instr;
using isa::Op;

namespace {

Instr word_of(Op op, decltype(Instr::body) body) {
  Instr word;
  word.op = op;
  word.body = std::move(body);
  return word;
}

}  // namespace

Instr dma_word(Op op, int64_t hbm, int64_t vmem, uint32_t run_bytes, uint32_t runs, int64_t hbm_stride) {
  isa::DmaBody body;
  body.hbm.imm = hbm;
  body.hbm_shape = {run_bytes, runs, hbm_stride, 0};
  body.vmem.imm = vmem;
  body.vmem_shape = {run_bytes, runs, run_bytes, 0};
  body.reps.imm = 1;
  return word_of(op, body);
}

Instr wld(int64_t vmem, uint32_t k_valid, uint32_t n_valid) {
  isa::WldBody body;
  body.vmem.imm = vmem;
  body.row_stride_bytes = 8;
  body.k_valid = k_valid;
  body.n_valid = n_valid;
  return word_of(Op::kWld, body);
}

Instr mm(int64_t vmem, int64_t acc, uint32_t rows, bool first, bool plane_switch, uint32_t k_valid, uint32_t n_valid) {
  isa::MmBody body;
  body.vmem.imm = vmem;
  body.row_stride_bytes = 8;
  body.acc.imm = acc;
  body.rows.imm = rows;
  body.k_valid = k_valid;
  body.n_valid = n_valid;
  body.first = first;
  body.switch_plane = plane_switch;
  return word_of(Op::kMm, body);
}

Instr vx(int64_t acc, int64_t vmem, uint32_t rows, uint32_t chunks, uint32_t cols_valid) {
  isa::VxBody body;
  body.rows.imm = rows;
  body.chunks = chunks;
  body.cols_valid = cols_valid;
  body.slots[0].space = isa::VxSpace::kAcc0;
  body.slots[0].imm = acc;
  body.slots[0].row_stride = 1;
  body.slots[0].chunk_stride = rows;
  body.slots[1].space = isa::VxSpace::kVmem;
  body.slots[1].imm = vmem;
  body.slots[1].row_stride = 32 * chunks;
  body.slots[1].chunk_stride = 32;
  return word_of(Op::kVx, body);
}

Instr loop(int level, uint32_t trip, uint32_t end_pc) {
  isa::LoopBody body;
  body.level = static_cast<uint8_t>(level);
  body.trip.imm = trip;
  body.end_pc = end_pc;
  return word_of(Op::kLoop, body);
}

Instr endloop(int level) { return word_of(Op::kEndloop, isa::EndloopBody{static_cast<uint8_t>(level)}); }

Instr sync(unsigned engines) { return word_of(Op::kSync, isa::SyncBody{static_cast<uint16_t>(engines)}); }

Instr halt() { return word_of(Op::kHalt, isa::HaltBody{}); }

Instr wait(Instr word, int sem, int count) {
  isa::Wait& slot = word.waits[0].count == 0 ? word.waits[0] : word.waits[1];
  slot = {static_cast<uint8_t>(sem), static_cast<uint8_t>(count)};
  return word;
}

Instr post(Instr word, int sem, isa::PostWhen when, int count) {
  isa::Post& slot = word.posts[0].count == 0 ? word.posts[0] : word.posts[1];
  slot = {static_cast<uint8_t>(sem), static_cast<uint8_t>(count), when};
  return word;
}

Instr tag(Instr word, uint32_t value) {
  word.tag = value;
  return word;
}

}  // namespace lockstep::rtl_test
