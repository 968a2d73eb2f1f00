// What flows draw on while they are lowered: memories, semaphores, rings, loop ids. Failing is sticky, so that a
// flow is lowered straight through and dropped at the end when anything ran out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/base/rng.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

struct ByteRange {
  int64_t begin = 0, end = 0;
};

class Resources {
 public:
  /// layout_seed 0: regions side by side, ids counted up, base registers 0.
  Resources(const chip::ChipSpec& chip, uint64_t layout_seed);

  const chip::ChipSpec& chip() const { return chip_; }
  int64_t granule() const { return chip_.dma.granule_bytes; }

  int64_t vmem(int64_t bytes, int64_t align);
  int64_t acc(int mxu, int64_t rows);
  bool acc_fits(int mxu, int64_t rows) const;
  bool vmem_fits(int64_t bytes) const { return next_vmem_ + bytes + 4096 <= chip::vmem_bytes(chip_); }
  /// Address a such that [a + low, a + high) is a region of its own.
  int64_t hbm(int64_t low, int64_t high);
  isa::HbmOperand hbm_operand(int64_t address) const;

  uint8_t semaphore(int start_count);
  bool has_rings(int count) const { return used_rings_ + count <= isa::kRings; }
  uint8_t ring(int modulus);
  uint8_t loop_id();

  /// VMEM or accumulators are read before the program writes them all: they are filled at its start.
  void need_init(int64_t begin, int64_t end) { init_.push_back({begin, end}); }
  void need_acc_init(int mxu) { acc_init_[static_cast<size_t>(mxu)] = true; }
  const std::vector<ByteRange>& init() const { return init_; }
  bool acc_init(int mxu) const { return acc_init_[static_cast<size_t>(mxu)]; }

  /// After a SYNC of all engines the on-chip memories may be handed out again.
  void recycle();

  void fail() { failed_ = true; }
  bool failed() const { return failed_; }

  /// Semaphores, rings, base registers and the size of HBM.
  void fill_header(isa::Program& program) const;
  /// Levels in the order of depth.
  std::vector<uint8_t> levels() const;

 private:
  int64_t gap(int64_t limit);

  chip::ChipSpec chip_;
  bool plain_;
  Rng random_;
  int64_t next_vmem_ = 0;
  int64_t next_hbm_ = 0;
  std::array<int64_t, 4> next_acc_{};
  std::array<uint8_t, isa::kSemaphores> sem_order_{}, sem_start_{};
  std::array<uint8_t, isa::kRings> ring_order_{}, ring_modulus_{};
  std::array<int64_t, isa::kBaseRegisters> bases_{};
  std::vector<uint8_t> levels_;
  int used_sems_ = 0, used_rings_ = 0, used_loops_ = 0;
  std::vector<ByteRange> init_;
  std::array<bool, 4> acc_init_{};
  bool failed_ = false;
};

}  // namespace lockstep::testgen
