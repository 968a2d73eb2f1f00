// One value of a result table.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace lockstep::sweep {

/// Empty = not measured (an empty CSV field, JSON null).
using Cell = std::variant<std::monostate, int64_t, double, std::string>;

/// Integers in full, doubles in the shortest form that reads back to the same value, strings as they are.
std::string cell_text(const Cell& cell);

/// The number in a cell; `fallback` for empty cells and strings.
double cell_number(const Cell& cell, double fallback);

}  // namespace lockstep::sweep
