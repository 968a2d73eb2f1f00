// One value of a result table.
#pragma once

#include "hw/base/csv.h"

namespace lockstep::sweep {

/// Empty = not measured (an empty CSV field, JSON null).
using Cell = CsvCell;

/// Integers in full, doubles in the shortest form that reads back to the same value, strings as they are (unquoted).
std::string cell_text(const Cell& cell);

/// The number in a cell; `fallback` for empty cells and strings.
double cell_number(const Cell& cell, double fallback);

}  // namespace lockstep::sweep
