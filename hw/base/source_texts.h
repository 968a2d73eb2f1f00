// The texts behind locations, so that a diagnostic can show its source line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/diag.h"

namespace lockstep {

class SourceTexts {
 public:
  /// Registers the text of something that is not a file on disk, e.g. "--set".
  void add(const std::string& file, std::string text) { texts_[file] = std::move(text); }

  /// The text of `file`: registered, or read from disk once; empty when it cannot be read.
  std::string_view find(const std::string& file);

  /// format_diag with its source line.
  std::string format(const Diag& diag);

  /// All of them, one after the other.
  std::string format(const std::vector<Diag>& diags);

 private:
  std::map<std::string, std::string> texts_;
};

}  // namespace lockstep
