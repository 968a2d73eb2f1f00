// A program prepared for timing: per word the closed formulas of docs/timing.md evaluated for one chip, so that
// executing a word is a few additions. On-chip addresses and rings (SEQ-1) do not influence time and are dropped;
// only HBM addresses are formed while running.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/base/result.h"
#include "hw/isa/program.h"
#include "hw/timing/machine_config.h"

namespace lockstep::timing {

enum class WordKind : uint8_t { kDma, kVx, kWld, kMm, kLoop, kEndloop, kSync, kHalt };

struct StaticPost {
  uint8_t sem = 0;
  uint8_t count = 0;
  bool at_done = false;  // else at source_free (SEM-3)
};

/// The HBM side of a transfer (DMA-1).
struct StaticDma {
  int64_t base = 0;  // base register + imm
  std::array<int64_t, 4> strides{};
  std::array<uint8_t, 4> levels{};
  int terms = 0;
  int64_t run_bytes = 0;
  int64_t stride1_bytes = 0;
  int64_t stride2_bytes = 0;
  uint32_t n1 = 0;
  uint32_t reps = 0;
  bool write = false;
  bool zero_length = false;
  // Bytes touched, relative to the formed address: [lowest, highest).
  int64_t lowest = 0;
  int64_t highest = 0;
};

/// Modulo 2^64, like the walk of an unverified program: a sum that wraps is caught by the range check.
inline int64_t hbm_address(const StaticDma& dma, const std::array<int64_t, isa::kLoopLevels>& indices) {
  auto address = static_cast<uint64_t>(dma.base);
  for (size_t k = 0; k < static_cast<size_t>(dma.terms); ++k) {
    address += static_cast<uint64_t>(dma.strides[k]) * static_cast<uint64_t>(indices[dma.levels[k]]);
  }
  return static_cast<int64_t>(address);
}

struct StaticWord {
  WordKind kind = WordKind::kHalt;
  Slot slot = kSlotLd0;
  uint8_t wait_count = 0;
  uint8_t post_count = 0;
  bool switch_plane = false;  // MM: MXU-2
  uint8_t level = 0;          // LOOP, ENDLOOP
  uint8_t sync_slots = 0;     // SYNC, HALT: bit s = slot s
  std::array<isa::Wait, 2> waits{};
  std::array<StaticPost, 2> posts{};
  uint32_t tag = 0;
  uint32_t trip = 0;
  uint32_t end_pc = 0;
  uint32_t dma = 0;  // index into StaticProgram::dma
  // Engine words except DMA transfers of some length: EVT-2 occupancy and the two moments, relative to the issue.
  int64_t occupancy = 1;
  int64_t source_free = 0;
  int64_t done = 0;
  uint64_t macs = 0;
};

struct StaticProgram {
  std::vector<StaticWord> words;
  std::vector<StaticDma> dma;
  std::array<uint8_t, isa::kSemaphores> initial_tokens{};
  std::array<uint8_t, isa::kSemaphores> consumer{};  // slot that waits on it, kSlotCount = none (SEM-1)
  std::vector<uint8_t> used_semaphores;  // that some word waits on or posts to
  int64_t hbm_bytes = 0;
};

/// Diags for what this model does not time: features that are not built, and programs that break SEM-1 or the
/// encoding, whose time the rules do not define. Everything dynamic is a fault of the run instead.
Result<StaticProgram> prepare(const isa::Program& program, const MachineConfig& config);

}  // namespace lockstep::timing
