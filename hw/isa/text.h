// Text form of words and whole programs: what people write and read. docs/isa.md describes the syntax.
//
// Any program whose fields fit their widths survives program -> text -> program unchanged, legal or not; numbers,
// ranges and field names come from the field table.
#pragma once

#include <string>
#include <string_view>

#include "hw/base/result.h"
#include "hw/isa/program.h"

namespace lockstep::isa {

/// "LD.0 hbm=[b1 + 0x400 + i2*4096] run=4096 vmem=[0x0 + r0*8192] run=4096 reps=1 wait(s3,1) step={r0} tag=7".
std::string print_word(const Instr& instr);

/// The program, one word a line, bodies of loops indented. Ends with a newline.
std::string print_program(const Program& program);

/// Reports every error (up to a limit) with file:line:column, nearest names and legal ranges.
Result<Program> parse_program(std::string_view text, const std::string& file);

}  // namespace lockstep::isa
