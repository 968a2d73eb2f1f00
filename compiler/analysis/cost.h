// What a schedule is expected to cost, from closed forms: the currency in which schedules are compared.
// It is an estimate (no arbitration, no dispatch detail), but its byte counts are exact.
#pragma once

#include <cstdint>

#include "compiler/analysis/tiling.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::analysis {

struct Cost {
  int64_t cycles = 0;           // estimate of the whole program
  int64_t matrix_cycles = 0;    // sum of tile periods: max(rows, La, R / b, 2)
  int64_t vector_cycles = 0;    // VX time of all drains (VX-1)
  int64_t memory_cycles = 0;    // bytes moved / bytes per cycle
  int64_t hbm_read_bytes = 0;   // exact
  int64_t hbm_write_bytes = 0;  // exact
  friend bool operator==(const Cost&, const Cost&) = default;
};

class CostModel {
 public:
  explicit CostModel(const chip::ChipSpec& chip);
  Cost estimate(const Tiling& tiling) const;

 private:
  /// Work of one m block over all n and k, in cycles of the engine that does it.
  struct BlockWork {
    double matrix = 0;
    double vector = 0;
    double loads = 0;
    double stores = 0;
  };
  double transfer_cycles(int64_t runs, int64_t run_bytes) const;
  double activation_slice(const Tiling& t, int64_t rows) const;
  BlockWork block_work(const Tiling& t, int64_t rows) const;
  double ring_period(double load, double use, int slots) const;
  double resident_span(const Tiling& t, const BlockWork& work, int64_t rows) const;
  double streamed_span(const Tiling& t, const BlockWork& work, int64_t rows) const;
  double block_cycles(const Tiling& t, int64_t rows) const;

  double bytes_per_cycle_;
  double latency_;           // request to data, unloaded
  double cycles_per_burst_;  // one grant a cycle, and at most max_outstanding bursts in flight
  double setup_;
  int64_t burst_bytes_;
  int64_t access_bytes_;
  int64_t fill_cycles_;      // from the last row into the array to its last sum
  int64_t drain_start_;
  int64_t drain_group_;      // cycles of 8 rows, all chunks (VX-1)
  int64_t min_period_;       // of a tile
};

}  // namespace lockstep::analysis
