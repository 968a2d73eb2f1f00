// CHECK: an invariant of our own code. A failure is our bug, never the user's, and ends the process
// with exit code 70 after printing the condition, its place and the streamed context.
#pragma once

#include <sstream>

namespace lockstep::internal {

class CheckFailure {
 public:
  CheckFailure(const char* condition, const char* file, int line);
  [[noreturn]] ~CheckFailure();
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

struct Voidify {
  void operator&(std::ostream&) {}
};

}  // namespace lockstep::internal

#define CHECK(condition)        \
  (condition) ? static_cast<void>(0) \
              : ::lockstep::internal::Voidify() & \
                    ::lockstep::internal::CheckFailure(#condition, __FILE__, __LINE__).stream()
