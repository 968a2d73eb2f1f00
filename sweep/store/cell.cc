#include "sweep/store/cell.h"

#include <string>

#include "hw/base/number.h"

namespace lockstep::sweep {

std::string cell_text(const Cell& cell) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return shortest_text(*number);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return {};
}

double cell_number(const Cell& cell, double fallback) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return fallback;
}

}  // namespace lockstep::sweep
