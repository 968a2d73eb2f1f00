// Operands of instruction words: address terms, counts and transfer shapes, and the sizes of the machine state
// they name.
#pragma once

#include <array>
#include <cstdint>

namespace lockstep::isa {

inline constexpr int kLoopLevels = 8;
inline constexpr int kRings = 16;
inline constexpr int kSemaphores = 64;
inline constexpr int kBaseRegisters = 16;
inline constexpr int kRingMaxModulus = 8;
inline constexpr int kSemaphoreMax = 255;

/// stride * index(level); stride 0 = unused (then level must be 0).
struct LoopTerm {
  uint8_t level = 0;
  int64_t stride = 0;
  friend bool operator==(const LoopTerm&, const LoopTerm&) = default;
};

/// stride * ring[ring]; stride 0 = unused (then ring must be 0). SEQ-1.
struct RingTerm {
  uint8_t ring = 0;
  int64_t stride = 0;
  friend bool operator==(const RingTerm&, const RingTerm&) = default;
};

/// Index into SMEM: imm + index(level1) + scale2 * index(level2). Levels use 0xF for "none". SEQ-2.
struct TableIndex {
  static constexpr uint8_t kNone = 0xF;
  uint32_t imm = 0;
  uint8_t level1 = kNone;
  uint8_t level2 = kNone;
  int32_t scale2 = 0;
  friend bool operator==(const TableIndex&, const TableIndex&) = default;
};

/// A trip count, MM rows, VX rows or DMA outer repetition: `imm`, or smem[index] when from_table. SEQ-2.
struct Count {
  bool from_table = false;
  uint32_t imm = 0;  // < 2^24
  TableIndex index;
  friend bool operator==(const Count&, const Count&) = default;
};

/// smem[index] * scale added to an HBM address; scale is in granules, 0 = unused.
struct TableTerm {
  TableIndex index;
  int32_t scale_granules = 0;
  friend bool operator==(const TableTerm&, const TableTerm&) = default;
};

/// HBM byte address = base_register[base] + imm + loop terms + table term (40-bit two's complement).
struct HbmOperand {
  uint8_t base = 0;
  int64_t imm = 0;
  std::array<LoopTerm, 4> loops;
  TableTerm table;
  friend bool operator==(const HbmOperand&, const HbmOperand&) = default;
};

/// VMEM byte address or accumulator row = imm + loop terms + ring term (28 bits).
struct ChipOperand {
  int64_t imm = 0;
  std::array<LoopTerm, 3> loops;
  RingTerm ring;
  friend bool operator==(const ChipOperand&, const ChipOperand&) = default;
};

/// One side of a transfer (DMA-1): for o < reps, for j < n1: `run` bytes at address + o*stride2 + j*stride1.
struct DmaShape {
  uint32_t run_bytes = 0;
  uint32_t n1 = 0;
  int64_t stride1_bytes = 0;
  int64_t stride2_bytes = 0;
  friend bool operator==(const DmaShape&, const DmaShape&) = default;
};

}  // namespace lockstep::isa
