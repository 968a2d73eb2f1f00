// The way a fault travels in golden: every step returns a Trap, empty when all is well.
#pragma once

#include <optional>
#include <string>

#include "hw/isa/fault.h"

namespace lockstep::golden {

/// ISA-2: why a run stopped. The sequencer adds the tag.
struct TrapInfo {
  isa::FaultCode code;
  std::string detail;
};
using Trap = std::optional<TrapInfo>;

}  // namespace lockstep::golden
