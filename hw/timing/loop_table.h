// What is known of each loop of a program before it runs: whether its iterations can be jumped over at all, and how
// the HBM addresses formed inside it move from one iteration to the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/timing/static_program.h"

namespace lockstep::timing {

/// A transfer word of some length inside a loop that the loop can reach.
struct LoopTransfer {
  uint32_t pc = 0;
  int64_t step = 0;  // bytes its addresses move per iteration of the loop
  // Bytes touched in one iteration relative to the address formed with the inner indices at 0: [lowest, highest).
  int64_t lowest = 0;
  int64_t highest = 0;
  bool bounded = true;  // false: the two do not fit
};

struct LoopInfo {
  uint32_t loop_pc = 0;
  uint32_t end_pc = 0;
  uint32_t trip = 0;
  uint8_t level = 0;
  /// Iterations after which all addresses formed in the loop have moved by multiples of everything that cuts or
  /// groups bursts (DMA-1, DMA-3, MEM-6); only iterations so far apart can be alike.
  int64_t phase_period = 1;
  std::vector<LoopTransfer> transfers;
  std::string obstacle;  // empty: the loop may be jumped

  bool contains(uint32_t pc) const { return pc > loop_pc && pc < end_pc; }
};

class LoopTable {
 public:
  LoopTable(const StaticProgram& program, const MachineConfig& config);

  const StaticProgram& program() const { return program_; }
  int64_t stripe_bytes() const { return stripe_bytes_; }  // DMA-3
  const std::vector<LoopInfo>& loops() const { return loops_; }
  /// Index into loops() of the LOOP word `pc`.
  size_t index_of(uint32_t pc) const { return index_of_[pc]; }

 private:
  void describe(LoopInfo& loop, int64_t address_span) const;

  const StaticProgram& program_;
  int64_t stripe_bytes_;
  std::vector<LoopInfo> loops_;
  std::vector<size_t> index_of_;
};

/// Bytes by which the address of a transfer word moves per iteration of the loop at `level`.
int64_t step_of(const StaticDma& dma, uint8_t level);

}  // namespace lockstep::timing
