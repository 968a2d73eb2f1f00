// Workload YAML: GEMMs by shape, the format of unit tests and microbenchmarks.
//
//   schema: lockstep/workload/v1
//   name: peer_shapes            # optional; default: the file's stem
//   gemms:
//     - {name: square, M: 96, N: 96, K: 96}
//     - {name: heads, M: 512, N: 512, K: 64, repeat: 12}
#pragma once

#include <string>
#include <string_view>

#include "compiler/ir/gemm.h"
#include "hw/base/result.h"

namespace lockstep::frontend {

/// All problems at once: E01xx (YAML), E02xx and E03xx (keys and values, hw/base), E1006 no gemm, E10xx of ir::verify.
Result<ir::Workload> parse_workload(std::string_view text, const std::string& file);
Result<ir::Workload> read_workload(const std::string& path, const SourceLoc& named_at = {});

}  // namespace lockstep::frontend
