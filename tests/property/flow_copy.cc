// Flows of LD and ST: copies, round trips through HBM, idle time.
#include <algorithm>
#include <utility>

#include "tests/property/flows.h"

namespace lockstep::testgen {

using isa::Op;

namespace {

int ld_unit_of(const Resources& res, int unit) { return std::clamp(unit, 0, res.chip().dma.load_queues - 1); }

/// A copy's channel and words, made once and placed by arrange().
class CopyLowering {
 public:
  CopyLowering(Resources& res, const CopySpec& spec)
      : res_(res), spec_(spec), nest_(res, spec.nest), load_(make_transfer(spec.load, res.granule())),
        store_(make_transfer(spec.store, res.granule())) {
    const int tokens = tokens_for(spec.load_parts, spec.store_parts);
    load_parts_ = fitting(spec.load_parts, tokens, false);
    store_parts_ = fitting(spec.store_parts, tokens, counts_tokens(load_parts_));
    make_storage();
    link_ = make_link(res, buffer_.slots, tokens, spec.token_scale, spec.free_at_done != 0);
    make_relays();
  }

  Block arrange() {
    const int ahead = std::clamp(spec_.lookahead, 0, buffer_.slots);
    Block body, block;
    for (int k = 0; k < ahead; ++k) append(block, load_item(false));
    const bool store_first = ahead == buffer_.slots || (ahead > 0 && spec_.store_first != 0);
    if (store_first) append(body, store_item(true));
    append(body, load_item(true));
    if (!store_first) append(body, store_item(true));
    append(block, nest_.wrap(std::move(body)));
    for (int k = 0; k < ahead; ++k) append(block, store_item(false));
    return block;
  }

 private:
  /// Extent of `count` parts, each `step` behind the one before.
  static Extent parts_extent(Extent extent, int64_t step, int count) {
    extent.walk(step, count);
    return extent;
  }

  void make_storage() {
    const int64_t granule = res_.granule();
    const int loads = std::max(1, spec_.load_parts.count), stores = std::max(1, spec_.store_parts.count);
    load_steps_ = {load_.hbm_extent.size(), load_.vmem_extent.size(), 0};
    store_steps_ = {store_.hbm_extent.size(), store_.vmem_extent.size(), 0};
    Extent loaded = parts_extent(load_.vmem_extent, load_steps_.chip, loads);
    Extent stored = parts_extent(store_.vmem_extent, store_steps_.chip, stores);
    // Both sides are moved to start at 0, so that they share bytes.
    load_at_ = -loaded.low;
    store_at_ = -stored.low;
    Extent item{0, std::max(loaded.size(), stored.size())};
    const bool covered = load_.fills_vmem && loaded.size() >= stored.size() && spec_.nest.chip_strides.empty();
    item = nest_.widen(item, spec_.nest.chip_strides, granule);
    buffer_ = make_vmem_store(res_, item.size(), spec_.slots, granule);
    buffer_.base -= item.low;
    if (!covered) res_.need_init(buffer_.base + item.low, buffer_.base + item.low + buffer_.slot_stride * buffer_.slots);
    const Extent from = nest_.widen(parts_extent(load_.hbm_extent, load_steps_.hbm, loads), spec_.nest.load_strides, granule);
    const Extent to = nest_.widen(parts_extent(store_.hbm_extent, store_steps_.hbm, stores), spec_.nest.store_strides, granule);
    hbm_from_ = res_.hbm(from.low, from.high);
    hbm_to_ = res_.hbm(to.low, to.high);
  }

  /// Hop k: its own full count, from queue to queue.
  void make_relays() {
    for (int k = 0; k < spec_.relays; ++k) {
      Link hop = link_;
      hop.full = res_.semaphore(0);
      hops_.push_back(hop);
    }
  }

  Block load_item(bool in_nest) {
    isa::Instr word = dma_word(Op::kLd, ld_unit_of(res_, spec_.ld_unit), load_, res_.hbm_operand(hbm_from_), buffer_.base + load_at_);
    auto& body = std::get<isa::DmaBody>(word.body);
    body.continues = spec_.continues != 0;
    body.vmem.ring = ring_term(buffer_, true);
    if (in_nest) {
      nest_.add_terms(body.hbm, spec_.nest.load_strides, res_.granule());
      nest_.add_terms(body.vmem, spec_.nest.chip_strides, res_.granule());
    }
    Block block;
    for (int k = 0; k < spec_.zero_loads; ++k) block.push_back(word_node(gate_of(word)));
    append(block, item_words(res_, word, load_parts_, load_steps_, {{&link_, true}}, ring_step(buffer_, true)));
    append(block, relay_words());
    return block;
  }

  /// The full tokens go from link_ through every hop; the consumer waits on the last one.
  Block relay_words() {
    Block block;
    for (size_t k = 0; k < hops_.size(); ++k) {
      isa::Instr word = isa::blank_instr(Op::kLd);
      word.unit = static_cast<uint8_t>(ld_unit_of(res_, spec_.ld_unit) ^ (static_cast<int>(k + 1) & (res_.chip().dma.load_queues - 1)));
      const auto count = static_cast<uint8_t>(link_.tokens);
      word.waits[0] = {k == 0 ? link_.full : hops_[k - 1].full, count};
      word.posts[0] = {hops_[k].full, count, isa::PostWhen::kDone};
      block.push_back(word_node(word));
    }
    return block;
  }

