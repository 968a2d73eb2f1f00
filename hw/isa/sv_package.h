// The SystemVerilog package of the ISA (rtl/pkg/lk_isa_pkg.sv), rendered from the field table.
#pragma once

#include <string>

namespace lockstep::isa {

/// The whole text of lk_isa_pkg.sv. A test compares the checked-in file with it.
std::string render_sv_package();

}  // namespace lockstep::isa
