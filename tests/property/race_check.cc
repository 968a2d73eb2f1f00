#include "tests/property/race_check.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "hw/isa/walker.h"

namespace lockstep::testgen {
namespace {

using isa::Op;

enum Moment : size_t { kIssue = 0, kFree = 1, kDone = 2 };

/// How many words of each engine have reached each moment, as far as is certain.
struct Clock {
  std::array<uint32_t, isa::kEngineCount * 3> at{};

  uint32_t& of(size_t engine, Moment moment) { return at[engine * 3 + moment]; }
  uint32_t of(size_t engine, Moment moment) const { return at[engine * 3 + moment]; }
  void join(const Clock& other) {
    for (size_t k = 0; k < at.size(); ++k) at[k] = std::max(at[k], other.at[k]);
  }
};

/// The last write of a cell and the reads since, by engine and number of the word (from 1).
struct Cell {
  uint8_t writer = 0xFF;
  uint32_t write = 0;
  std::array<uint32_t, isa::kEngineCount> reads{};
};

struct Memory {
  const char* name;
  int64_t unit;  // bytes, or rows
  std::vector<Cell> cells;
};

class RaceChecker {
 public:
  RaceChecker(const isa::Program& program, const chip::ChipSpec& chip, size_t limit)
      : program_(program), chip_(chip), limit_(limit) {
    // Operands are separated by granules or lines, so cells of 4 bytes never join two of them.
    add_memory("HBM", chip.dma.granule_bytes, program.hbm_bytes);
    add_memory("VMEM", 4, chip::vmem_bytes(chip));
    for (int mxu = 0; mxu < chip.mxu.count; ++mxu) add_memory("ACC", 1, chip.mxu.acc_rows);
    for (size_t s = 0; s < sems_.size(); ++s) {
      if (program.semaphores[s] > 0) sems_[s].tokens.push_back({program.semaphores[s], {}});
      sems_[s].posted = program.semaphores[s];
    }
  }

  std::vector<std::string> run() {
    const isa::WalkPlan plan(program_);
    isa::Walker walker(plan);
    while (const isa::DynamicWord* word = walker.next()) {
      if (found_.size() >= limit_) break;
      if (word->instr->op == Op::kSync) {
        const unsigned mask = std::get<isa::SyncBody>(word->instr->body).engines;
        for (size_t e = 0; e < engines_.size(); ++e) {
          if ((mask >> e & 1) != 0) synced_.join(engines_[e].done);
        }
      } else if (isa::is_engine_op(word->instr->op)) {
        step(*word);
      }
    }
    return std::move(found_);
  }

 private:
  struct Engine {
    uint32_t count = 0;
    Clock issue, free, done;
  };
  struct Tokens {
    int count;
    Clock clock;
  };
  struct Semaphore {
    std::deque<Tokens> tokens;
    uint64_t posted = 0;    // start count included
    uint64_t consumed = 0;
    size_t consumer = 0;
    std::vector<std::pair<uint32_t, uint64_t>> history;  // consumer's word number, consumed up to there
  };
  struct Mxu {
    Clock wld, switched;
  };

  void add_memory(const char* name, int64_t unit, int64_t size) {
    memories_.push_back({name, unit, std::vector<Cell>(static_cast<size_t>((size + unit - 1) / unit))});
  }

  void step(const isa::DynamicWord& word) {
    const isa::Instr& instr = *word.instr;
    const size_t e = isa::engine_of(instr);
    Engine& engine = engines_[e];
    ++engine.count;
    word_ = &word;
    now_ = engine.issue;
    now_.join(synced_);
    for (const isa::Wait& wait : instr.waits) consume(wait, e);
    Mxu& mxu = mxus_[instr.unit];
    const bool switches = instr.op == Op::kMm && std::get<isa::MmBody>(instr.body).switch_plane;
    if (instr.op == Op::kWld) now_.join(mxu.switched);
    if (switches) now_.join(mxu.wld);
    now_.of(e, kIssue) = engine.count;
    if (instr.op == Op::kWld) mxu.wld = now_;
    if (switches) mxu.switched = now_;
    engine.issue = now_;
    touch_all(word, e);
    engine.free.join(engine.issue);
    engine.free.of(e, kFree) = engine.count;
    engine.done.join(engine.free);
    engine.done.of(e, kDone) = engine.count;
    for (const isa::Post& post : instr.posts) publish(post, engine);
  }

  void consume(const isa::Wait& wait, size_t e) {
    Semaphore& sem = sems_[wait.sem];
    for (int left = wait.count; left > 0;) {
      if (sem.tokens.empty()) return report(fmt::format("semaphore {} is not covered", wait.sem));
      Tokens& head = sem.tokens.front();
      const int taken = std::min(left, head.count);
      now_.join(head.clock);
      left -= taken;
      head.count -= taken;
      if (head.count == 0) sem.tokens.pop_front();
    }
    if (wait.count == 0) return;
    sem.consumed += wait.count;
    sem.consumer = e;
    sem.history.push_back({engines_[e].count, sem.consumed});
  }

