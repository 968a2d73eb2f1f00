// RtlTarget: runs programs on the Verilated core in a worker process of its own. No SystemC or Verilator header here.
#pragma once

#include <memory>
#include <string>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/sysc/build_cache.h"
#include "hw/target/target.h"

namespace lockstep::sysc {

struct RtlOptions {
  BuildOptions build;
  int64_t timeout_ms = -1;  // wall time of one run; the worker is ended and the run faults with F-TIMEOUT. -1 = none
};

/// Builds (or finds in the cache) the worker of `chip`. Errors as worker_for().
Result<std::unique_ptr<target::Target>> make_rtl_target(const chip::ChipSpec& chip, const RtlOptions& options);

}  // namespace lockstep::sysc
