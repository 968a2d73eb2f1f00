// Target: anything that runs a Program. Golden computes data, the timing model computes time, RTL both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/result.h"
#include "hw/isa/program.h"
#include "hw/metrics/counters.h"
#include "hw/target/certificate.h"
#include "hw/target/event.h"

namespace lockstep::target {

/// HBM contents, `hbm_bytes` of the program long. Targets that compute data update it in place.
using MemoryImage = std::vector<uint8_t>;

struct RunOptions {
  bool record_events = false;
  int64_t max_cycles = 0;  // watchdog: a run that has not halted by then is a fault; 0 = the target's default
  // Test instrument: each burst gets hash(seed, arrival number) mod (max + 1) extra cycles of data latency,
  // the same in model and RTL (hw/mem). 0 = off.
  uint32_t jitter_seed = 0;
  int jitter_max_cycles = 0;
  uint8_t vmem_fill = 0;  // VMEM and accumulators start as this byte; a legal program's result must not depend on it
};

/// A dynamic fault of the machine (ISA-2): sticky, with the tag and cycle of the offender.
struct Fault {
  std::string code;  // "F-HBM-RANGE", "F-SEM-OVERFLOW", "F-WATCHDOG" ... (docs/isa.md)
  uint32_t tag = 0;
  int64_t cycle = -1;  // -1: the target has no time
  std::string detail;
};

struct RunResult {
  std::optional<Fault> fault;
  int64_t cycles = 0;  // SEQ-5: HALT's done + 1; 0 for targets without time
  metrics::Counters counters;
  EventLog events;  // filled when record_events
  std::optional<Certificate> certificate;  // of targets that may jump over parts of a run
  double host_cpu_seconds = 0;  // CPU time the simulation itself took, 0 = not measured; never part of a result file
};

class Target {
 public:
  virtual ~Target() = default;
  virtual std::string_view name() const = 0;
  virtual bool computes_data() const = 0;
  virtual bool computes_time() const = 0;

  /// Runs `program` from reset. A Diag means the program or chip is refused (wrong chip hash, a feature that is
  /// not built, no simulator); a machine fault is in RunResult. `image` may be empty for a target that does not
  /// compute data, else it must hold program.hbm_bytes.
  virtual Result<RunResult> run(const isa::Program& program, MemoryImage& image, const RunOptions& options) = 0;
};

}  // namespace lockstep::target
