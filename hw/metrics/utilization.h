// What the counters of a run say about who was busy and what limited it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/metrics/counters.h"

namespace lockstep::metrics {

/// The resource whose use comes closest to every cycle; kLatency when none reaches kLatencyThresholdPct.
enum class Bound : uint8_t { kCompute, kHbm, kWeightLoad, kVector, kDispatch, kLatency };
inline constexpr double kLatencyThresholdPct = 50.0;

std::string_view bound_word(Bound bound);

/// Percentages of the run's cycles, averaged over the instances of an engine kind.
struct Utilization {
  double mxu_busy_pct = 0;     // MM occupied (EVT-2)
  double mxu_util_pct = 0;     // MACs done of R x C x k_per_pe x count per cycle
  double weight_load_pct = 0;  // WLD occupied
  double vector_pct = 0;       // VX occupied
  double dispatch_pct = 0;     // words dispatched
  double hbm_util_pct = 0;     // useful bytes of peak, at most 100
  double hbm_bus_pct = 0;      // bytes of the accesses made, of peak, at most 100
  Bound bound = Bound::kLatency;
};

/// A run ends when its last store has reached the memory (DMA-4), whose command slots may still hold some bursts: short
/// runs would show more than 100 % of the memory's peak, and show 100 instead.
/// `peak_bytes_per_cycle`: what the memory moves at most, after tick rounding. CHECKs cycles > 0.
Utilization utilization_of(const chip::ChipSpec& chip, int64_t cycles, const Counters& counters,
                           double peak_bytes_per_cycle);

/// Name, unit and sentence of a counter, for tables and docs.
struct CounterDoc {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;
};

const std::vector<CounterDoc>& counter_docs();

}  // namespace lockstep::metrics
