// The compiler's input today: an ordered list of matrix products with their shapes and where each was written.
//
//   C[m x n] = A[m x k] * B[k x n],  A and B int8, C int32, exact
//
// B is what a weight-stationary array keeps inside (weights, or the keys and values of attention).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "hw/base/source_loc.h"

namespace lockstep::ir {

/// Largest k whose int32 accumulator cannot overflow: (-128) * (-128) * 131,071 < 2^31.
inline constexpr int64_t kMaxReduction = 131071;
/// Largest m and n; keeps every tile count within a loop trip (24 bits).
inline constexpr int64_t kMaxExtent = (int64_t{1} << 24) - 1;

enum class ElementType : uint8_t { kInt8, kInt32 };

struct Gemm {
  std::string name;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t count = 1;  // independent products of this shape, e.g. one per attention head: one program, run `count` times
  ElementType input = ElementType::kInt8;
  ElementType output = ElementType::kInt32;
  SourceLoc loc;
  friend bool operator==(const Gemm&, const Gemm&) = default;
};

struct Workload {
  std::string name;
  int64_t blocks = 1;  // times the whole list runs in the model it was taken from (decoder layers)
  std::vector<Gemm> gemms;
  friend bool operator==(const Workload&, const Workload&) = default;
};

/// m * n * k * count; verified gemms never overflow.
int64_t total_macs(const Gemm& gemm);

/// Sum over the gemms of one block.
int64_t total_macs(const Workload& workload);

/// E1001 a dimension or count out of range, E1002 k beyond kMaxReduction, E1003 a product that overflows,
/// E1004 a name that is empty, repeated or not [A-Za-z0-9_.-]+, E1005 types that are not built. Reports all of them.
void verify(const Gemm& gemm, DiagSink& sink);
void verify(const Workload& workload, DiagSink& sink);

/// "int8" or "int32".
const char* type_name(ElementType type);

}  // namespace lockstep::ir
