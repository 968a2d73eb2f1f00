#include "tests/unit/compiler/lower/happens_before.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "hw/base/check.h"
#include "hw/isa/walker.h"

namespace lockstep::compiler_test {

namespace {

enum Moment : size_t { kIssue, kSourceFree, kDone };
constexpr size_t kMoments = 3;

/// Per engine and moment: how many of its words are known to have reached it.
using Clock = std::array<std::array<int64_t, kMoments>, isa::kEngineCount>;

void join(Clock& into, const Clock& other) {
  for (size_t e = 0; e < into.size(); ++e) {
    for (size_t m = 0; m < kMoments; ++m) into[e][m] = std::max(into[e][m], other[e][m]);
  }
}

struct Interval {
  int64_t begin = 0;
  int64_t end = 0;
};

/// One kind of access of one executed word. Spaces never alias: VMEM bytes, or accumulator rows.
struct Access {
  bool is_acc = false;
  bool is_write = false;
  Moment ends = kDone;  // the event after which the access is over
  std::vector<Interval> parts;
};

struct Executed {
  uint32_t pc = 0;
  size_t engine = 0;
  int64_t number = 0;  // 1-based, of its engine
  std::vector<Access> accesses;
};

Access strided(bool is_acc, bool is_write, Moment ends, int64_t base, int64_t count, int64_t stride, int64_t size) {
  Access a{is_acc, is_write, ends, {}};
  for (int64_t i = 0; i < count; ++i) a.parts.push_back({base + i * stride, base + i * stride + size});
  return a;
}

std::vector<Access> accesses_of(const isa::DynamicWord& word, const chip::ChipSpec& chip) {
  const isa::Instr& instr = *word.instr;
  switch (instr.op) {
    case isa::Op::kLd:
    case isa::Op::kSt: {
      const isa::DmaShape& s = std::get<isa::DmaBody>(instr.body).vmem_shape;
      const bool load = instr.op == isa::Op::kLd;
      return {strided(false, load, load ? kDone : kSourceFree, word.vmem(), s.n1, s.stride1_bytes, s.run_bytes)};
    }
    case isa::Op::kWld: {
      const auto& w = std::get<isa::WldBody>(instr.body);
      return {strided(false, false, kSourceFree, word.vmem(), w.k_valid, w.row_stride_bytes, chip.mxu.cols)};
    }
    case isa::Op::kMm: {
      const auto& m = std::get<isa::MmBody>(instr.body);
      return {strided(false, false, kSourceFree, word.vmem(), m.k_valid == 0 ? 0 : word.count, m.row_stride_bytes, m.k_valid),
              strided(true, true, kDone, word.acc(), 1, 0, word.count)};
    }
    case isa::Op::kVx: {
      const auto& v = std::get<isa::VxBody>(instr.body);
      return {strided(true, false, kSourceFree, word.slot(0), 1, 0, word.count),
              strided(false, true, kDone, word.slot(1), word.count, v.slots[1].row_stride, int64_t{4} * chip.mxu.cols)};
    }
    default: return {};
  }
}

bool overlap(const Access& a, const Access& b) {
  if (a.is_acc != b.is_acc || (!a.is_write && !b.is_write)) return false;
  for (const Interval& x : a.parts) {
    for (const Interval& y : b.parts) {
      if (x.begin < y.end && y.begin < x.end) return true;
    }
  }
  return false;
}

class Order {
 public:
  explicit Order(const isa::Program& program) {
    for (size_t s = 0; s < tokens_.size(); ++s) tokens_[s].assign(program.semaphores[s], Clock{});
  }

  /// What is known to have happened when this word issues, then what its events add. Program order is legal (SEM-4),
  /// so every token is there.
  Clock execute(const isa::Instr& instr, size_t engine) {
    Clock issue = last_[engine][kIssue];
    for (const isa::Wait& wait : instr.waits) {
      for (int i = 0; i < wait.count; ++i) {
        CHECK(!tokens_[wait.sem].empty()) << "semaphore " << int{wait.sem};
        join(issue, tokens_[wait.sem].front());
        tokens_[wait.sem].pop_front();
      }
    }
    join_planes(instr, issue);
    const int64_t number = ++issued_[engine];
    record(engine, kIssue, number, issue);
    record(engine, kSourceFree, number, last_[engine][kIssue]);
    record(engine, kDone, number, last_[engine][kSourceFree]);
    for (const isa::Post& post : instr.posts) {
      const Moment moment = post.when == isa::PostWhen::kDone ? kDone : kSourceFree;
      tokens_[post.sem].insert(tokens_[post.sem].end(), post.count, last_[engine][moment]);
    }
    return issue;
  }

 private:
  /// MXU-2: a WLD issues after the MM that switched away from its plane, an MM with switch after its WLD.
  void join_planes(const isa::Instr& instr, Clock& issue) const {
    if (instr.op == isa::Op::kWld) join(issue, last_[isa::kMm0][kIssue]);
    if (instr.op == isa::Op::kMm && std::get<isa::MmBody>(instr.body).switch_plane) join(issue, last_[isa::kWld0][kIssue]);
  }

  void record(size_t engine, Moment moment, int64_t number, const Clock& cause) {
    Clock& clock = last_[engine][moment];
    join(clock, cause);
    clock[engine][moment] = number;
  }

  std::array<std::deque<Clock>, isa::kSemaphores> tokens_;
  std::array<std::array<Clock, kMoments>, isa::kEngineCount> last_{};
  std::array<int64_t, isa::kEngineCount> issued_{};
};

}  // namespace

std::string find_race(const isa::Program& program, const chip::ChipSpec& chip) {
  const isa::WalkPlan plan(program);
  isa::Walker walker(plan);
  Order order(program);
  std::vector<Executed> earlier;
  std::array<int64_t, isa::kEngineCount> numbers{};
  while (const isa::DynamicWord* word = walker.next()) {
    if (!isa::is_engine_op(word->instr->op)) continue;
    const size_t engine = isa::engine_of(*word->instr);
    const Clock known = order.execute(*word->instr, engine);
    Executed now{word->pc, engine, ++numbers[engine], accesses_of(*word, chip)};
    for (const Executed& before : earlier) {
      if (before.engine == engine) continue;
      for (const Access& a : before.accesses) {
        if (known[before.engine][a.ends] >= before.number) continue;
        for (const Access& b : now.accesses) {
          if (!overlap(a, b)) continue;
          return fmt::format("word {} of {} races with word {} of {}", now.pc, isa::engine_name(static_cast<isa::EngineId>(engine)),
                             before.pc, isa::engine_name(static_cast<isa::EngineId>(before.engine)));
        }
      }
    }
    earlier.push_back(std::move(now));
  }
  return "";
}

}  // namespace lockstep::compiler_test
