// User-facing diagnostics. A user error is a Diag; our own bug is a CHECK (hw/base/check.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/base/source_loc.h"

namespace lockstep {

enum class Severity { kNote, kWarning, kError };

/// One message. `code` is stable and documented, e.g. "E0203"; `notes` are printed below, one a line.
struct Diag {
  Severity severity = Severity::kError;
  std::string code;
  SourceLoc loc;
  std::string message;
  std::vector<std::string> notes;
};

Diag error(std::string code, SourceLoc loc, std::string message, std::vector<std::string> notes = {});
Diag warning(std::string code, SourceLoc loc, std::string message, std::vector<std::string> notes = {});

/// Collects diagnostics so that all errors of an input are reported at once, in order of report.
class DiagSink {
 public:
  void report(Diag diag) { diags_.push_back(std::move(diag)); }
  void append(const DiagSink& other) { diags_.insert(diags_.end(), other.diags_.begin(), other.diags_.end()); }
  bool has_errors() const;
  const std::vector<Diag>& diags() const { return diags_; }

 private:
  std::vector<Diag> diags_;
};

/// "file:line:column: error[E0203]: message", the source line and a caret when `source_text` (the text of
/// the file in diag.loc.file) is given and has that line, then the notes. Ends with a newline.
std::string format_diag(const Diag& diag, std::string_view source_text = {});

/// The candidate closest to `word` by edit distance, or empty when none is near (distance > 1 + size/4).
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lockstep
