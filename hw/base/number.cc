#include "hw/base/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// A number taken apart: value = (negative ? -1 : 1) * digits * 10^exponent, in units of `suffix`.
struct Lexed {
  bool negative = false;
  bool hex = false;
  std::string digits;    // without '_' and '.'; decimal or hexadecimal
  int64_t exponent = 0;  // power of ten
  bool leading_zero = false;
  std::string_view suffix;
};

/// Takes digits with single '_' between them; false when none or when a '_' is not between digits.
bool take_digits(std::string_view& text, bool hex, std::string& out) {
  const auto accepts = [hex](char c) { return hex ? is_hex_digit(c) : is_digit(c); };
  if (text.empty() || !accepts(text.front())) return false;
  while (!text.empty()) {
    if (accepts(text.front())) {
      out += text.front();
      text.remove_prefix(1);
    } else if (text.front() == '_') {
      if (text.size() < 2 || !accepts(text[1])) return false;
      text.remove_prefix(1);
    } else {
      break;
    }
  }
  return true;
}

bool take_exponent(std::string_view& text, int64_t& exponent) {
  const bool signed_exponent = text.size() > 1 && (text[1] == '+' || text[1] == '-');
  const size_t digits_at = signed_exponent ? 2 : 1;
  if (text.size() <= digits_at || !is_digit(text[digits_at])) return false;
  const bool negative = text[1] == '-';
  text.remove_prefix(digits_at);
  int64_t value = 0;
  while (!text.empty() && is_digit(text.front())) {
    value = value > 100000 ? value : value * 10 + (text.front() - '0');  // saturates: far beyond any double
    text.remove_prefix(1);
  }
  exponent += negative ? -value : value;
  return true;
}

std::optional<Lexed> lex(std::string_view text) {
  Lexed lexed;
  if (!text.empty() && text.front() == '-') {
    lexed.negative = true;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    lexed.hex = true;
    text.remove_prefix(2);
    if (!take_digits(text, true, lexed.digits)) return std::nullopt;
  } else {
    if (!take_digits(text, false, lexed.digits)) return std::nullopt;
    lexed.leading_zero = lexed.digits.size() > 1 && lexed.digits[0] == '0';
    if (!text.empty() && text.front() == '.') {
      text.remove_prefix(1);
      const size_t before = lexed.digits.size();
      if (!take_digits(text, false, lexed.digits)) return std::nullopt;
      lexed.exponent = -static_cast<int64_t>(lexed.digits.size() - before);
    }
    if (!text.empty() && (text.front() == 'e' || text.front() == 'E') && !take_exponent(text, lexed.exponent)) {
      return std::nullopt;
    }
  }
  if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/';
    if (!letter) return std::nullopt;
  }
  lexed.suffix = text;
  return lexed;
}

std::string suffix_list(Unit unit) {
  std::vector<std::string> names;
  for (const UnitSuffix& suffix : unit_suffixes(unit)) names.emplace_back(suffix.name);
  return join_list(names);
}

NumberProblem wrong_unit(std::string_view text, std::string_view suffix, Unit unit) {
  if (unit_suffixes(unit).empty()) {
    return {"E0205", fmt::format("takes a plain number, got {} with unit {}", quote_text(text), quote_text(suffix)), ""};
  }
  return {"E0205", fmt::format("has the unknown unit {} in {}", quote_text(suffix), quote_text(text)),
          fmt::format("allowed units: {}; a plain number is in {}", suffix_list(unit), unit_name(unit))};
}

/// The scale of the suffix, or nothing when the field does not take it.
std::optional<UnitSuffix> find_suffix(std::string_view name, Unit unit) {
  if (name.empty()) return UnitSuffix{};
  for (const UnitSuffix& suffix : unit_suffixes(unit)) {
    if (suffix.name == name) return suffix;
  }
  return std::nullopt;
}

/// What both parsers share: the parts and the scale, or the problem.
struct Scaled {
  Lexed lexed;
  UnitSuffix scale;
  NumberProblem problem;  // code empty when fine
};

