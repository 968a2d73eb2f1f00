#include "tests/unit/hw/golden/gemm_case.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace lockstep::golden {
namespace {

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

constexpr uint8_t kCanary = 0xC5;

}  // namespace

GemmLayout::GemmLayout(const chip::ChipSpec& chip, const GemmCase& gemm)
    : k_tiles((gemm.k + chip.mxu.rows - 1) / chip.mxu.rows), n_tiles((gemm.n + chip.mxu.cols - 1) / chip.mxu.cols) {
  a_pitch = round_up(chip.mxu.rows, chip.dma.granule_bytes);
  b_pitch = round_up(chip.mxu.cols, chip.dma.granule_bytes);
  c_pitch = round_up(int64_t{4} * chip.mxu.cols, chip.dma.granule_bytes);
  const int64_t line = chip::line_bytes(chip);  // the pitches divide it or are multiples: no row straddles
  a_bytes = round_up(k_tiles * gemm.m * a_pitch, line);
  b_bytes = round_up(n_tiles * gemm.k * b_pitch, line);
  c_bytes = n_tiles * gemm.m * c_pitch;
}

isa::Program gemm_program(const chip::ChipSpec& chip, const GemmCase& gemm) {
  const GemmLayout at(chip, gemm);
  testgen::WordBuilder b(chip, at.hbm_bytes());
  const int64_t b_at = at.a_bytes;
  const int64_t c_at = at.a_bytes + at.b_bytes;
  // VMEM holds the same layout. The canary area of C is loaded first, so that the final store leaves it alone.
  b.ld(0, 0, at.hbm_bytes());
  for (int n = 0; n < at.n_tiles; ++n) {
    const int n_valid = std::min(chip.mxu.cols, gemm.n - n * chip.mxu.cols);
    for (int k = 0; k < at.k_tiles; ++k) {
      const int k_valid = std::min(chip.mxu.rows, gemm.k - k * chip.mxu.rows);
      auto& wld = testgen::WordBuilder::wld_body(b.wld(b_at + (int64_t{n} * gemm.k + k * chip.mxu.rows) * at.b_pitch, at.b_pitch));
      wld.k_valid = static_cast<uint32_t>(k_valid);
      wld.n_valid = static_cast<uint32_t>(n_valid);
      auto& mm = testgen::WordBuilder::mm_body(
          b.mm(int64_t{k} * gemm.m * at.a_pitch, at.a_pitch, 0, static_cast<uint32_t>(gemm.m), k == 0, true));
      mm.k_valid = static_cast<uint32_t>(k_valid);
      mm.n_valid = static_cast<uint32_t>(n_valid);
    }
    b.vx(0, c_at + n * gemm.m * at.c_pitch, at.c_pitch, static_cast<uint32_t>(gemm.m), static_cast<uint32_t>(n_valid));
  }
  b.st(c_at, c_at, at.c_bytes);
  b.halt();
  return std::move(b.program());
}

target::MemoryImage gemm_image(const chip::ChipSpec& chip, const GemmCase& gemm, uint32_t seed) {
  const GemmLayout at(chip, gemm);
  target::MemoryImage image(static_cast<size_t>(at.hbm_bytes()), kCanary);
  std::mt19937 random(seed);
  const auto byte = [&] { return static_cast<uint8_t>(random()); };
  for (int k = 0; k < gemm.k; ++k) {
    for (int m = 0; m < gemm.m; ++m) {
      image[static_cast<size_t>((k / chip.mxu.rows * gemm.m + m) * at.a_pitch + k % chip.mxu.rows)] = byte();
    }
    for (int n = 0; n < gemm.n; ++n) {
      image[static_cast<size_t>(at.a_bytes + (n / chip.mxu.cols * gemm.k + k) * at.b_pitch + n % chip.mxu.cols)] = byte();
    }
  }
  return image;
}

target::MemoryImage gemm_expected(const chip::ChipSpec& chip, const GemmCase& gemm, const target::MemoryImage& before) {
  const GemmLayout at(chip, gemm);
  target::MemoryImage after = before;
  for (int m = 0; m < gemm.m; ++m) {
    for (int n = 0; n < gemm.n; ++n) {
      int32_t sum = 0;
      for (int k = 0; k < gemm.k; ++k) {
        const auto a = before[static_cast<size_t>((k / chip.mxu.rows * gemm.m + m) * at.a_pitch + k % chip.mxu.rows)];
        const auto w = before[static_cast<size_t>(at.a_bytes + (n / chip.mxu.cols * gemm.k + k) * at.b_pitch + n % chip.mxu.cols)];
        sum += static_cast<int8_t>(a) * static_cast<int8_t>(w);
      }
      const int64_t c = at.a_bytes + at.b_bytes + (n / chip.mxu.cols * gemm.m + m) * at.c_pitch + n % chip.mxu.cols * 4;
      std::memcpy(after.data() + c, &sum, 4);
    }
  }
  return after;
}

}  // namespace lockstep::golden
