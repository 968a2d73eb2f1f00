// Text form of a Workload; printing and parsing round-trip, locations included.
//
//   workload llama-3.1-8b.decode blocks 32 {
//     gemm q 8 x 4096 x 4096 : int8 -> int32 loc "models/llama-3.1-8b.json":9:3
//     gemm qk 4 x 2048 x 128 : int8 -> int32 count 64
//   }
//
// The three numbers are M x N x K. '#' starts a comment that ends with the line.
#pragma once

#include <string>
#include <string_view>

#include "compiler/ir/gemm.h"
#include "hw/base/result.h"

namespace lockstep::ir {

std::string print(const Workload& workload);

/// Syntax errors are E1010 (the first one stops the parse), then the errors of verify(). A gemm without `loc` is
/// located at its own line.
Result<Workload> parse(std::string_view text, const std::string& file);

}  // namespace lockstep::ir
