// One int8 GEMM as the plainest program: load everything, walk N tiles and K tiles, copy out, store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/target/target.h"
#include "tests/property/word_builder.h"

namespace lockstep::golden {

struct GemmCase {
  int m = 1, k = 1, n = 1;
};

/// Where the case puts its operands. A: [k tile][m][a_pitch]; B: [n tile][k][b_pitch]; C: [n tile][m][c_pitch]
/// int32 with only the valid columns of a tile written. Pitches are granule multiples.
struct GemmLayout {
  GemmLayout(const chip::ChipSpec& chip, const GemmCase& gemm);
  int k_tiles, n_tiles;
  int64_t a_pitch, b_pitch, c_pitch;
  int64_t a_bytes, b_bytes, c_bytes;
  int64_t hbm_bytes() const { return a_bytes + b_bytes + c_bytes; }
};

isa::Program gemm_program(const chip::ChipSpec& chip, const GemmCase& gemm);

/// Operands from `seed`, everything else 0xC5.
target::MemoryImage gemm_image(const chip::ChipSpec& chip, const GemmCase& gemm, uint32_t seed);

/// The image a correct run must leave, computed by three plain loops on `before`.
target::MemoryImage gemm_expected(const chip::ChipSpec& chip, const GemmCase& gemm, const target::MemoryImage& before);

}  // namespace lockstep::golden
