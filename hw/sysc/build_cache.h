// Per-chip builds of the RTL worker, cached by content.
//
//   <cache>/core-<hash of rtl sources, parameters, flags, tool versions>/   Verilated and compiled core
//   <cache>/worker-<core hash + hash of the C++ sources and libraries behind the worker>/lockstep_rtl_worker
//
// Two levels, because a core takes seconds to half a minute to compile and a worker a few seconds.
#pragma once

#include <functional>
#include <string>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::sysc {

enum class MxuBody { kFast, kSpecification };

struct BuildOptions {
  MxuBody body = MxuBody::kFast;
  bool assertions = false;                                // compile SystemVerilog assertions in
  int optimisation = 1;                                   // g++ level of the Verilated code: 0, 1 or 3
  int jobs = 2;
  std::function<void(const std::string&)> progress;       // one line per stage, with its time; may be empty
};

/// The Verilator parameters of a chip: "-GRows=8 -GCols=8 ...", in a fixed order.
std::string core_parameters(const chip::ChipSpec& chip);

/// True when this build of lockstep knows its sources and Verilator and SystemC are installed; else `why` says what lacks.
bool rtl_available(std::string* why = nullptr);

/// Path of the worker for `chip`, built when the cache lacks it. Safe against concurrent callers (a lock file per
/// entry). Errors: E0901 no simulator, E0902 the build failed (its log's path and last lines are in the notes).
Result<std::string> worker_for(const chip::ChipSpec& chip, const BuildOptions& options);

}  // namespace lockstep::sysc
