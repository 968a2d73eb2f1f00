#include "hw/base/text_check.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace lockstep {

namespace {

unsigned byte_at(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

SourceLoc loc_at(std::string_view text, size_t at, const std::string& file) {
  SourceLoc loc{file, 1, 1};
  for (size_t i = 0; i < at; ++i) {
    loc.column = text[i] == '\n' ? 1 : loc.column + 1;
    loc.line += text[i] == '\n' ? 1 : 0;
  }
  return loc;
}

/// Bytes of the UTF-8 character at `at`; 0 when invalid (overlong, surrogate, beyond U+10FFFF, cut short).
size_t utf8_length(std::string_view text, size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte_at(text, at + 1);
  if (lead == 0xe0 && second < 0xa0) return 0;
  if (lead == 0xed && second > 0x9f) return 0;
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead == 0xf4 && second > 0x8f) return 0;
  return length;
}

bool is_forbidden_control(unsigned byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
}

}  // namespace

void check_is_text(std::string_view text, const std::string& file, DiagSink& sink) {
  for (size_t at = 0; at < text.size();) {
    const unsigned byte = byte_at(text, at);
    if (is_forbidden_control(byte)) {
      sink.report(error("E0103", loc_at(text, at, file), fmt::format("not a text file: byte 0x{:02x}", byte)));
      return;
    }
    const size_t length = utf8_length(text, at);
    if (length == 0) {
      sink.report(error("E0103", loc_at(text, at, file), fmt::format("not UTF-8 text: byte 0x{:02x}", byte)));
      return;
    }
    at += length;
  }
}

void check_yaml_lines(std::string_view text, const std::string& file, DiagSink& sink) {
  int line = 0;
  while (!text.empty()) {
    ++line;
    const size_t end = text.find('\n');
    const std::string_view content = text.substr(0, end);
    const size_t tab = content.find_first_not_of(' ');
    if (tab != std::string_view::npos && content[tab] == '\t') {
      sink.report(error("E0111", {file, line, static_cast<int>(tab) + 1}, "indentation must be spaces, found a tab"));
    }
    if (!content.empty() && content.front() == '%') {
      sink.report(error("E0107", {file, line, 1}, "YAML directives are not supported"));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

}  // namespace lockstep
