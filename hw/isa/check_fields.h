// Range check of every field of a word against the field table.
#pragma once

#include "hw/base/diag.h"
#include "hw/isa/instr.h"

namespace lockstep::isa {

/// Reports E0602 when the body is not the op's, and E0601 for each field outside its legal range; `what` ("word 12")
/// starts the message. Returns true when all is well.
bool check_fields(const Instr& instr, const SourceLoc& loc, const std::string& what, DiagSink& sink);

}  // namespace lockstep::isa
