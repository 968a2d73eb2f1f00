// The field table as a page for people: configs/SCHEMA.md.
#pragma once

#include <string>

namespace lockstep::chip {

/// Markdown with one row a field: type, rule, default, unit, role in RTL and timing, sentence.
std::string chip_schema_page();

}  // namespace lockstep::chip
