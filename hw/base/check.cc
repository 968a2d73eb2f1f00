#include "hw/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lockstep::internal {

CheckFailure::CheckFailure(const char* condition, const char* file, int line) {
  stream_ << "internal error: CHECK(" << condition << ") failed at " << file << ':' << line << ' ';
}

CheckFailure::~CheckFailure() {
  const std::string text = stream_.str() + "\nThis is a bug in lockstep; please report it with the command line.\n";
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::_Exit(70);  // not abort(): an internal error is exit code 70, never a signal
}

}  // namespace lockstep::internal