  void publish(const isa::Post& post, const Engine& engine) {
    if (post.count == 0) return;
    Semaphore& sem = sems_[post.sem];
    const Clock& clock = post.when == isa::PostWhen::kDone ? engine.done : engine.free;
    sem.tokens.push_back({post.count, clock});
    sem.posted += post.count;
    // Certainly consumed by then: what the consumer's words known to have issued took.
    const uint32_t known = clock.of(sem.consumer, kIssue);
    const auto it = std::upper_bound(sem.history.begin(), sem.history.end(), known,
                                     [](uint32_t word, const auto& entry) { return word < entry.first; });
    const uint64_t consumed = it == sem.history.begin() ? 0 : std::prev(it)->second;
    if (sem.posted - consumed > 255) report(fmt::format("semaphore {} can reach {}", post.sem, sem.posted - consumed));
  }

  void report(const std::string& what) {
    if (found_.size() >= limit_) return;
    found_.push_back(fmt::format("pc {} {}: {}", word_->pc, isa::op_name(word_->instr->op), what));
  }

  void touch(size_t memory, int64_t begin, int64_t end, bool writes, size_t e) {
    Memory& space = memories_[memory];
    for (int64_t k = begin / space.unit; k * space.unit < end; ++k) {
      Cell& cell = space.cells[static_cast<size_t>(k)];
      if (cell.writer != 0xFF && cell.writer != e && now_.of(cell.writer, kDone) < cell.write) {
        report(fmt::format("{} {} not ordered behind write {} of {}", space.name, k * space.unit, cell.write,
                           isa::engine_name(cell.writer)));
      }
      if (!writes) {
        cell.reads[e] = engines_[e].count;
        continue;
      }
      for (size_t r = 0; r < cell.reads.size(); ++r) {
        if (r != e && now_.of(r, kFree) < cell.reads[r]) {
          report(fmt::format("{} {} written, not ordered behind read {} of {}", space.name, k * space.unit, cell.reads[r],
                             isa::engine_name(static_cast<isa::EngineId>(r))));
        }
      }
      cell = {};
      cell.writer = static_cast<uint8_t>(e);
      cell.write = engines_[e].count;
    }
  }

  void touch_shape(size_t memory, int64_t start, const isa::DmaShape& shape, int64_t reps, bool writes, size_t e) {
    for (int64_t o = 0; o < reps; ++o) {
      for (int64_t j = 0; j < shape.n1; ++j) {
        const int64_t begin = start + o * shape.stride2_bytes + j * shape.stride1_bytes;
        touch(memory, begin, begin + shape.run_bytes, writes, e);
      }
    }
  }

  void touch_rows(int64_t start, int64_t stride, int64_t rows, int64_t width, size_t e) {
    for (int64_t r = 0; r < rows; ++r) touch(1, start + r * stride, start + r * stride + width, false, e);
  }

  void touch_all(const isa::DynamicWord& word, size_t e) {
    const isa::Instr& instr = *word.instr;
    if (const auto* dma = std::get_if<isa::DmaBody>(&instr.body)) {
      const bool load = instr.op == Op::kLd;
      touch_shape(0, word.hbm(), dma->hbm_shape, word.count, !load, e);
      touch_shape(1, word.vmem(), dma->vmem_shape, word.count, load, e);
    } else if (const auto* wld = std::get_if<isa::WldBody>(&instr.body)) {
      touch_rows(word.vmem(), wld->row_stride_bytes, wld->k_valid, chip_.mxu.cols, e);
    } else if (const auto* mm = std::get_if<isa::MmBody>(&instr.body)) {
      touch_rows(word.vmem(), mm->row_stride_bytes, word.count, chip_.mxu.rows, e);
      touch(2 + instr.unit, word.acc(), word.acc() + word.count, true, e);
    } else {
      touch_vx(word, std::get<isa::VxBody>(instr.body), e);
    }
  }

  void touch_vx(const isa::DynamicWord& word, const isa::VxBody& body, size_t e) {
    const int64_t lanes = chip_.vpu.lanes, per_row = chip_.mxu.cols / lanes;
    const isa::VxSlot& from = body.slots[0];
    const isa::VxSlot& to = body.slots[1];
    const size_t acc = 2 + static_cast<size_t>(from.space) - static_cast<size_t>(isa::VxSpace::kAcc0);
    for (int64_t r = 0; r < word.count; ++r) {
      for (int64_t j = 0; j < body.chunks; ++j) {
        const int64_t row = word.slot(0) + r * from.row_stride + j / per_row * from.chunk_stride;
        touch(acc, row, row + 1, false, e);
        const int64_t begin = word.slot(1) + r * to.row_stride + j * to.chunk_stride;
        const int64_t valid = std::clamp<int64_t>(int64_t{body.cols_valid} - j * lanes, 0, lanes);
        touch(1, begin, begin + 4 * valid, true, e);
      }
    }
  }

  const isa::Program& program_;
  const chip::ChipSpec& chip_;
  size_t limit_;
  std::vector<Memory> memories_;
  std::array<Engine, isa::kEngineCount> engines_;
  std::array<Semaphore, isa::kSemaphores> sems_;
  std::array<Mxu, 4> mxus_;
  Clock synced_, now_;
  const isa::DynamicWord* word_ = nullptr;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> find_races(const isa::Program& program, const chip::ChipSpec& chip, size_t limit) {
  return RaceChecker(program, chip, limit).run();
}

}  // namespace lockstep::testgen
