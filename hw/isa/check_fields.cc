#include "hw/isa/check_fields.h"

#include <fmt/format.h>

#include "hw/isa/field_table.h"

namespace lockstep::isa {

bool check_fields(const Instr& instr, const SourceLoc& loc, const std::string& what, DiagSink& sink) {
  if (!body_matches_op(instr)) {
    sink.report(error("E0602", loc, fmt::format("{}: opcode {} does not go with the body of the word", what,
                                                static_cast<int>(instr.op))));
    return false;
  }
  bool good = true;
  for (const Field& field : op_fields(instr.op)) {
    const int64_t value = field.get(instr);
    if (value >= field.min && value <= field.max) continue;
    good = false;
    sink.report(error("E0601", loc, fmt::format("{}: {}: {} must be in [{}, {}], got {}", what, op_name(instr.op), field.name,
                                                field.min, field.max, value)));
  }
  return good;
}

}  // namespace lockstep::isa
