// The rules MXU-1, 2, 4, 5, 6 and the VMEM port contract, stepped cycle by cycle on plain arrays.
//
// Nothing of the array's structure is modelled: a row's sums are computed as a dot product in the cycle in which MXU-5
// says that a column block is written, events come from the closed formulas, operands are sampled in their VMEM cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "tests/rtl/mxu/mxu_dut.h"

namespace lockstep::rtltest {

class MxuReference {
 public:
  explicit MxuReference(const MxuConfig& config);

  int64_t cycle() const { return cycle_; }
  bool wld_ready() const { return cycle_ >= wld_free_ && !pending_; }
  bool mm_ready(const MmWord& mm) const { return cycle_ >= mm_free_ && (!mm.switch_plane || pending_); }
  /// Accumulator rows written in `cycle` (the current one or the one before).
  std::vector<uint32_t> rows_written(int64_t cycle) const;
  /// Cycle of the last event still to come, or the current cycle.
  int64_t last_event() const { return last_event_; }

  /// Flags of this cycle under these inputs (issue strobes only matter for the busy flags).
  MxuFlags expected_flags(const MxuInputs& inputs) const;
  /// Accumulator words that the read ports show in this cycle; a port never read yet has no value.
  const std::vector<std::optional<std::vector<uint32_t>>>& expected_acc() const { return acc_ports_; }
  /// Per granule: bytes the store port shows in this cycle, if a read is due.
  std::vector<std::optional<std::vector<uint8_t>>> expected_store() const;

  /// Advances over one clock edge.
  void step(const MxuInputs& inputs);

 private:
  using Plane = std::vector<int8_t>;  // [k][n]
  struct Load {
    int64_t issue;
    WldWord word;
    std::shared_ptr<Plane> plane;
  };
  struct Multiply {
    int64_t issue;
    MmWord word;
    std::shared_ptr<Plane> plane;
    std::vector<std::vector<int8_t>> activations;  // [m][k]
  };
  struct StoreRead {
    int64_t cycle;
    int granule;
    uint32_t address;
    std::vector<uint8_t> bytes;
  };
  struct Events {
    std::vector<int64_t> wld_sf, wld_done, mm_sf, mm_done;
  };

  void reset(uint8_t fill);
  void issue(const MxuInputs& inputs);
  void sample_operands(const MxuInputs& inputs);
  void write_accumulators();
  void write_block(const Multiply& mm, int row, int col_block);
  void write_vmem(const MxuInputs& inputs);
  void retire();
  /// Cycle in which column block j of row m is written (MXU-5).
  int64_t write_cycle(const Multiply& mm, int64_t m, int64_t j) const;

  MxuConfig config_;
  int64_t cycle_ = 0;
  int64_t wld_free_ = 0;
  int64_t mm_free_ = 0;
  int64_t last_event_ = 0;
  bool pending_ = false;
  std::vector<uint8_t> vmem_;
  std::vector<uint32_t> acc_;  // [row][column]
  std::shared_ptr<Plane> loaded_;
  std::shared_ptr<Plane> active_;
  std::deque<Load> loads_;
  std::deque<Multiply> multiplies_;
  std::deque<StoreRead> store_reads_;
  Events events_;
  std::vector<std::optional<std::vector<uint32_t>>> acc_ports_;
};

}  // namespace lockstep::rtltest
