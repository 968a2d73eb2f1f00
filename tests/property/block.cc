#include "tests/property/block.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "hw/base/check.h"
#include "hw/isa/walker.h"

namespace lockstep::testgen {
namespace {

/// The loops around the word being emitted.
struct OpenLoop {
  const std::vector<uint8_t>* ids;
  uint8_t level;
};

class Emitter {
 public:
  Emitter(const std::vector<uint8_t>& levels, isa::Program& program) : levels_(levels), program_(program) {}

  void emit(const Block& block) {
    for (const Node& node : block) {
      if (node.is_loop) emit_loop(node);
      else emit_word(node.word);
    }
  }

 private:
  isa::Instr& push(isa::Instr instr) {
    instr.tag = static_cast<uint32_t>(program_.code.size()) + 1;
    program_.code.push_back(std::move(instr));
    return program_.code.back();
  }

  void emit_loop(const Node& node) {
    CHECK(open_.size() < levels_.size()) << "loops are too deep";
    const uint8_t level = levels_[open_.size()];
    const size_t begin = program_.code.size();
    isa::Instr loop = isa::blank_instr(isa::Op::kLoop);
    auto& body = std::get<isa::LoopBody>(loop.body);
    body.level = level;
    body.trip.imm = node.trip;
    push(loop);
    open_.push_back({&node.loop_ids, level});
    emit(node.body);
    open_.pop_back();
    isa::Instr end = isa::blank_instr(isa::Op::kEndloop);
    std::get<isa::EndloopBody>(end.body).level = level;
    std::get<isa::LoopBody>(program_.code[begin].body).end_pc = static_cast<uint32_t>(program_.code.size());
    push(end);
  }

  void rename(std::span<isa::LoopTerm> terms) const {
    for (isa::LoopTerm& term : terms) {
      if (term.stride == 0) {
        term = {};
        continue;
      }
      const auto holds = [&](const OpenLoop& loop) { return std::count(loop.ids->begin(), loop.ids->end(), term.level) > 0; };
      const auto it = std::find_if(open_.begin(), open_.end(), holds);
      CHECK(it != open_.end()) << "an address uses loop " << int{term.level} << ", which is not around it";
      term.level = it->level;
    }
  }

  void emit_word(isa::Instr word) {
    if (auto* dma = std::get_if<isa::DmaBody>(&word.body)) {
      rename(dma->hbm.loops);
      rename(dma->vmem.loops);
    } else if (auto* wld = std::get_if<isa::WldBody>(&word.body)) {
      rename(wld->vmem.loops);
    } else if (auto* mm = std::get_if<isa::MmBody>(&word.body)) {
      rename(mm->vmem.loops);
      rename(mm->acc.loops);
    } else if (auto* vx = std::get_if<isa::VxBody>(&word.body)) {
      for (isa::VxSlot& slot : vx->slots) rename(slot.loops);
    }
    push(std::move(word));
  }

  const std::vector<uint8_t>& levels_;
  isa::Program& program_;
  std::vector<OpenLoop> open_;
};

size_t count_places(const Block& block) {
  size_t places = block.size() + 1;
  for (const Node& node : block) places += node.is_loop ? count_places(node.body) : 0;
  return places;
}

/// Inserts at place `place` counted depth first; true when done, else `place` is reduced by what was passed.
bool insert_at(Block& block, const isa::Instr& word, size_t& place) {
  for (size_t k = 0; k <= block.size(); ++k) {
    if (place == 0) {
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(k), word_node(word));
      return true;
    }
    --place;
    if (k < block.size() && block[k].is_loop && insert_at(block[k].body, word, place)) return true;
  }
  return false;
}

struct LastMm {
  int64_t acc, rows;
};

/// MXU-4, written from the rule's interval.
bool too_close(const LastMm& before, int64_t acc, int64_t latency) {
  return acc >= before.acc + std::max(before.rows, latency) - latency + 1 && acc <= before.acc + before.rows - 1;
}

/// One walk over the program; true when a word was changed.
bool repair_once(isa::Program& program, int acc_latency) {
  bool changed = false;
  std::array<std::optional<LastMm>, 4> last;
  const isa::WalkPlan plan(program);
  isa::Walker walker(plan);
  while (const isa::DynamicWord* word = walker.next()) {
    if (word->instr->op != isa::Op::kMm) continue;
    auto& body = std::get<isa::MmBody>(program.code[word->pc].body);
    std::optional<LastMm>& before = last[word->instr->unit];
    if (before && !body.first && too_close(*before, word->acc(), acc_latency)) {
      body.first = true;
      changed = true;
    }
    before = LastMm{word->acc(), word->count};
  }
  return changed;
}

}  // namespace

Node word_node(const isa::Instr& instr) {
  Node node;
  node.word = instr;
  return node;
}

Node loop_node(uint8_t id, uint32_t trip, Block body) {
  Node node;
  node.is_loop = true;
  node.trip = trip;
  node.loop_ids = {id};
  node.body = std::move(body);
  return node;
}

void append(Block& to, Block from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Block interleave(Block a, Block b, Rng& random, bool fuse) {
  Block out;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (fuse && i < a.size() && j < b.size() && a[i].is_loop && b[j].is_loop && a[i].trip == b[j].trip) {
      Node loop = loop_node(0, a[i].trip, interleave(std::move(a[i].body), std::move(b[j].body), random, fuse));
      loop.loop_ids = a[i].loop_ids;
      loop.loop_ids.insert(loop.loop_ids.end(), b[j].loop_ids.begin(), b[j].loop_ids.end());
      out.push_back(std::move(loop));
      ++i, ++j;
      continue;
    }
    // A loop waits for the other side's loop when fusing, so that equal nests meet.
    const uint64_t left_a = a.size() - i, left_b = b.size() - j;
    bool from_a = random.below(left_a + left_b) < left_a;
    if (fuse && left_a > 0 && left_b > 0 && (from_a ? a[i] : b[j]).is_loop) from_a = !from_a;
    out.push_back(std::move(from_a ? a[i++] : b[j++]));
  }
  return out;
}

void insert_anywhere(Block& block, const isa::Instr& word, Rng& random) {
  size_t place = random.below(count_places(block));
  CHECK(insert_at(block, word, place)) << "no such place";
}

int depth_of(const Block& block) {
  int depth = 0;
  for (const Node& node : block) depth = std::max(depth, node.is_loop ? 1 + depth_of(node.body) : 0);
  return depth;
}

void emit(const Block& block, const std::vector<uint8_t>& levels, isa::Program& program) {
  Emitter(levels, program).emit(block);
}

void repair_neighbours(isa::Program& program, int acc_latency) {
  // Setting `first` on a word can only remove conflicts, so this ends; one walk sees every conflict.
  while (repair_once(program, acc_latency)) {
  }
}

}  // namespace lockstep::testgen
