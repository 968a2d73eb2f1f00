// Builds programs word by word for tests. Functions that append a word return it, to set rarer fields.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

/// A square-ish chip that passes the chip checks: lanes = cols, 1 row per cycle, ideal memory.
chip::ChipSpec small_chip(int rows, int cols, int weight_load_rows);

isa::DmaShape contiguous(int64_t bytes);

class WordBuilder {
 public:
  /// `hbm_bytes` of image; the chip gives the hash.
  WordBuilder(const chip::ChipSpec& chip, int64_t hbm_bytes);

  isa::Instr& ld(int64_t hbm, int64_t vmem, int64_t bytes, int unit = 0);
  isa::Instr& st(int64_t hbm, int64_t vmem, int64_t bytes);
  /// Full masks; narrow them through wld_body / mm_body.
  isa::Instr& wld(int64_t vmem, int64_t row_stride, int unit = 0);
  isa::Instr& mm(int64_t vmem, int64_t row_stride, int64_t acc, uint32_t rows, bool first, bool switch_plane, int unit = 0);
  /// Copies rows x cols_valid columns of MXU `unit`; consecutive accumulator rows, chunks side by side in VMEM.
  isa::Instr& vx(int64_t acc, int64_t vmem, int64_t row_stride, uint32_t rows, uint32_t cols_valid, int unit = 0);
  /// Returns the position of the LOOP, for end_loop. The level is the nesting depth.
  size_t loop(uint32_t trip);
  void end_loop(size_t loop_pc);
  isa::Instr& sync(uint16_t engines);
  void halt();

  isa::Program& program() { return program_; }
  static isa::DmaBody& dma_body(isa::Instr& instr) { return std::get<isa::DmaBody>(instr.body); }
  static isa::WldBody& wld_body(isa::Instr& instr) { return std::get<isa::WldBody>(instr.body); }
  static isa::MmBody& mm_body(isa::Instr& instr) { return std::get<isa::MmBody>(instr.body); }
  static isa::VxBody& vx_body(isa::Instr& instr) { return std::get<isa::VxBody>(instr.body); }

 private:
  isa::Instr& append(isa::Op op, int unit);
  isa::Instr& transfer(isa::Op op, int unit, int64_t hbm, int64_t vmem, int64_t bytes);

  chip::ChipSpec chip_;
  isa::Program program_;
  uint8_t depth_ = 0;
};

}  // namespace lockstep::testgen
