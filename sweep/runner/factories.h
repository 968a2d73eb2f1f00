// How a runner gets its targets: made by the command line, so that nothing here names a concrete one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/target/target.h"

namespace lockstep::sweep {

using TargetFactory = std::function<Result<std::unique_ptr<target::Target>>(const chip::ChipSpec&)>;

/// Bytes per core cycle that a chip's memory moves at most, after rounding to its clock.
using MemoryPeak = std::function<Result<double>(const chip::ChipSpec&)>;

struct TargetFactories {
  TargetFactory model;      // computes time
  TargetFactory golden;     // computes data
  TargetFactory rtl;        // computes both; empty when there is no RTL simulator
  std::string rtl_missing;  // why `rtl` is empty
  MemoryPeak memory_peak;
};

}  // namespace lockstep::sweep
