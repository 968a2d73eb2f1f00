// The architectural state a program acts on, and one function per engine op.
//
//   HBM image <--LD/ST--> VMEM --WLD--> weight planes (2 per MXU)
//                         VMEM --MM---> accumulators --VX copy--> VMEM
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/golden/trap.h"
#include "hw/isa/instr.h"
#include "hw/metrics/counters.h"
#include "hw/target/target.h"

namespace lockstep::golden {

inline constexpr int kMaxMxus = 4;

/// Addresses of one engine word, formed by the sequencer (ISA-2). `count` is M, rows or reps. Unused: 0.
struct FormedOperands {
  int64_t hbm = 0;
  int64_t vmem = 0;
  int64_t acc = 0;
  uint32_t count = 0;
};

/// Lower bound of the cycles a run takes on any target: dispatches, and per engine the occupancies that do not
/// depend on memory. Keeps golden from running for years on a program that is legal but absurd.
class Watchdog {
 public:
  explicit Watchdog(int64_t max_cycles) : max_cycles_(max_cycles) {}
  Trap charge(isa::EngineId engine, uint64_t cycles) { return charge_slot(engine, cycles); }
  Trap charge_dispatch() { return charge_slot(isa::kEngineCount, 1); }

 private:
  Trap charge_slot(size_t slot, uint64_t cycles);

  int64_t max_cycles_;
  std::array<uint64_t, isa::kEngineCount + 1> spent_{};
};

class Machine {
 public:
  /// VMEM and every byte of the accumulators start as `fill`.
  Machine(const chip::ChipSpec& chip, target::MemoryImage& hbm, uint8_t fill, int64_t max_cycles);

  Trap load(const isa::Instr& instr, const FormedOperands& at);   // LD, dma.cc
  Trap store(const isa::Instr& instr, const FormedOperands& at);  // ST, dma.cc
  Trap load_weights(const isa::Instr& instr, const FormedOperands& at);  // WLD, matrix.cc
  Trap multiply(const isa::Instr& instr, const FormedOperands& at);      // MM, matrix.cc
  Trap copy_tile(const isa::Instr& instr, const FormedOperands& at);     // VX kernel 0, vector.cc

  metrics::Counters& counters() { return counters_; }
  Watchdog& watchdog() { return watchdog_; }

 private:
  /// Weights are held as int16, column by column ([c * R + k]), so that a column is one dot product.
  struct Mxu {
    std::array<std::vector<int16_t>, 2> planes;
    std::vector<int32_t> acc;  // [row * C + c]
    int selected = 0;          // MXU-2: WLD writes the other plane
    bool pending = false;
    bool switched = false;  // an MM with switch was seen
    bool has_last = false;  // MXU-4 neighbour: the MM before
    int64_t last_acc = 0;
    int64_t last_rows = 0;
  };

  struct Span {  // one side of a transfer, DMA-1
    int64_t start;
    int64_t run_bytes, n1, reps;
    int64_t stride1, stride2;
  };

  Trap transfer(const isa::Instr& instr, const FormedOperands& at, bool to_vmem);
  Trap check_span(const Span& span, int64_t size, isa::FaultCode range_code) const;
  Trap count_bursts(isa::EngineId engine, const Span& hbm, bool to_vmem);
  void copy(const Span& hbm, const Span& vmem, bool to_vmem);
  Trap check_rows(int64_t start, int64_t stride, int64_t count, int64_t row_bytes, const char* what) const;
  Trap check_multiply(const isa::MmBody& body, const Mxu& mxu, const FormedOperands& at) const;
  void copy_groups(const isa::VxBody& body, const Mxu& mxu, const FormedOperands& at);
  void multiply_rows(const isa::MmBody& body, Mxu& mxu, const FormedOperands& at);

  chip::ChipSpec chip_;
  int64_t line_bytes_;
  target::MemoryImage& hbm_;
  std::vector<uint8_t> vmem_;
  std::vector<Mxu> mxus_;
  metrics::Counters counters_;
  Watchdog watchdog_;
  std::vector<int16_t> activations_;  // scratch: one row, R values
};

}  // namespace lockstep::golden
