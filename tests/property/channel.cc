#include "tests/property/channel.h"

#include <algorithm>
#include <utility>

#include "hw/base/check.h"

namespace lockstep::testgen {

using isa::Op;

Link make_link(Resources& res, int slots, int tokens, int scale, bool free_at_done) {
  Link link;
  // Counters have 8 bits and may hold all items of the channel at once.
  link.tokens = tokens * std::clamp(200 / std::max(1, slots * tokens), 1, std::max(1, scale));
  link.full = res.semaphore(0);
  link.free = res.semaphore(slots * link.tokens);
  link.free_when = free_at_done ? isa::PostWhen::kDone : isa::PostWhen::kSourceFree;
  return link;
}

Store make_vmem_store(Resources& res, int64_t item_bytes, int slots, int64_t align) {
  Store store;
  align = std::max(align, res.granule());
  store.slot_stride = (std::max(item_bytes, res.granule()) + align - 1) / align * align;
  store.slots = slots > 1 && res.has_rings(2) && res.vmem_fits(store.slot_stride * slots) ? slots : 1;
  store.base = res.vmem(store.slot_stride * store.slots, align);
  if (store.slots > 1) {
    store.producer_ring = res.ring(store.slots);
    store.consumer_ring = res.ring(store.slots);
  }
  return store;
}

Store make_acc_store(Resources& res, int mxu, int64_t item_rows, int slots) {
  Store store;
  store.slot_stride = std::max<int64_t>(item_rows, 1);
  store.slots = slots > 1 && res.has_rings(2) && res.acc_fits(mxu, store.slot_stride * slots) ? slots : 1;
  store.base = res.acc(mxu, store.slot_stride * store.slots);
  if (store.slots > 1) {
    store.producer_ring = res.ring(store.slots);
    store.consumer_ring = res.ring(store.slots);
  }
  return store;
}

isa::RingTerm ring_term(const Store& store, bool producer) {
  if (store.slots == 1) return {};
  return {producer ? store.producer_ring : store.consumer_ring, store.slot_stride};
}

uint16_t ring_step(const Store& store, bool producer) {
  if (store.slots == 1) return 0;
  return static_cast<uint16_t>(1u << (producer ? store.producer_ring : store.consumer_ring));
}

void add_waits(Resources& res, isa::Instr& word, const std::vector<Access>& accesses, int share) {
  for (const Access& access : accesses) {
    if (access.link->tokens == 0) continue;
    auto it = std::find_if(word.waits.begin(), word.waits.end(), [](const isa::Wait& w) { return w.count == 0; });
    if (it == word.waits.end()) return res.fail();
    *it = {access.produces ? access.link->free : access.link->full, static_cast<uint8_t>(access.link->tokens / share)};
  }
}

void add_posts(Resources& res, isa::Instr& word, const std::vector<Access>& accesses, int share) {
  for (const Access& access : accesses) {
    if (access.link->tokens == 0) continue;
    auto it = std::find_if(word.posts.begin(), word.posts.end(), [](const isa::Post& p) { return p.count == 0; });
    if (it == word.posts.end()) return res.fail();
    // A full token says that data is visible; a free one that it has been read.
    const isa::PostWhen when = access.produces ? isa::PostWhen::kDone : access.link->free_when;
    *it = {access.produces ? access.link->full : access.link->free, static_cast<uint8_t>(access.link->tokens / share), when};
  }
}

isa::Instr gate_of(const isa::Instr& word) {
  isa::Instr gate = isa::blank_instr(word.op);
  gate.unit = word.unit;
  if (auto* mm = std::get_if<isa::MmBody>(&gate.body)) mm->first = true;  // an accumulating gate could hit MXU-4
  if (auto* vx = std::get_if<isa::VxBody>(&gate.body)) {
    vx->slots[0].space = std::get<isa::VxBody>(word.body).slots[0].space;
    vx->slots[1].space = isa::VxSpace::kVmem;
  }
  return gate;
}

isa::Instr step_word(uint16_t step) {
  isa::Instr sync = isa::blank_instr(Op::kSync);
  sync.step = step;
  return sync;
}

namespace {

template <size_t N>
void add_term(std::array<isa::LoopTerm, N>& loops, uint8_t loop, int64_t stride) {
  if (stride == 0) return;
  const auto it = std::find_if(loops.begin(), loops.end(), [](const isa::LoopTerm& t) { return t.stride == 0; });
  if (it != loops.end()) *it = {loop, stride};  // all in use: the address stands still in this loop
}

void shift(isa::Instr& word, const PartSteps& steps, int64_t count) {
  if (auto* dma = std::get_if<isa::DmaBody>(&word.body)) {
    dma->hbm.imm += steps.hbm * count;
    dma->vmem.imm += steps.chip * count;
  } else if (auto* vx = std::get_if<isa::VxBody>(&word.body)) {
    vx->slots[0].imm += steps.acc * count;
    vx->slots[1].imm += steps.chip * count;
  }
}

void shift_by_loop(isa::Instr& word, const PartSteps& steps, uint8_t loop) {
  if (auto* dma = std::get_if<isa::DmaBody>(&word.body)) {
    add_loop_term(dma->hbm, loop, steps.hbm);
    add_loop_term(dma->vmem, loop, steps.chip);
  } else if (auto* vx = std::get_if<isa::VxBody>(&word.body)) {
    add_loop_term(vx->slots[0], loop, steps.acc);
    add_loop_term(vx->slots[1], loop, steps.chip);
  }
}

Block unrolled_words(Resources& res, const isa::Instr& word, int count, const PartSteps& steps,
                     const std::vector<Access>& accesses, uint16_t step) {
  Block block;
  for (int k = 0; k < count; ++k) {
    isa::Instr part = word;
    shift(part, steps, k);
    if (k == 0) add_waits(res, part, accesses);
    if (k == count - 1) {
      add_posts(res, part, accesses);
      part.step = static_cast<uint16_t>(part.step | step);
    }
    block.push_back(word_node(part));
  }
  return block;
}

}  // namespace

void add_loop_term(isa::HbmOperand& operand, uint8_t loop, int64_t stride) { add_term(operand.loops, loop, stride); }
void add_loop_term(isa::ChipOperand& operand, uint8_t loop, int64_t stride) { add_term(operand.loops, loop, stride); }
void add_loop_term(isa::VxSlot& slot, uint8_t loop, int64_t stride) { add_term(slot.loops, loop, stride); }

Block item_words(Resources& res, isa::Instr word, const PartsSpec& parts, const PartSteps& steps,
                 const std::vector<Access>& accesses, uint16_t step) {
  const int count = std::max(1, parts.count);
  if (count == 1 || parts.style == 0) return unrolled_words(res, word, count, steps, accesses, step);
  Block block;
  const uint8_t loop = res.loop_id();
  isa::Instr part = word;
  shift_by_loop(part, steps, loop);
  if (parts.style == 1) {
    add_waits(res, part, accesses, count);
    add_posts(res, part, accesses, count);
    block.push_back(loop_node(loop, static_cast<uint32_t>(count), {word_node(part)}));
    if (step != 0) block.push_back(word_node(step_word(step)));
    return block;
  }
  isa::Instr enter = gate_of(word);
  add_waits(res, enter, accesses);
  isa::Instr leave = gate_of(word);
  add_posts(res, leave, accesses);
  leave.step = step;
  block.push_back(word_node(enter));
  block.push_back(loop_node(loop, static_cast<uint32_t>(count), {word_node(part)}));
  block.push_back(word_node(leave));
  return block;
}

int tokens_for(const PartsSpec& producer, const PartsSpec& consumer) {
  if (counts_tokens(producer)) return producer.count;
  return counts_tokens(consumer) ? consumer.count : 1;
}

PartsSpec fitting(PartsSpec parts, int tokens, bool other_side_counts) {
  if (counts_tokens(parts) && (other_side_counts || tokens % parts.count != 0)) parts.style = 2;
  return parts;
}

void Extent::walk(int64_t stride, int64_t count) {
  if (count <= 0) return;
  (stride < 0 ? low : high) += stride * (count - 1);
}

void Extent::join(const Extent& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

Transfer make_transfer(const ShapeSpec& spec, int64_t granule) {
  Transfer t;
  const int64_t unit = std::max(1, spec.unit), hbm_n1 = std::max(1, spec.hbm_n1), vmem_n1 = std::max(1, spec.vmem_n1);
  t.reps = static_cast<uint32_t>(std::max(1, spec.reps));
  const auto side = [&](int64_t run, int64_t n1, int64_t gap, int64_t rep_gap, Extent& extent) {
    const int64_t stride1 = run + gap, stride2 = run * n1 + rep_gap;
    extent = {0, run * granule};
    extent.walk(stride1 * granule, n1);
    extent.walk(stride2 * granule, t.reps);
    return isa::DmaShape{static_cast<uint32_t>(run * granule), static_cast<uint32_t>(n1), stride1 * granule, stride2 * granule};
  };
  t.hbm = side(unit * vmem_n1, hbm_n1, spec.hbm_gap, spec.hbm_rep_gap, t.hbm_extent);
  t.vmem = side(unit * hbm_n1, vmem_n1, spec.vmem_gap, spec.vmem_rep_gap, t.vmem_extent);
  t.fills_vmem = spec.vmem_gap == 0 && spec.vmem_rep_gap == 0 && spec.zero == 0;
  if (spec.zero == 1) t.hbm.run_bytes = t.vmem.run_bytes = 0;
  if (spec.zero == 2) t.hbm.n1 = t.vmem.n1 = 0;
  if (spec.zero >= 3) t.reps = 0;
  return t;
}

isa::Instr dma_word(Op op, int unit, const Transfer& transfer, const isa::HbmOperand& hbm, int64_t vmem) {
  isa::Instr word = isa::blank_instr(op);
  word.unit = static_cast<uint8_t>(unit);
  auto& body = std::get<isa::DmaBody>(word.body);
  body.hbm = hbm;
  body.hbm_shape = transfer.hbm;
  body.vmem.imm = vmem;
  body.vmem_shape = transfer.vmem;
  body.reps.imm = transfer.reps;
  return word;
}

Nest::Nest(Resources& res, const NestSpec& spec) {
  for (const int trip : spec.trips) {
    loops_.push_back(res.loop_id());
    trips_.push_back(static_cast<uint32_t>(std::max(0, trip)));
  }
}

Block Nest::wrap(Block body) const {
  for (size_t k = loops_.size(); k-- > 0;) {
    Block outer;
    outer.push_back(loop_node(loops_[k], trips_[k], std::move(body)));
    body = std::move(outer);
  }
  return body;
}

Extent Nest::widen(Extent extent, const std::vector<int>& strides, int64_t unit) const {
  for (size_t k = 0; k < loops_.size() && k < strides.size(); ++k) extent.walk(strides[k] * unit, trips_[k]);
  return extent;
}

uint64_t Nest::items() const {
  uint64_t items = 1;
  for (const uint32_t trip : trips_) items *= trip;
  return items;
}

}  // namespace lockstep::testgen
