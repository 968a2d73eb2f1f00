#include "tests/property/word_builder.h"

#include "hw/base/check.h"

namespace lockstep::testgen {

using isa::Op;

chip::ChipSpec small_chip(int rows, int cols, int weight_load_rows) {
  chip::ChipSpec chip;
  chip.name = "small";
  chip.clock_MHz = 500;
  chip.mxu.rows = rows;
  chip.mxu.cols = cols;
  chip.mxu.weight_load_rows = weight_load_rows;
  chip.mxu.acc_rows = 64;
  chip.vpu.lanes = cols;
  chip.vmem.size_KiB = 64;
  chip.dma.burst_bytes = 256;
  chip.dma.beat_bytes = 32;
  chip.dram.bandwidth_GBps = 8;
  chip.dram.latency_ns = 50;
  chip.dram.access_bytes = 32;
  chip.dram.size_GiB = 1;
  return chip;
}

isa::DmaShape contiguous(int64_t bytes) { return {static_cast<uint32_t>(bytes), 1, 0, 0}; }

WordBuilder::WordBuilder(const chip::ChipSpec& chip, int64_t hbm_bytes) : chip_(chip) {
  program_.name = "built";
  program_.chip_hash = chip::timing_hash(chip);
  program_.hbm_bytes = hbm_bytes;
}

isa::Instr& WordBuilder::append(Op op, int unit) {
  isa::Instr instr = isa::blank_instr(op);
  instr.unit = static_cast<uint8_t>(unit);
  instr.tag = static_cast<uint32_t>(program_.code.size()) + 1;  // tells words apart in faults and event diffs
  program_.code.push_back(instr);
  return program_.code.back();
}

isa::Instr& WordBuilder::transfer(Op op, int unit, int64_t hbm, int64_t vmem, int64_t bytes) {
  isa::Instr& instr = append(op, unit);
  isa::DmaBody& body = dma_body(instr);
  body.hbm.imm = hbm;
  body.hbm_shape = contiguous(bytes);
  body.vmem.imm = vmem;
  body.vmem_shape = contiguous(bytes);
  body.reps.imm = 1;
  return instr;
}

isa::Instr& WordBuilder::ld(int64_t hbm, int64_t vmem, int64_t bytes, int unit) {
  return transfer(Op::kLd, unit, hbm, vmem, bytes);
}

isa::Instr& WordBuilder::st(int64_t hbm, int64_t vmem, int64_t bytes) { return transfer(Op::kSt, 0, hbm, vmem, bytes); }

isa::Instr& WordBuilder::wld(int64_t vmem, int64_t row_stride, int unit) {
  isa::Instr& instr = append(Op::kWld, unit);
  isa::WldBody& body = wld_body(instr);
  body.vmem.imm = vmem;
  body.row_stride_bytes = row_stride;
  body.k_valid = static_cast<uint32_t>(chip_.mxu.rows);
  body.n_valid = static_cast<uint32_t>(chip_.mxu.cols);
  return instr;
}

isa::Instr& WordBuilder::mm(int64_t vmem, int64_t row_stride, int64_t acc, uint32_t rows, bool first, bool switch_plane,
                            int unit) {
  isa::Instr& instr = append(Op::kMm, unit);
  isa::MmBody& body = mm_body(instr);
  body.vmem.imm = vmem;
  body.row_stride_bytes = row_stride;
  body.acc.imm = acc;
  body.rows.imm = rows;
  body.k_valid = static_cast<uint32_t>(chip_.mxu.rows);
  body.n_valid = static_cast<uint32_t>(chip_.mxu.cols);
  body.first = first;
  body.switch_plane = switch_plane;
  return instr;
}

isa::Instr& WordBuilder::vx(int64_t acc, int64_t vmem, int64_t row_stride, uint32_t rows, uint32_t cols_valid, int unit) {
  isa::Instr& instr = append(Op::kVx, 0);
  isa::VxBody& body = vx_body(instr);
  const auto lanes = static_cast<uint32_t>(chip_.vpu.lanes);
  body.rows.imm = rows;
  body.chunks = (cols_valid + lanes - 1) / lanes;
  body.cols_valid = cols_valid;
  body.slots[0].space = static_cast<isa::VxSpace>(static_cast<int>(isa::VxSpace::kAcc0) + unit);
  body.slots[0].imm = acc;
  body.slots[0].row_stride = 1;
  body.slots[1].space = isa::VxSpace::kVmem;
  body.slots[1].imm = vmem;
  body.slots[1].row_stride = row_stride;
  body.slots[1].chunk_stride = int64_t{4} * lanes;
  return instr;
}

size_t WordBuilder::loop(uint32_t trip) {
  isa::Instr& instr = append(Op::kLoop, 0);
  auto& body = std::get<isa::LoopBody>(instr.body);
  body.level = depth_++;
  body.trip.imm = trip;
  return program_.code.size() - 1;
}

void WordBuilder::end_loop(size_t loop_pc) {
  CHECK(depth_ > 0) << "no loop is open";
  isa::Instr& instr = append(Op::kEndloop, 0);
  std::get<isa::EndloopBody>(instr.body).level = --depth_;
  std::get<isa::LoopBody>(program_.code[loop_pc].body).end_pc = static_cast<uint32_t>(program_.code.size() - 1);
}

isa::Instr& WordBuilder::sync(uint16_t engines) {
  isa::Instr& instr = append(Op::kSync, 0);
  std::get<isa::SyncBody>(instr.body).engines = engines;
  return instr;
}

void WordBuilder::halt() { append(Op::kHalt, 0); }

}  // namespace lockstep::testgen
