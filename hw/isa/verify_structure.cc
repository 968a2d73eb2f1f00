// Loops, HALT and the levels words use.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "hw/isa/verify_context.h"

namespace lockstep::isa {

namespace {

class StructureCheck {
 public:
  explicit StructureCheck(VerifyContext& context) : context_(context), code_(context.program.code) {}

  bool run() {
    check_halts();
    for (size_t pc = 0; pc < code_.size(); ++pc) {
      const Instr& instr = code_[pc];
      if (const auto* loop = std::get_if<LoopBody>(&instr.body)) open(pc, *loop);
      else if (const auto* end = std::get_if<EndloopBody>(&instr.body)) close(pc, *end);
      else check_levels(pc);
    }
    for (const size_t pc : open_) context_.report("E0631", pc, fmt::format("no ENDLOOP i{} closes this loop", int{level_at(pc)}));
    return !context_.failed();
  }

 private:
  uint8_t level_at(size_t pc) const { return std::get<LoopBody>(code_[pc].body).level; }

  bool is_open(uint8_t level) const {
    return std::any_of(open_.begin(), open_.end(), [&](size_t pc) { return level_at(pc) == level; });
  }

  /// One HALT, at the end: then no word is out of reach and no path runs past the program.
  void check_halts() {
    if (code_.empty() || code_.back().op != Op::kHalt) context_.report("E0635", "the last word must be HALT");
    for (size_t pc = 0; pc + 1 < code_.size(); ++pc) {
      if (code_[pc].op == Op::kHalt) context_.report("E0635", pc, "the words behind this HALT cannot be reached");
    }
  }

  void open(size_t pc, const LoopBody& loop) {
    if (is_open(loop.level)) context_.report("E0632", pc, fmt::format("level i{} is already active here (SEQ-3)", int{loop.level}));
    open_.push_back(pc);
  }

  void close(size_t pc, const EndloopBody& end) {
    if (open_.empty() || level_at(open_.back()) != end.level) {
      context_.report("E0631", pc, open_.empty() ? std::string("no loop is open here")
                                                 : fmt::format("the innermost open loop is i{}, from word {}", int{level_at(open_.back())},
                                                               open_.back()));
      return;
    }
    const size_t start = open_.back();
    const auto& loop = std::get<LoopBody>(code_[start].body);
    if (loop.end_pc != pc) context_.report("E0633", start, fmt::format("end is {}, but its ENDLOOP is word {} (SEQ-3)", loop.end_pc, pc));
    open_.pop_back();
  }

  void check_terms(size_t pc, std::span<const LoopTerm> loops, const RingTerm* ring, const char* what) {
    for (const LoopTerm& term : loops) {
      if (term.stride == 0 && term.level != 0) context_.report("E0638", pc, fmt::format("{}: a loop term without stride must be all zero", what));
      if (term.stride == 0 || is_open(term.level)) continue;
      context_.report("E0634", pc, fmt::format("{}: no loop of level i{} is active here (SEQ-3)", what, int{term.level}));
    }
    if (ring != nullptr && ring->stride == 0 && ring->ring != 0) {
      context_.report("E0638", pc, fmt::format("{}: a ring term without stride must be all zero", what));
    }
  }

  void check_levels(size_t pc) {
    const Instr& instr = code_[pc];
    if (const auto* dma = std::get_if<DmaBody>(&instr.body)) {
      check_terms(pc, dma->hbm.loops, nullptr, "hbm");
      check_terms(pc, dma->vmem.loops, &dma->vmem.ring, "vmem");
    } else if (const auto* wld = std::get_if<WldBody>(&instr.body)) {
      check_terms(pc, wld->vmem.loops, &wld->vmem.ring, "vmem");
    } else if (const auto* mm = std::get_if<MmBody>(&instr.body)) {
      check_terms(pc, mm->vmem.loops, &mm->vmem.ring, "vmem");
      check_terms(pc, mm->acc.loops, &mm->acc.ring, "acc");
    } else if (const auto* vx = std::get_if<VxBody>(&instr.body)) {
      for (const VxSlot& slot : vx->slots) check_terms(pc, slot.loops, &slot.ring, "slot");
    }
  }

  VerifyContext& context_;
  const std::vector<Instr>& code_;
  std::vector<size_t> open_;  // LOOP words not yet closed, outermost first
};

}  // namespace

bool check_structure(VerifyContext& context) { return StructureCheck(context).run(); }

}  // namespace lockstep::isa