  Block store_item(bool in_nest) {
    isa::Instr word = dma_word(Op::kSt, 0, store_, res_.hbm_operand(hbm_to_), buffer_.base + store_at_);
    auto& body = std::get<isa::DmaBody>(word.body);
    body.vmem.ring = ring_term(buffer_, false);
    if (in_nest) {
      nest_.add_terms(body.hbm, spec_.nest.store_strides, res_.granule());
      nest_.add_terms(body.vmem, spec_.nest.chip_strides, res_.granule());
    }
    const Link& source = hops_.empty() ? link_ : hops_.back();
    Block block = item_words(res_, word, store_parts_, store_steps_, {{&source, false}}, ring_step(buffer_, false));
    for (int k = 0; k < spec_.zero_stores; ++k) block.push_back(word_node(gate_of(word)));
    return block;
  }

  Resources& res_;
  const CopySpec& spec_;
  Nest nest_;
  Transfer load_, store_;
  PartsSpec load_parts_, store_parts_;
  PartSteps load_steps_, store_steps_;
  Store buffer_;
  Link link_;
  std::vector<Link> hops_;
  int64_t load_at_ = 0, store_at_ = 0;
  int64_t hbm_from_ = 0, hbm_to_ = 0;
};

}  // namespace

Block lower_flow(Resources& res, const CopySpec& spec) { return CopyLowering(res, spec).arrange(); }

namespace {

/// One leg of a round trip: LD and ST over a VMEM buffer. HBM addresses are set by the caller.
struct Leg {
  Transfer load, store;
  Store buffer;
  Link link;
  int64_t load_at = 0, store_at = 0;
};

Leg make_leg(Resources& res, const ShapeSpec& load, const ShapeSpec& store, int slots, bool free_at_done) {
  Leg leg;
  leg.load = make_transfer(load, res.granule());
  leg.store = make_transfer(store, res.granule());
  const Extent& in = leg.load.vmem_extent;
  const Extent& out = leg.store.vmem_extent;
  leg.buffer = make_vmem_store(res, std::max(in.size(), out.size()), slots, res.granule());
  leg.load_at = leg.buffer.base - in.low;
  leg.store_at = leg.buffer.base - out.low;
  if (!leg.load.fills_vmem || in.size() < out.size()) {
    res.need_init(leg.buffer.base, leg.buffer.base + leg.buffer.slot_stride * leg.buffer.slots);
  }
  leg.link = make_link(res, leg.buffer.slots, 1, 1, free_at_done);
  return leg;
}

isa::Instr leg_load(Resources& res, const Leg& leg, int unit, int64_t hbm) {
  isa::Instr word = dma_word(Op::kLd, ld_unit_of(res, unit), leg.load, res.hbm_operand(hbm), leg.load_at);
  std::get<isa::DmaBody>(word.body).vmem.ring = ring_term(leg.buffer, true);
  word.step = ring_step(leg.buffer, true);
  return word;
}

isa::Instr leg_store(Resources& res, const Leg& leg, int64_t hbm) {
  isa::Instr word = dma_word(Op::kSt, 0, leg.store, res.hbm_operand(hbm), leg.store_at);
  std::get<isa::DmaBody>(word.body).vmem.ring = ring_term(leg.buffer, false);
  word.step = ring_step(leg.buffer, false);
  return word;
}

}  // namespace

Block lower_flow(Resources& res, const RoundTripSpec& spec) {
  const Nest nest(res, spec.nest);
  const int64_t granule = res.granule();
  const bool at_done = spec.free_at_done != 0;
  const Leg out = make_leg(res, spec.load, spec.store, spec.slots, at_done);
  const Leg back = make_leg(res, spec.reload, spec.restore, spec.slots, at_done);
  const Link middle = make_link(res, 1, 1, 1, at_done);
  const Extent from = nest.widen(out.load.hbm_extent, spec.nest.load_strides, granule);
  const Extent to = nest.widen(back.store.hbm_extent, spec.nest.store_strides, granule);
  // The region between the legs: what the store writes and the reload reads, both starting at its low end.
  const Extent& written = out.store.hbm_extent;
  const Extent& read = back.load.hbm_extent;
  const int64_t source = res.hbm(from.low, from.high);
  const int64_t between = res.hbm(0, std::max(written.size(), read.size()));
  const int64_t target = res.hbm(to.low, to.high);

  isa::Instr load = leg_load(res, out, spec.ld_unit, source);
  isa::Instr store = leg_store(res, out, between - written.low);
  isa::Instr reload = leg_load(res, back, spec.reload_unit, between - read.low);
  isa::Instr restore = leg_store(res, back, target);
  nest.add_terms(std::get<isa::DmaBody>(load.body).hbm, spec.nest.load_strides, granule);
  nest.add_terms(std::get<isa::DmaBody>(restore.body).hbm, spec.nest.store_strides, granule);
  Block body;
  const auto place = [&](isa::Instr& word, const std::vector<Access>& accesses) {
    add_waits(res, word, accesses);
    add_posts(res, word, accesses);
    body.push_back(word_node(word));
  };
  place(load, {{&out.link, true}});
  place(store, {{&out.link, false}, {&middle, true}});
  place(reload, {{&middle, false}, {&back.link, true}});
  place(restore, {{&back.link, false}});
  return nest.wrap(std::move(body));
}

Block lower_flow(Resources& res, const IdleSpec& spec) {
  Block block;
  block.push_back(loop_node(res.loop_id(), static_cast<uint32_t>(std::max(0, spec.trip)), {}));
  if (spec.sync_all != 0) {
    isa::Instr sync = isa::blank_instr(Op::kSync);
    std::get<isa::SyncBody>(sync.body).engines = static_cast<uint16_t>(1u << isa::kLd0 | 1u << isa::kSt0);
    block.push_back(word_node(sync));
  }
  return block;
}

}  // namespace lockstep::testgen
