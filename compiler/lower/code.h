// Code before loops are rolled and addresses bound: instruction words whose addresses are affine in the tile indices.
//
// A tile index (Dim) keeps its absolute value inside a LoopNode of that dimension: bodies made for different pieces of
// an index range can be compared, and equal neighbours are one loop. assemble() turns the tree into words: a range of
// several indices becomes a hardware loop whose index adds to the address, a range of one becomes part of the immediate.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "hw/isa/program.h"

namespace lockstep::lower {

enum class Dim : uint8_t { kM, kN, kK, kTileN, kTileK };  // m block, n block, k slice, n tile in block, k tile in slice
inline constexpr size_t kDims = 5;

/// constant + sum of coefficient[d] * index(d).
struct Affine {
  int64_t constant = 0;
  std::array<int64_t, kDims> coefficients{};

  Affine& add(Dim dim, int64_t coefficient, int64_t offset = 0) {
    coefficients[static_cast<size_t>(dim)] += coefficient;
    constant += coefficient * offset;  // the index meant is index(dim) + offset
    return *this;
  }
  friend bool operator==(const Affine&, const Affine&) = default;
};

/// An on-chip or HBM address: affine in the indices plus one ring term.
struct Address {
  Affine affine;
  isa::RingTerm ring;
  friend bool operator==(const Address&, const Address&) = default;
};

/// One instruction, flattened to the fields that a GEMM needs. Unused ones stay zero.
struct Word {
  isa::Op op = isa::Op::kHalt;
  uint8_t unit = 0;
  std::array<isa::Wait, 2> waits{};
  std::array<isa::Post, 2> posts{};
  uint16_t step = 0;
  Address hbm;
  Address vmem;
  Address acc;
  uint32_t run_bytes = 0;            // LD, ST: both sides
  uint32_t n1 = 0;
  int64_t hbm_stride_bytes = 0;
  int64_t vmem_stride_bytes = 0;     // LD, ST: of runs; WLD, MM, VX: of rows
  int64_t chunk_stride_bytes = 0;    // VX, VMEM side
  uint32_t rows = 0;                 // MM, VX
  uint32_t k_valid = 0;              // WLD, MM
  uint32_t n_valid = 0;              // WLD, MM; VX: columns
  uint32_t chunks = 0;               // VX
  bool first = false;                // MM
  bool switch_plane = false;         // MM
  friend bool operator==(const Word&, const Word&) = default;

  void wait(uint8_t sem, uint8_t count = 1);
  void post(uint8_t sem, isa::PostWhen when, uint8_t count = 1);
  void advance(uint8_t ring) { step = static_cast<uint16_t>(step | (1u << ring)); }
};

struct LoopNode;
using Node = std::variant<Word, LoopNode>;
using Code = std::vector<Node>;

/// `body` for every index in [begin, end) of `dim`, in order.
struct LoopNode {
  Dim dim = Dim::kM;
  int64_t begin = 0;
  int64_t end = 0;
  Code body;
  friend bool operator==(const LoopNode&, const LoopNode&) = default;
};

/// Appends [begin, end) of `dim` with `body` to `code`, extending the loop before it when that ends at `begin` and has
/// the same body.
void append_range(Code& code, Dim dim, int64_t begin, int64_t end, Code body);

/// The words of `code`, LOOP and ENDLOOP included, every word with `tag`. A loop is written out when that takes no more
/// words than rolling it.
std::vector<isa::Instr> assemble(const Code& code, uint32_t tag);

}  // namespace lockstep::lower
