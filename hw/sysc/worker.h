// The RTL worker: one process per chip build that reads run requests from descriptor 3, simulates, and answers until the
// descriptor closes. SystemC allows one context per process, so all runs share one elaborated design with a reset between.
//
// Everything here is compiled once; only core_shim.cc is compiled per chip.
#pragma once

#include "hw/sysc/dram_module.h"
#include "hw/sysc/protocol.h"

namespace lockstep::sysc {

class RunnableCore {
 public:
  virtual ~RunnableCore() = default;

  /// Resets the core, loads program and limits, and arms the first cycle; the run happens inside sc_start().
  virtual void begin_run(const RunRequest& request) = 0;

  /// The result of the run that ended.
  virtual target::RunResult take_result() = 0;
};

/// Serves requests until the host closes the channel; the process's exit code.
int serve(RunnableCore& core, DramModule& dram);

}  // namespace lockstep::sysc
