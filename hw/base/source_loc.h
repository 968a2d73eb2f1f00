// Where a value came from in a user's file.
#pragma once

#include <string>

namespace lockstep {

/// 1-based position; line 0 = the whole file, an empty file = not from a file (command line, built-in).
struct SourceLoc {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const SourceLoc&, const SourceLoc&) = default;
};

}  // namespace lockstep
