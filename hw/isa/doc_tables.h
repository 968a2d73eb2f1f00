// The parts of docs/isa.md that are derived from the ISA tables.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::isa {

/// `page` with the text between each pair of lines "<!-- generated: NAME -->" and "<!-- end -->" replaced by the
/// table of that name: "fields", "faults" or "keywords". Unknown names and unpaired markers are CHECKed.
std::string fill_generated_parts(std::string_view page);

}  // namespace lockstep::isa
