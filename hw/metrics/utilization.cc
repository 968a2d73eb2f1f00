#include "hw/metrics/utilization.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hw/base/check.h"

namespace lockstep::metrics {

namespace {

uint64_t busy_of(const Counters& counters, isa::EngineKind kind) {
  uint64_t sum = 0;
  for (int e = 0; e < isa::kEngineCount; ++e) {
    if (isa::engine_kind(static_cast<isa::EngineId>(e)) == kind) sum += counters.engines[static_cast<size_t>(e)].busy_cycles;
  }
  return sum;
}

/// Ties go to the earlier: an array that is always busy is compute-bound even if the memory is, too.
Bound pick_bound(const Utilization& use) {
  const std::array<std::pair<double, Bound>, 5> candidates = {{{use.mxu_busy_pct, Bound::kCompute},
                                                               {use.hbm_bus_pct, Bound::kHbm},
                                                               {use.weight_load_pct, Bound::kWeightLoad},
                                                               {use.vector_pct, Bound::kVector},
                                                               {use.dispatch_pct, Bound::kDispatch}}};
  auto best = candidates.front();
  for (const auto& candidate : candidates) {
    if (candidate.first > best.first) best = candidate;
  }
  return best.first >= kLatencyThresholdPct ? best.second : Bound::kLatency;
}

}  // namespace

std::string_view bound_word(Bound bound) {
  switch (bound) {
    case Bound::kCompute: return "compute";
    case Bound::kHbm: return "hbm";
    case Bound::kWeightLoad: return "weight_load";
    case Bound::kVector: return "vector";
    case Bound::kDispatch: return "dispatch";
    case Bound::kLatency: return "latency";
  }
  return "latency";
}

Utilization utilization_of(const chip::ChipSpec& chip, int64_t cycles, const Counters& counters,
                           double peak_bytes_per_cycle) {
  CHECK(cycles > 0 && peak_bytes_per_cycle > 0) << cycles << ' ' << peak_bytes_per_cycle;
  const auto total = static_cast<double>(cycles);
  const auto percent = [total](uint64_t part, double per_cycle) {
    return 100.0 * (static_cast<double>(part) / (total * per_cycle));
  };
  const double macs_per_cycle =
      static_cast<double>(chip.mxu.count) * chip.mxu.rows * chip.mxu.cols * chip.mxu.k_per_pe.int8;
  Utilization use;
  use.mxu_busy_pct = percent(busy_of(counters, isa::EngineKind::kMm), chip.mxu.count);
  use.mxu_util_pct = percent(counters.macs, macs_per_cycle);
  use.weight_load_pct = percent(busy_of(counters, isa::EngineKind::kWld), chip.mxu.count);
  use.vector_pct = percent(busy_of(counters, isa::EngineKind::kVx), 1);
  use.dispatch_pct = percent(counters.words, 1);
  const uint64_t useful_bytes = counters.hbm_read_bytes + counters.hbm_write_bytes;
  use.hbm_util_pct = std::min(100.0, percent(useful_bytes, peak_bytes_per_cycle));
  use.hbm_bus_pct = std::min(100.0, percent(counters.hbm_bus_bytes, peak_bytes_per_cycle));
  use.bound = pick_bound(use);
  return use;
}

const std::vector<CounterDoc>& counter_docs() {
  static const std::vector<CounterDoc> kDocs = {
      {"words", "", "words dispatched, LOOP, ENDLOOP, SYNC and HALT included"},
      {"instrs", "", "instructions an engine executed"},
      {"busy_cycles", "cycles", "sum of an engine's occupancies; for LD and ST from issue to last grant"},
      {"hbm_read_bytes", "B", "bytes that loads asked for"},
      {"hbm_write_bytes", "B", "bytes that stores wrote"},
      {"hbm_bus_bytes", "B", "bytes of the column accesses that served them"},
      {"read_bursts", "", "bursts read"},
      {"write_bursts", "", "bursts written"},
      {"macs", "", "rows x valid depth x valid columns, summed over MM instructions"},
  };
  return kDocs;
}

}  // namespace lockstep::metrics
