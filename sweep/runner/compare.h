// One program on every target: golden gives the bits, the model the cycles, RTL must give both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "hw/isa/program.h"
#include "sweep/runner/factories.h"

namespace lockstep::sweep {

struct Comparison {
  bool agrees = false;
  bool ran_rtl = false;
  int64_t model_cycles = 0;
  int64_t rtl_cycles = 0;
  metrics::Counters counters;            // of the model
  std::string problem;                   // the first disagreement or fault; empty when all agree
  std::vector<std::string> differences;  // first differing events
};

/// The targets of one chip, opened once and used for many programs.
class TargetSet {
 public:
  /// Builds the RTL when there is a factory for it, which may take half a minute. Errors of the factories.
  static Result<TargetSet> open(const chip::ChipSpec& chip, const TargetFactories& factories);

  /// Runs `program` on random operands. With `check_product` golden is compared with plain loops over the matrices.
  Comparison compare(const isa::Program& program, uint64_t seed, bool check_product) const;

  bool has_rtl() const { return rtl_ != nullptr; }

 private:
  std::shared_ptr<target::Target> model_;
  std::shared_ptr<target::Target> golden_;
  std::shared_ptr<target::Target> rtl_;
};

}  // namespace lockstep::sweep
