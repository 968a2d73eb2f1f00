#include "hw/chip/chip_schema.h"

#include <string_view>

#include <fmt/format.h>

#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"

namespace lockstep::chip {

namespace {

constexpr std::string_view kIntroduction =
    "# Chip files\n"
    "\n"
    "Generated from the field table (`hw/chip/field_table.cc`); a test keeps this page current.\n"
    "\n"
    "A chip file starts with `schema: lockstep/chip/v1`. `extends: other.yaml` (relative to the file) takes every value\n"
    "of another chip file that this one does not set. Keys nest by their dots: `mxu.rows` is `mxu: {rows: 8}`. The same\n"
    "names serve `--set` and sweep axes (there with `chip.` in front). Unknown keys are errors.\n"
    "\n"
    "Numbers may have `_` between digits, an exponent (`1e3`) or a `0x` prefix, and a unit suffix of the field's\n"
    "dimension: B KiB MiB GiB TiB, kHz MHz GHz, MB/s GB/s TB/s, ps ns us. A leading zero is an error.\n"
    "\n"
    "* *default* `required`: the file or what it extends must set it.\n"
    "* *RTL* `build`: a module parameter, another value is another build; `limit`: a register written before start.\n"
    "* *timing*: part of the hash that ties a program to the chips it may run on.\n"
    "* *only*: the one value that is built so far; others are refused.\n"
    "\n"
    "| field | value | default | RTL | timing | only | meaning |\n"
    "|---|---|---|---|---|---|---|\n";

std::string_view rtl_word(RtlRole role) {
  switch (role) {
    case RtlRole::kNone: return "";
    case RtlRole::kBuildParameter: return "build";
    case RtlRole::kRunTimeLimit: return "limit";
  }
  return "";
}

}  // namespace

std::string chip_schema_page() {
  const ChipSpec defaults;
  std::string page(kIntroduction);
  for (const Field& field : chip_fields()) {
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", field.name, describe_rule(field),
                        field.is_required ? "required" : field_text(field, defaults), rtl_word(field.rtl),
                        field.is_timing_relevant ? "yes" : "", field.built_only.value, field.sentence);
  }
  return page;
}

}  // namespace lockstep::chip
