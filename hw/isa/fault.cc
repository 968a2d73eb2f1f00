#include "hw/isa/fault.h"

#include "hw/base/check.h"

namespace lockstep::isa {

const std::vector<FaultInfo>& all_faults() {
  static const std::vector<FaultInfo> kFaults = {
      {FaultCode::kIllegalOp, "F-ILLEGAL-OP", "FaultIllegalOp", "the opcode is none of the ISA's"},
      {FaultCode::kUnit, "F-UNIT", "FaultUnit", "the word names a unit that this chip does not have"},
      {FaultCode::kNotBuilt, "F-NOT-BUILT", "FaultNotBuilt",
       "the word asks for something the encoding knows but the machine does not have yet"},
      {FaultCode::kPcRange, "F-PC-RANGE", "FaultPcRange", "execution ran past the last word without a HALT"},
      {FaultCode::kLoop, "F-LOOP", "FaultLoop",
       "a LOOP opened an active level, or an ENDLOOP closed one that is not active or not its own (SEQ-3)"},
      {FaultCode::kSemOverflow, "F-SEM-OVERFLOW", "FaultSemOverflow", "a post took a semaphore above 255 (SEM-2)"},
      {FaultCode::kSemUnderrun, "F-SEM-UNDERRUN", "FaultSemUnderrun",
       "in program order a wait is not covered by earlier posts (SEM-4); only targets that execute in program order"},
      {FaultCode::kPlane, "F-PLANE", "FaultPlane",
       "in program order WLD and MM with a plane switch do not alternate (MXU-2); same targets as F-SEM-UNDERRUN"},
      {FaultCode::kHbmRange, "F-HBM-RANGE", "FaultHbmRange", "an HBM access lies outside [0, hbm_bytes)"},
      {FaultCode::kVmemRange, "F-VMEM-RANGE", "FaultVmemRange", "a VMEM access lies outside the VMEM"},
      {FaultCode::kAccRange, "F-ACC-RANGE", "FaultAccRange", "an accumulator row lies outside [0, acc_rows)"},
      {FaultCode::kLine, "F-LINE", "FaultLine", "an operand row straddles a VMEM line (VMEM-1)"},
      {FaultCode::kDmaAlign, "F-DMA-ALIGN", "FaultDmaAlign",
       "an address, run or stride of a transfer is not a multiple of dma.granule_bytes (DMA-1)"},
      {FaultCode::kDmaLength, "F-DMA-LENGTH", "FaultDmaLength",
       "the two sides of a transfer move different numbers of bytes (DMA-1)"},
      {FaultCode::kAccHazard, "F-ACC-HAZARD", "FaultAccHazard",
       "an accumulating MM starts inside the rows its predecessor still has in its adder (MXU-4)"},
      {FaultCode::kOperand, "F-OPERAND", "FaultOperand",
       "a field holds a value the chip cannot take, such as k_valid above its rows"},
      {FaultCode::kWatchdog, "F-WATCHDOG", "FaultWatchdog", "the run did not halt within its cycle limit"},
      {FaultCode::kSemOwner, "F-SEM-OWNER", "FaultSemOwner",
       "a semaphore has a second producer, consumer or post moment (SEM-1); same targets as F-SEM-UNDERRUN"},
      {FaultCode::kSemBalance, "F-SEM-BALANCE", "FaultSemBalance",
       "a semaphore is not back at its start count at HALT (SEM-2); same targets as F-SEM-UNDERRUN"},
  };
  return kFaults;
}

const char* fault_name(FaultCode code) {
  for (const FaultInfo& fault : all_faults()) {
    if (fault.code == code) return fault.name;
  }
  CHECK(false) << "fault code " << static_cast<int>(code);
  return "";
}

}  // namespace lockstep::isa
