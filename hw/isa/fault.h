// Dynamic faults of the machine (ISA-2): sticky, reported with the tag and cycle of the offender, never a hang.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::isa {

/// The number is what the core shows on its fault port; 0 there means "no fault".
enum class FaultCode : uint8_t {
  kIllegalOp = 1,
  kUnit,
  kNotBuilt,
  kPcRange,
  kLoop,
  kSemOverflow,
  kSemUnderrun,
  kPlane,
  kHbmRange,
  kVmemRange,
  kAccRange,
  kLine,
  kDmaAlign,
  kDmaLength,
  kAccHazard,
  kOperand,
  kWatchdog,
  kSemOwner,
  kSemBalance,
};

struct FaultInfo {
  FaultCode code;
  const char* name;      // "F-SEM-OVERFLOW", the text in target::Fault::code
  const char* constant;  // name of the SystemVerilog constant
  const char* meaning;   // one sentence
};

/// Every fault, in order of its number.
const std::vector<FaultInfo>& all_faults();

const char* fault_name(FaultCode code);

}  // namespace lockstep::isa