Scaled take_apart(std::string_view text, Unit unit, std::string_view wanted) {
  Scaled out;
  const std::optional<Lexed> lexed = lex(text);
  if (!lexed) {
    out.problem = {"E0204", fmt::format("must be {}, got {}", wanted, quote_text(text)), ""};
    return out;
  }
  out.lexed = *lexed;
  if (lexed->leading_zero) {
    out.problem = {"E0210", fmt::format("must not start with a zero, got {}", quote_text(text)),
                   "YAML readers disagree whether 010 is eight or ten; write 8, 10 or 0x8"};
    return out;
  }
  const std::optional<UnitSuffix> scale = find_suffix(lexed->suffix, unit);
  if (!scale) out.problem = wrong_unit(text, lexed->suffix, unit);
  else out.scale = *scale;
  return out;
}

NumberProblem too_large(std::string_view text) {
  return {"E0211", fmt::format("is too large to represent, got {}", quote_text(text)), ""};
}

/// digits * numerator * 10^exponent / denominator in uint64; kTooLarge / kFraction when that has no exact value.
enum class Exact { kOk, kTooLarge, kFraction };

Exact exact_value(std::string_view digits, int base, int64_t exponent, const UnitSuffix& scale, uint64_t& value) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) {
    value = 0;
    return Exact::kOk;
  }
  while (base == 10 && digits.back() == '0') {  // 1.500 and 15e2 in one form, and 1000...000e-30 fits
    digits.remove_suffix(1);
    ++exponent;
  }
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (parsed.ec != std::errc{}) return exponent < 0 ? Exact::kFraction : Exact::kTooLarge;
  if (__builtin_mul_overflow(value, static_cast<uint64_t>(scale.numerator), &value)) return Exact::kTooLarge;
  for (; exponent < 0; ++exponent) {
    if (value % 10 != 0) return Exact::kFraction;
    value /= 10;
  }
  for (; exponent > 0; --exponent) {
    if (__builtin_mul_overflow(value, uint64_t{10}, &value)) return Exact::kTooLarge;
  }
  if (value % static_cast<uint64_t>(scale.denominator) != 0) return Exact::kFraction;
  value /= static_cast<uint64_t>(scale.denominator);
  return Exact::kOk;
}

}  // namespace

ParsedNumber<int64_t> parse_integer(std::string_view text, Unit unit) {
  const Scaled parts = take_apart(text, unit, "a whole number");
  if (!parts.problem.code.empty()) return {std::nullopt, parts.problem};
  uint64_t magnitude = 0;
  switch (exact_value(parts.lexed.digits, parts.lexed.hex ? 16 : 10, parts.lexed.exponent, parts.scale, magnitude)) {
    case Exact::kOk: break;
    case Exact::kTooLarge: return {std::nullopt, too_large(text)};
    case Exact::kFraction: {
      const std::string of_unit =
          unit_suffixes(unit).empty() ? std::string() : fmt::format(" of {}", unit_name(unit));
      return {std::nullopt,
              {"E0204", fmt::format("must be a whole number{}, got {}", of_unit, quote_text(text)), ""}};
    }
  }
  if (magnitude > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return {std::nullopt, too_large(text)};
  const auto value = static_cast<int64_t>(magnitude);
  return {parts.lexed.negative ? -value : value, {}};
}

ParsedNumber<double> parse_real(std::string_view text, Unit unit) {
  const Scaled parts = take_apart(text, unit, "a number");
  if (!parts.problem.code.empty()) return {std::nullopt, parts.problem};
  if (parts.lexed.hex) {
    return {std::nullopt, {"E0204", fmt::format("must be a decimal number, got {}", quote_text(text)), ""}};
  }
  const std::string plain =
      fmt::format("{}{}e{}", parts.lexed.negative ? "-" : "", parts.lexed.digits, parts.lexed.exponent);
  double value = 0;
  const auto parsed = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  // Out of range also covers a magnitude below the smallest double; neither is a sensible setting.
  if (parsed.ec != std::errc{}) return {std::nullopt, too_large(text)};
  value = value * static_cast<double>(parts.scale.numerator) / static_cast<double>(parts.scale.denominator);
  if (!(value <= std::numeric_limits<double>::max() && value >= std::numeric_limits<double>::lowest())) {
    return {std::nullopt, too_large(text)};
  }
  return {value, {}};
}

std::string shortest_text(double value) {
  if (value == 0) return "0";
  // Whole numbers as such: 100000, not to_chars' equally short 1e+05. Below 2^53 every one is exact.
  if (std::abs(value) < 1e15 && value == std::floor(value)) return std::to_string(static_cast<int64_t>(value));
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value);
  return {digits, end.ptr};
}

}  // namespace lockstep
