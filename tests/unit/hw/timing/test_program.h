// Short notation for programs and chips in the tests of the timing model.
#pragma once

#include <utility>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::timing::test {

/// A word under construction: wait(sem), post(sem, when) and tag(n) can be chained.
struct WordBuilder {
  isa::Instr instr;

  WordBuilder wait(uint8_t sem, uint8_t count = 1) && {
    instr.waits[instr.waits[0].count == 0 ? 0 : 1] = {sem, count};
    return std::move(*this);
  }
  WordBuilder post(uint8_t sem, isa::PostWhen when = isa::PostWhen::kDone, uint8_t count = 1) && {
    instr.posts[instr.posts[0].count == 0 ? 0 : 1] = {sem, count, when};
    return std::move(*this);
  }
  WordBuilder tag(uint32_t value) && {
    instr.tag = value;
    return std::move(*this);
  }
  operator isa::Instr() && { return std::move(instr); }  // NOLINT: implicit by design
};

inline constexpr isa::PostWhen kAtSourceFree = isa::PostWhen::kSourceFree;
inline constexpr isa::PostWhen kAtDone = isa::PostWhen::kDone;

inline WordBuilder word(isa::Op op) { return {isa::blank_instr(op)}; }

/// n1 runs of `run` bytes, `stride` apart, `reps` times without an outer stride.
inline WordBuilder dma(isa::Op op, int64_t address, uint32_t run, uint32_t n1 = 1, int64_t stride = 0,
                       uint32_t reps = 1) {
  WordBuilder out = word(op);
  auto& body = std::get<isa::DmaBody>(out.instr.body);
  body.hbm.imm = address;
  body.hbm_shape = {.run_bytes = run, .n1 = n1, .stride1_bytes = stride, .stride2_bytes = 0};
  body.vmem_shape = body.hbm_shape;
  body.reps.imm = reps;
  return out;
}
inline WordBuilder ld(int64_t address, uint32_t run, uint32_t n1 = 1, int64_t stride = 0) {
  return dma(isa::Op::kLd, address, run, n1, stride);
}
inline WordBuilder ld1(int64_t address, uint32_t run, uint32_t n1 = 1, int64_t stride = 0) {
  WordBuilder out = dma(isa::Op::kLd, address, run, n1, stride);
  out.instr.unit = 1;
  return out;
}
inline WordBuilder st(int64_t address, uint32_t run, uint32_t n1 = 1, int64_t stride = 0) {
  return dma(isa::Op::kSt, address, run, n1, stride);
}
inline WordBuilder wld() { return word(isa::Op::kWld); }
inline WordBuilder mm(uint32_t rows, bool switch_plane = false) {
  WordBuilder out = word(isa::Op::kMm);
  auto& body = std::get<isa::MmBody>(out.instr.body);
  body.rows.imm = rows;
  body.switch_plane = switch_plane;
  return out;
}
inline WordBuilder vx(uint32_t rows, uint32_t chunks = 1) {
  WordBuilder out = word(isa::Op::kVx);
  auto& body = std::get<isa::VxBody>(out.instr.body);
  body.rows.imm = rows;
  body.chunks = chunks;
  return out;
}
inline WordBuilder loop(uint8_t level, uint32_t trip, uint32_t end_pc) {
  WordBuilder out = word(isa::Op::kLoop);
  auto& body = std::get<isa::LoopBody>(out.instr.body);
  body.level = level;
  body.trip.imm = trip;
  body.end_pc = end_pc;
  return out;
}
inline WordBuilder endloop(uint8_t level) {
  WordBuilder out = word(isa::Op::kEndloop);
  out.instr.body = isa::EndloopBody{.level = level};
  return out;
}
inline WordBuilder sync(uint16_t engines) {
  WordBuilder out = word(isa::Op::kSync);
  out.instr.body = isa::SyncBody{.engines = engines};
  return out;
}
inline WordBuilder halt() { return word(isa::Op::kHalt); }

inline isa::Program program(const chip::ChipSpec& chip, std::vector<isa::Instr> code) {
  isa::Program out;
  out.name = "test";
  out.chip_hash = chip::timing_hash(chip);
  out.code = std::move(code);
  out.hbm_bytes = int64_t{1} << 24;
  return out;
}

/// 8 x 8, b = 2, Lv = 2, La = 2, queues of 4, one row per cycle of the vector unit (I = 8, start 4, load 3, store 1).
/// DMA: bursts of 256 bytes, beats of 64 bytes, setup 4, 8 outstanding. Memory: 1,000 MHz and 64 GB/s, so one
/// column of 64 bytes a cycle and one tick a cycle; CL 10, BL 1; 8 command slots.
inline chip::ChipSpec small_chip() {
  chip::ChipSpec chip;
  chip.name = "small";
  chip.clock_MHz = 1000;
  chip.mxu.rows = 8;
  chip.mxu.cols = 8;
  chip.mxu.weight_load_rows = 2;
  chip.mxu.acc_rows = 256;
  chip.vpu.lanes = 8;
  chip.vmem.size_KiB = 64;
  chip.dma.burst_bytes = 256;
  chip.dma.beat_bytes = 64;
  chip.dma.max_outstanding = 8;
  chip.dram.bandwidth_GBps = 64;
  chip.dram.latency_ns = 10;
  chip.dram.size_GiB = 1;
  return chip;
}

}  // namespace lockstep::timing::test
