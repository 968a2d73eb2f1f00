#include "hw/base/diag.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace lockstep {

namespace {

std::string_view severity_word(Severity severity) {
  switch (severity) {
    case Severity::kNote: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "error";
}

/// Line `number` (1-based) of `text` without its line end; empty when there is none.
std::string_view line_of(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

/// A line of a binary file helps nobody.
bool has_control_bytes(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

/// Terminals and tests must survive binary garbage: anything unprintable becomes '?', a tab one space.
std::string printable(std::string_view text) {
  std::string out(text.substr(0, 200));
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') c = ' ';
    else if (byte < 0x20 || byte >= 0x7f) c = '?';
  }
  return out;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Diag error(std::string code, SourceLoc loc, std::string message, std::vector<std::string> notes) {
  return {Severity::kError, std::move(code), std::move(loc), std::move(message), std::move(notes)};
}

Diag warning(std::string code, SourceLoc loc, std::string message, std::vector<std::string> notes) {
  return {Severity::kWarning, std::move(code), std::move(loc), std::move(message), std::move(notes)};
}

bool DiagSink::has_errors() const {
  return std::any_of(diags_.begin(), diags_.end(), [](const Diag& d) { return d.severity == Severity::kError; });
}

std::string format_diag(const Diag& diag, std::string_view source_text) {
  std::string out;
  if (!diag.loc.file.empty()) {
    out += diag.loc.file;
    if (diag.loc.line > 0) out += fmt::format(":{}:{}", diag.loc.line, diag.loc.column);
    out += ": ";
  }
  out += fmt::format("{}[{}]: {}\n", severity_word(diag.severity), diag.code, diag.message);
  if (diag.loc.line > 0) {
    const std::string_view source_line = line_of(source_text, diag.loc.line);
    const std::string line = has_control_bytes(source_line) ? std::string() : printable(source_line);
    const auto caret_at = static_cast<size_t>(std::max(diag.loc.column - 1, 0));
    if (!line.empty() && caret_at <= line.size()) {
      out += fmt::format("  {}\n  {}^\n", line, std::string(caret_at, ' '));
    }
  }
  for (const std::string& note : diag.notes) out += fmt::format("  note: {}\n", note);
  return out;
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = 2 + word.size() / 4;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace lockstep
