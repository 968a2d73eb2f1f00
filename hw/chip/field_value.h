// One chip field: from YAML, from text, to text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hw/base/diag.h"
#include "hw/base/yaml_node.h"
#include "hw/chip/field_table.h"

namespace lockstep::chip {

/// Reads `node` into the field of `chip`. False after at least one report: a wrong type or unit (E02xx), a value
/// out of range (E0301, E0302) or one that is not built (E032x).
bool read_field(const Field& field, const YamlNode& node, ChipSpec& chip, DiagSink& sink);

/// Sets the field called `name` from text as it would stand in YAML, e.g. "mxu.rows", "64" or "vmem.size_KiB",
/// "1MiB"; for `--set` and sweep axes. `loc` places the message. Ranges are checked, relations between fields
/// are not: call check_chip (hw/chip/chip_checks.h) once all fields are set.
[[nodiscard]] std::optional<Diag> set_field(ChipSpec& chip, std::string_view name, std::string_view text,
                                            const SourceLoc& loc = {});

/// The value as set_field would take it back.
std::string field_text(const Field& field, const ChipSpec& chip);

/// As above by name; CHECKs that the field exists.
std::string field_text(std::string_view name, const ChipSpec& chip);

}  // namespace lockstep::chip
