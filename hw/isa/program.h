// Program: the whole contract between the compiler and any target.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/instr.h"

namespace lockstep::isa {

struct RingInit {
  uint8_t modulus = 1;  // 1..8
  uint8_t start = 0;    // < modulus
  friend bool operator==(const RingInit&, const RingInit&) = default;
};

enum class TensorRole : uint8_t { kInput, kWeight, kOutput, kScratch };
enum class ElementType : uint8_t { kInt8, kInt32, kBf16, kFp32 };

/// A matrix in HBM as the program expects it, so that tools and tests can place inputs and read outputs.
/// Element (r, c) of a rows x cols matrix lives at
///   offset_bytes + (r / block_rows) * block_row_stride_bytes + (c / block_cols) * block_col_stride_bytes
///                + (r % block_rows) * row_stride_bytes + (c % block_cols) * element size.
/// Row-major = one block covering everything.
struct Tensor {
  std::string name;
  TensorRole role = TensorRole::kInput;
  ElementType type = ElementType::kInt8;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t offset_bytes = 0;
  int64_t bytes = 0;  // extent including padding
  int64_t block_rows = 0;
  int64_t block_cols = 0;
  int64_t block_row_stride_bytes = 0;
  int64_t block_col_stride_bytes = 0;
  int64_t row_stride_bytes = 0;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

int element_bytes(ElementType type);

/// Byte address in HBM of element (row, col) of `tensor` (0 <= row < rows, 0 <= col < cols).
int64_t element_address(const Tensor& tensor, int64_t row, int64_t col);

struct OpName {
  uint32_t tag = 0;
  std::string name;
  friend bool operator==(const OpName&, const OpName&) = default;
};

struct Program {
  std::string name;
  uint64_t chip_hash = 0;  // chip::timing_hash of the chip it was compiled for (ISA-2)
  std::array<int64_t, kBaseRegisters> base_registers{};
  std::array<RingInit, kRings> rings{};
  std::array<uint8_t, kSemaphores> semaphores{};  // start counts (SEM-2)
  std::vector<uint32_t> smem;                     // SEQ-2; refused by targets until built
  std::vector<Instr> code;
  int64_t hbm_bytes = 0;  // size of the memory image; every HBM address must lie in [0, hbm_bytes)
  std::vector<Tensor> tensors;
  std::vector<OpName> ops;  // names of tags, for traces and layers.csv
  friend bool operator==(const Program&, const Program&) = default;
};

}  // namespace lockstep::isa
