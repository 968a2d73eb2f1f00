// Happens-before check of one program by vector clocks over its dynamic words (SEM-5, without cutting loops).
//
// Only orders that every legal timing keeps count: engines are in order (issue, source_free and done each), a token
// orders its post before the wait that consumes it, SYNC orders done before later dispatches, and MXU-2 orders WLD
// and switch. A read spans issue .. source_free, a write issue .. done; two accesses of different engines that meet
// in a byte, one of them a write, must be ordered as in program order.
#pragma once

#include <string>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

/// Races, and semaphores that tokens alone do not keep below 256 (SEM-2; queue depths might); empty = none. At most `limit` lines. The
/// program must run on golden without a fault.
std::vector<std::string> find_races(const isa::Program& program, const chip::ChipSpec& chip, size_t limit = 5);

}  // namespace lockstep::testgen
