// The seam through which a caller lends the compiler an exact model of time, without the compiler knowing one.
#pragma once

#include <cstdint>
#include <optional>

#include "hw/isa/program.h"

namespace lockstep::analysis {

class LatencyEstimator {
 public:
  virtual ~LatencyEstimator() = default;

  /// Cycles of the whole program on the chip it was compiled for; nothing when it cannot tell.
  virtual std::optional<int64_t> cycles(const isa::Program& program) = 0;
};

}  // namespace lockstep::analysis
