// Short names for instruction words in tests of the core.
#pragma once

#include <cstdint>

#include "hw/isa/instr.h"

namespace lockstep::rtl_test {

inline constexpr isa::PostWhen kSourceFree = isa::PostWhen::kSourceFree;
inline constexpr isa::PostWhen kDone = isa::PostWhen::kDone;

/// LD or ST of `runs` runs of `run_bytes`, hbm_stride apart in HBM, dense in VMEM.
isa::Instr dma_word(isa::Op op, int64_t hbm, int64_t vmem, uint32_t run_bytes, uint32_t runs = 1, int64_t hbm_stride = 0);
inline isa::Instr ld(int64_t hbm, int64_t vmem, uint32_t run_bytes, uint32_t runs = 1, int64_t hbm_stride = 0) {
  return dma_word(isa::Op::kLd, hbm, vmem, run_bytes, runs, hbm_stride);
}
inline isa::Instr st(int64_t hbm, int64_t vmem, uint32_t run_bytes, uint32_t runs = 1, int64_t hbm_stride = 0) {
  return dma_word(isa::Op::kSt, hbm, vmem, run_bytes, runs, hbm_stride);
}

/// Dense 8 x 8 weights at `vmem`.
isa::Instr wld(int64_t vmem, uint32_t k_valid = 8, uint32_t n_valid = 8);

/// Dense rows of 8 activations at `vmem`.
isa::Instr mm(int64_t vmem, int64_t acc, uint32_t rows, bool first = true, bool plane_switch = true, uint32_t k_valid = 8,
              uint32_t n_valid = 8);

/// Accumulator rows to 32-byte VMEM rows.
isa::Instr vx(int64_t acc, int64_t vmem, uint32_t rows, uint32_t chunks = 1, uint32_t cols_valid = 8);

isa::Instr loop(int level, uint32_t trip, uint32_t end_pc);
isa::Instr endloop(int level);
isa::Instr sync(unsigned engines);
isa::Instr halt();

/// The word with a wait, a post, a tag or a ring step added.
isa::Instr wait(isa::Instr word, int sem, int count = 1);
isa::Instr post(isa::Instr word, int sem, isa::PostWhen when, int count = 1);
isa::Instr tag(isa::Instr word, uint32_t tag);

}  // namespace lockstep::rtl_test
