// A point of the design space that cannot exist: not an error, but a row of the results with its reason.
#pragma once

#include <string>

namespace lockstep::ir {

/// `code` is a stable word ("vmem", "acc_rows", "imem", "hbm", "tile", "semaphore"); `detail` has the numbers.
struct Infeasible {
  std::string code;
  std::string detail;
  friend bool operator==(const Infeasible&, const Infeasible&) = default;
};

}  // namespace lockstep::ir
