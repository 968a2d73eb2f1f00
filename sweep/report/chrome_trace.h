// Event records as a Chrome trace (the JSON array format of chrome://tracing and ui.perfetto.dev).
//
// One process per target, so that RTL and model stand one above the other; one track per engine, one for the bursts
// of each DMA queue, one for the sequencer. Slices show occupancy; exact cycles are in `args`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/program.h"
#include "hw/target/event.h"

namespace lockstep::sweep {

struct TraceSource {
  std::string name;  // "model", "rtl": the process name
  const target::EventLog* events = nullptr;
};

struct TraceOptions {
  int clock_MHz = 1;
  size_t max_bytes = size_t{200} << 20;  // chrome://tracing fails at about 256 MB
};

struct TraceText {
  std::string json;
  size_t slices = 0;
  int64_t cut_cycle = -1;  // -1 = complete; else the cycle from which slices are missing
};

/// `program` gives the op of each pc and the name of each tag.
TraceText chrome_trace(const isa::Program& program, const std::vector<TraceSource>& sources,
                       const TraceOptions& options);

}  // namespace lockstep::sweep
