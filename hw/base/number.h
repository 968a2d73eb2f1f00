// Numbers of configuration files and command lines, by one written rule instead of a YAML library's guesses.
//
//   [-] digits [. digits] [e [+|-] digits] [space] [unit suffix]      or      [-] 0x hex digits
//
// `_` may separate digits. A leading zero is refused, because YAML readers disagree whether 010 is 8 or 10.
// Integers are exact: 1.05GHz is 1050 MHz, 1.5 is refused, nothing goes through a double.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hw/base/units.h"

namespace lockstep {

/// Why a text is not the number a field wants. `message` continues a field name: "must be a whole number, ...".
struct NumberProblem {
  std::string code;
  std::string message;
  std::string note;  // may be empty
};

template <typename T>
struct ParsedNumber {
  std::optional<T> value;
  NumberProblem problem;  // meaningful when there is no value
};

/// The number in `unit`. E0204 not a (whole) number, E0205 wrong unit, E0210 leading zero, E0211 too large.
ParsedNumber<int64_t> parse_integer(std::string_view text, Unit unit);
ParsedNumber<double> parse_real(std::string_view text, Unit unit);

/// Shortest text that reads back as the same double; whole numbers below 1e15 without exponent; -0 is written 0.
std::string shortest_text(double value);

}  // namespace lockstep
