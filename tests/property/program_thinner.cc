#include "tests/property/program_thinner.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hw/golden/golden.h"
#include "tests/property/program_gen.h"
#include "tests/property/race_check.h"

namespace lockstep::testgen {
namespace {

using isa::Op;

/// Removes words and moves the ENDLOOP positions along.
void erase_words(isa::Program& program, const std::vector<size_t>& pcs) {
  std::vector<uint32_t> shift(program.code.size() + 1, 0);
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    shift[pc + 1] = shift[pc] + (std::count(pcs.begin(), pcs.end(), pc) > 0 ? 1u : 0u);
  }
  for (isa::Instr& instr : program.code) {
    if (auto* loop = std::get_if<isa::LoopBody>(&instr.body)) loop->end_pc -= shift[loop->end_pc];
  }
  std::vector<isa::Instr> kept;
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    if (shift[pc + 1] == shift[pc]) kept.push_back(program.code[pc]);
  }
  program.code = std::move(kept);
}

void drop_semaphore(isa::Program& program, int sem) {
  program.semaphores[static_cast<size_t>(sem)] = 0;
  for (isa::Instr& instr : program.code) {
    for (isa::Wait& wait : instr.waits) {
      if (wait.sem == sem) wait = {};
    }
    for (isa::Post& post : instr.posts) {
      if (post.sem == sem) post = {};
    }
  }
}

void drop_tokens_of(isa::Program& program, const isa::Instr& instr) {
  for (const isa::Wait& wait : instr.waits) {
    if (wait.count > 0) drop_semaphore(program, wait.sem);
  }
  for (const isa::Post& post : instr.posts) {
    if (post.count > 0) drop_semaphore(program, post.sem);
  }
}

void clear_level(std::span<isa::LoopTerm> terms, uint8_t level) {
  for (isa::LoopTerm& term : terms) {
    if (term.level == level) term = {};
  }
}

/// Takes LOOP and ENDLOOP off; the words run once, with index 0.
void unloop(isa::Program& program, size_t pc) {
  const auto body = std::get<isa::LoopBody>(program.code[pc].body);
  for (size_t k = pc; k < body.end_pc; ++k) {
    isa::Instr& instr = program.code[k];
    if (auto* dma = std::get_if<isa::DmaBody>(&instr.body)) {
      clear_level(dma->hbm.loops, body.level);
      clear_level(dma->vmem.loops, body.level);
    } else if (auto* wld = std::get_if<isa::WldBody>(&instr.body)) {
      clear_level(wld->vmem.loops, body.level);
    } else if (auto* mm = std::get_if<isa::MmBody>(&instr.body)) {
      clear_level(mm->vmem.loops, body.level);
      clear_level(mm->acc.loops, body.level);
    } else if (auto* vx = std::get_if<isa::VxBody>(&instr.body)) {
      for (isa::VxSlot& slot : vx->slots) clear_level(slot.loops, body.level);
    }
  }
  erase_words(program, {pc, body.end_pc});
}

class Thinner {
 public:
  Thinner(isa::Program& program, const chip::ChipSpec& chip, const std::function<bool(const isa::Program&)>& keeps)
      : program_(program), chip_(chip), keeps_(keeps) {}

  void run() {
    while (drop_engines() | shorten_loops() | drop_words() | drop_pairs() | drop_semaphores()) {
    }
  }

 private:
  template <typename Change>
  bool attempt(Change&& change) {
    isa::Program candidate = program_;
    change(candidate);
    if (candidate == program_ || !is_legal(candidate, chip_) || !keeps_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool drop_engines() {
    bool progress = false;
    for (int engine = 0; engine < isa::kEngineCount; ++engine) {
      progress |= attempt([&](isa::Program& p) {
        std::vector<size_t> pcs;
        for (size_t pc = 0; pc < p.code.size(); ++pc) {
          if (isa::is_engine_op(p.code[pc].op) && isa::engine_of(p.code[pc]) == engine) pcs.push_back(pc);
        }
        for (const size_t pc : pcs) drop_tokens_of(p, isa::Instr(p.code[pc]));
        erase_words(p, pcs);
      });
    }
    return progress;
  }

  bool shorten_loops() {
    bool progress = false;
    for (size_t pc = 0; pc < program_.code.size(); ++pc) {
      if (program_.code[pc].op != Op::kLoop) continue;
      progress |= attempt([&](isa::Program& p) { std::get<isa::LoopBody>(p.code[pc].body).trip.imm = 1; });
      progress |= attempt([&](isa::Program& p) { unloop(p, pc); });
    }
    return progress;
  }

  /// A word alone (one without tokens), or with every token pair it takes part in.
  bool drop_words() {
    bool progress = false;
    for (size_t pc = program_.code.size(); pc-- > 0;) {
      const Op op = program_.code[pc].op;
      if (op == Op::kLoop || op == Op::kEndloop || op == Op::kHalt) continue;
      const bool dropped = attempt([&](isa::Program& p) { erase_words(p, {pc}); }) ||
                           attempt([&](isa::Program& p) {
                             drop_tokens_of(p, isa::Instr(p.code[pc]));
                             erase_words(p, {pc});
                           });
      progress |= dropped;
    }
    return progress;
  }

  /// A producer and a consumer of one semaphore together keep its balance.
  bool drop_pairs() {
    bool progress = false;
    for (size_t a = 0; a < program_.code.size(); ++a) {
      for (size_t b = a + 1; b < program_.code.size() && b < a + 40; ++b) {
        if (a < program_.code.size() && linked(program_.code[a], program_.code[b])) {
          progress |= attempt([&](isa::Program& p) { erase_words(p, {a, b}); });
        }
      }
    }
    return progress;
  }

  static bool linked(const isa::Instr& producer, const isa::Instr& consumer) {
    for (const isa::Post& post : producer.posts) {
      for (const isa::Wait& wait : consumer.waits) {
        if (post.count > 0 && wait.count > 0 && post.sem == wait.sem) return true;
      }
    }
    return false;
  }

  bool drop_semaphores() {
    bool progress = false;
    for (int sem = 0; sem < isa::kSemaphores; ++sem) progress |= attempt([&](isa::Program& p) { drop_semaphore(p, sem); });
    return progress;
  }

  isa::Program& program_;
  const chip::ChipSpec& chip_;
  const std::function<bool(const isa::Program&)>& keeps_;
};

}  // namespace

bool is_legal(const isa::Program& program, const chip::ChipSpec& chip) {
  golden::GoldenTarget golden(chip);
  target::MemoryImage first = random_image(1, program), second = first;
  const Result<target::RunResult> run = golden.run(program, first, {.vmem_fill = 0x3C});
  if (!run.ok() || run->fault || !golden.run(program, second, {.vmem_fill = 0xC3}).ok()) return false;
  return first == second && find_races(program, chip, 1).empty();
}

void thin(isa::Program& program, const chip::ChipSpec& chip, const std::function<bool(const isa::Program&)>& keeps) {
  Thinner(program, chip, keeps).run();
}

}  // namespace lockstep::testgen
