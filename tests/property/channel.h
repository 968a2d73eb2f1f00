// Channels between engines and the words of one item: who waits for what, who posts what, which slot is addressed.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/property/block.h"
#include "tests/property/resources.h"
#include "tests/property/scenario.h"

namespace lockstep::testgen {

/// A pair of token counts; `tokens` make up one item, 0 = nobody waits.
struct Link {
  uint8_t full = 0, free = 0;
  int tokens = 1;
  isa::PostWhen free_when = isa::PostWhen::kSourceFree;
};

/// Storage of `slots` items. The producer's and the consumer's rings select the slot; with one slot there is none.
struct Store {
  int64_t base = 0;
  int64_t slot_stride = 0;
  int slots = 1;
  uint8_t producer_ring = 0, consumer_ring = 0;
};

/// A word's part in a channel.
struct Access {
  const Link* link = nullptr;
  bool produces = false;
};

Link make_link(Resources& res, int slots, int tokens, int scale, bool free_at_done);

/// `slots` is reduced to 1 when the rings or the memory run out.
Store make_vmem_store(Resources& res, int64_t item_bytes, int slots, int64_t align);
Store make_acc_store(Resources& res, int mxu, int64_t item_rows, int slots);

isa::RingTerm ring_term(const Store& store, bool producer);
uint16_t ring_step(const Store& store, bool producer);

/// `share` of the item's tokens: tokens / share per word.
void add_waits(Resources& res, isa::Instr& word, const std::vector<Access>& accesses, int share = 1);
void add_posts(Resources& res, isa::Instr& word, const std::vector<Access>& accesses, int share = 1);

/// The same engine, moves nothing: a place for tokens.
isa::Instr gate_of(const isa::Instr& word);
isa::Instr step_word(uint16_t step);

void add_loop_term(isa::HbmOperand& operand, uint8_t loop, int64_t stride);
void add_loop_term(isa::ChipOperand& operand, uint8_t loop, int64_t stride);
void add_loop_term(isa::VxSlot& slot, uint8_t loop, int64_t stride);

/// Address steps from one part of an item to the next.
struct PartSteps {
  int64_t hbm = 0;
  int64_t chip = 0;   // LD, ST: VMEM
  int64_t acc = 0;    // VX: slot 0; slot 1 takes chip
};

/// The words of one item in the style of `parts`, with waits, posts and ring steps. Style 1 needs links whose
/// tokens the part count divides; see tokens_for().
Block item_words(Resources& res, isa::Instr word, const PartsSpec& parts, const PartSteps& steps,
                 const std::vector<Access>& accesses, uint16_t step);

/// Tokens per item such that the counted side, if any, can share them out.
int tokens_for(const PartsSpec& producer, const PartsSpec& consumer);
/// Style 1 becomes 2 where it would be wrong: the other side shares tokens out too (then a share does not stand for
/// the whole item), or the count does not divide them.
PartsSpec fitting(PartsSpec parts, int tokens, bool other_side_counts);
inline bool counts_tokens(const PartsSpec& parts) { return parts.count > 1 && parts.style == 1; }

/// First and one-past-last granule (or row) that a walk of count x stride from 0 touches, `extent` each.
struct Extent {
  int64_t low = 0, high = 0;
  void walk(int64_t stride, int64_t count);
  void join(const Extent& other);
  int64_t size() const { return high - low; }
};

/// A transfer's shapes in bytes, and the bytes each side touches relative to its address.
struct Transfer {
  isa::DmaShape hbm, vmem;
  uint32_t reps = 1;
  Extent hbm_extent, vmem_extent;
  bool fills_vmem = false;  // LD: writes every byte of its extent
};
Transfer make_transfer(const ShapeSpec& spec, int64_t granule);

isa::Instr dma_word(isa::Op op, int unit, const Transfer& transfer, const isa::HbmOperand& hbm, int64_t vmem);

/// A flow's loops, ready to be put around its item.
class Nest {
 public:
  Nest(Resources& res, const NestSpec& spec);
  Block wrap(Block body) const;
  /// Adds the loops' strides to the operand; `strides` in granules, `unit` bytes each.
  template <typename Operand>
  void add_terms(Operand& operand, const std::vector<int>& strides, int64_t unit) const {
    for (size_t k = 0; k < loops_.size() && k < strides.size(); ++k) add_loop_term(operand, loops_[k], strides[k] * unit);
  }
  Extent widen(Extent extent, const std::vector<int>& strides, int64_t unit) const;
  uint64_t items() const;

 private:
  std::vector<uint8_t> loops_;
  std::vector<uint32_t> trips_;
};

}  // namespace lockstep::testgen
