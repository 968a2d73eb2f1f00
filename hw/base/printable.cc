#include "hw/base/printable.h"

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr size_t kMaxQuotedBytes = 60;

bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string quote_text(std::string_view text) {
  const bool cut = text.size() > kMaxQuotedBytes;
  if (cut) {
    size_t end = kMaxQuotedBytes;
    while (end > 0 && is_utf8_continuation(text[end])) --end;  // never half a character
    text = text.substr(0, end);
  }
  std::string out = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  out += cut ? "...'" : "'";
  return out;
}

std::string join_choices(const std::vector<std::string>& choices) {
  std::string out;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) out += i + 1 == choices.size() ? " or " : ", ";
    out += choices[i];
  }
  return out;
}

std::string join_list(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

}  // namespace lockstep
