#include "tests/unit/hw/timing/random_program.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "hw/isa/walker.h"
#include "tests/unit/hw/timing/test_program.h"

namespace lockstep::timing::test {

namespace {

class Dice {
 public:
  explicit Dice(uint64_t seed) : rng_(seed) {}
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng_() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[between(0, static_cast<int64_t>(values.size()) - 1)];
  }

 private:
  std::mt19937_64 rng_;
};

struct Pair {
  size_t post_pc = 0;
  size_t wait_pc = 0;
  uint8_t sem = 0;
  uint8_t count = 0;
};

class Generator {
 public:
  Generator(uint64_t seed, const chip::ChipSpec& chip) : dice_(seed), chip_(chip) {}

  isa::Program run() {
    out_ = program(chip_, {});
    out_.hbm_bytes = int64_t{1} << 32;
    for (int64_t& base : out_.base_registers) base = dice_.between(1 << 10, 1 << 12) * 1024;
    for (size_t n = 0; n < semaphores_.size(); ++n) make_semaphore(n);
    budget_ = dice_.between(4, 40);
    while (budget_ > 0) body(0, 600);
    out_.code.push_back(halt());
    while (remove_one_uncovered_pair()) {
    }
    return std::move(out_);
  }

 private:
  struct Semaphore {
    isa::EngineId producer = 0;
    isa::EngineId consumer = 0;
    isa::PostWhen when = isa::PostWhen::kDone;
  };

  isa::EngineId any_engine() {
    return dice_.of<isa::EngineId>({isa::kLd0, chip_.dma.load_queues == 2 ? isa::EngineId{1} : isa::kLd0, isa::kSt0,
                                    isa::kVx0, isa::kWld0, isa::kMm0});
  }

  void make_semaphore(size_t n) {
    semaphores_[n] = {any_engine(), any_engine(), dice_.one_in(2) ? kAtDone : kAtSourceFree};
    if (dice_.one_in(2)) out_.semaphores[n] = static_cast<uint8_t>(dice_.between(1, 3));
  }

  /// A straight run of words with loops in between, then the pairs of its own words. `weight` bounds the executed
  /// words: it shrinks with every trip count.
  void body(uint8_t level, int64_t weight) {
    std::vector<size_t> mine;
    const int64_t items = dice_.between(1, 8);
    for (int64_t k = 0; k < items && budget_ > 0; ++k) {
      --budget_;
      if (level < 4 && weight > 3 && dice_.one_in(5)) {
        nested(level, weight);
      } else if (dice_.one_in(25)) {
        out_.code.push_back(sync(static_cast<uint16_t>(dice_.between(0, 0xFFF))));
      } else if (dice_.one_in(4)) {
        tile(mine);
      } else {
        append(random_word(level), mine);
      }
    }
    const int64_t pairs = mine.size() < 2 ? 0 : dice_.between(0, static_cast<int64_t>(mine.size()));
    for (int64_t k = 0; k < pairs; ++k) make_pair(mine);
  }

  void nested(uint8_t level, int64_t weight) {
    const int64_t trip = dice_.one_in(8) ? 0 : dice_.between(1, std::min<int64_t>(weight, dice_.one_in(4) ? 20 : 4));
    const size_t at = out_.code.size();
    out_.code.push_back(halt());
    body(static_cast<uint8_t>(level + 1), weight / std::max<int64_t>(trip, 1));
    out_.code[at] = loop(level, static_cast<uint32_t>(trip), static_cast<uint32_t>(out_.code.size()));
    out_.code.push_back(endloop(level));
  }

  /// WLD and its MM with a switch, with no loop between them: MXU-2 in program order.
  void tile(std::vector<size_t>& mine) {
    append(wld(), mine);
    while (dice_.one_in(3)) append(dice_.one_in(2) ? mm(rows()) : vx(rows()), mine);
    append(mm(rows(), true), mine);
    while (dice_.one_in(3)) append(mm(rows()), mine);
  }

  uint32_t rows() { return static_cast<uint32_t>(dice_.one_in(10) ? 0 : dice_.between(1, dice_.one_in(3) ? 40 : 6)); }

  WordBuilder random_word(uint8_t level) {
    switch (dice_.between(0, 5)) {
      case 0: return vx(static_cast<uint32_t>(dice_.between(0, 20)), static_cast<uint32_t>(dice_.between(0, 3)));
      case 1: return mm(rows());
      case 2: return transfer(isa::Op::kSt, level);
      default: return transfer(isa::Op::kLd, level);
    }
  }

  WordBuilder transfer(isa::Op op, uint8_t level) {
    WordBuilder out = word(op);
    if (op == isa::Op::kLd && chip_.dma.load_queues == 2 && dice_.one_in(2)) out.instr.unit = 1;
    auto& body = std::get<isa::DmaBody>(out.instr.body);
    body.hbm.base = static_cast<uint8_t>(dice_.between(0, 15));
    body.hbm.imm = dice_.between(0, 400) * 32;
    for (size_t k = 0; k < 4 && level > 0; ++k) {
      if (dice_.one_in(2)) continue;
      body.hbm.loops[k] = {static_cast<uint8_t>(dice_.between(0, level - 1)), dice_.between(-64, 64) * 32};
    }
    const bool empty = dice_.one_in(6);
    body.hbm_shape.run_bytes = static_cast<uint32_t>(32 * dice_.between(1, dice_.one_in(6) ? 80 : 6));
    body.hbm_shape.n1 = static_cast<uint32_t>(dice_.between(1, 4));
    body.hbm_shape.stride1_bytes = dice_.between(-40, 40) * 32;
    body.hbm_shape.stride2_bytes = dice_.between(-300, 300) * 32;
    body.reps.imm = static_cast<uint32_t>(dice_.one_in(3) ? dice_.between(1, 3) : 1);
    if (empty) {
      switch (dice_.between(0, 2)) {
        case 0: body.hbm_shape.run_bytes = 0; break;
        case 1: body.hbm_shape.n1 = 0; break;
        default: body.reps.imm = 0; break;
      }
    }
    body.vmem_shape = body.hbm_shape;
    return out;
  }

  void append(isa::Instr instr, std::vector<size_t>& mine) {
    instr.tag = static_cast<uint32_t>(out_.code.size());
    mine.push_back(out_.code.size());
    out_.code.push_back(std::move(instr));
  }

  /// Ties two words of `mine` by a semaphore of their engines, if both have room.
  void make_pair(const std::vector<size_t>& mine) {
    const auto pick = [&] { return mine[static_cast<size_t>(dice_.between(0, static_cast<int64_t>(mine.size()) - 1))]; };
    const size_t post_pc = pick();
    const size_t wait_pc = pick();
    isa::Instr& producer = out_.code[post_pc];
    isa::Instr& consumer = out_.code[wait_pc];
    for (size_t n = 0; n < semaphores_.size(); ++n) {
      const Semaphore& s = semaphores_[n];
      if (s.producer != isa::engine_of(producer) || s.consumer != isa::engine_of(consumer)) continue;
      const auto sem = static_cast<uint8_t>(n);
      const auto unused = [](const auto& entry) { return entry.count == 0; };
      const auto free_post = std::find_if(producer.posts.begin(), producer.posts.end(), unused);
      const auto free_wait = std::find_if(consumer.waits.begin(), consumer.waits.end(), unused);
      const bool used = std::any_of(consumer.waits.begin(), consumer.waits.end(),
                                    [&](auto& w) { return w.count > 0 && w.sem == sem; });
      if (free_post == producer.posts.end() || free_wait == consumer.waits.end() || used) continue;
      const auto count = static_cast<uint8_t>(dice_.one_in(4) ? 2 : 1);
      *free_post = {sem, count, s.when};
      *free_wait = {sem, count};
      pairs_.push_back({post_pc, wait_pc, sem, count});
      return;
    }
  }

  /// Walks in program order (SEM-4); removes the pair of the first uncovered wait.
  bool remove_one_uncovered_pair() {
    std::array<int64_t, isa::kSemaphores> tokens{};
    for (size_t n = 0; n < tokens.size(); ++n) tokens[n] = out_.semaphores[n];
    const isa::WalkPlan plan(out_);
    isa::Walker walker(plan);
    while (const isa::DynamicWord* word = walker.next()) {
      for (const isa::Wait& wait : word->instr->waits) {
        if (wait.count == 0 || tokens[wait.sem] >= wait.count) continue;
        remove_pair(word->pc, wait.sem);
        return true;
      }
      for (const isa::Wait& wait : word->instr->waits) tokens[wait.sem] -= wait.count;
      for (const isa::Post& post : word->instr->posts) tokens[post.sem] += post.count;
    }
    return false;
  }

  void remove_pair(size_t wait_pc, uint8_t sem) {
    const auto pair = std::find_if(pairs_.begin(), pairs_.end(),
                                   [&](const Pair& p) { return p.wait_pc == wait_pc && p.sem == sem; });
    for (isa::Post& post : out_.code[pair->post_pc].posts) {
      if (post.count == pair->count && post.sem == sem) {
        post = {};
        break;
      }
    }
    for (isa::Wait& wait : out_.code[wait_pc].waits) {
      if (wait.sem == sem) wait = {};
    }
    pairs_.erase(pair);
  }

  Dice dice_;
  const chip::ChipSpec& chip_;
  isa::Program out_;
  std::array<Semaphore, 40> semaphores_;
  std::vector<Pair> pairs_;
  int64_t budget_ = 0;
};

}  // namespace

chip::ChipSpec random_chip(uint64_t seed) {
  Dice dice(seed * 977 + 5);
  const auto number = [&dice](int64_t low, int64_t high) { return static_cast<int>(dice.between(low, high)); };
  chip::ChipSpec chip = small_chip();
  chip.clock_MHz = dice.of({100, 500, 800, 1050, 1500});
  chip.mxu.weight_load_rows = dice.of({1, 2, 4, 8});
  chip.mxu.rows = std::max(chip.mxu.weight_load_rows, dice.of({4, 8, 16, 32}));
  chip.mxu.cols = std::max(chip.mxu.weight_load_rows, dice.of({4, 8, 16, 32}));
  chip.mxu.acc_latency = number(2, 6);
  chip.vpu.rows_per_cycle = dice.of({1, 2, 4, 8});
  chip.vpu.latency.start = number(0, 5);
  chip.vpu.latency.load = number(1, 9);
  chip.vpu.latency.store = number(1, 9);
  chip.vmem.read_latency = number(1, 5);
  chip.dma.load_queues = number(1, 2);
  chip.dma.burst_bytes = 32 << number(0, 5);
  chip.dma.beat_bytes = 8 << number(0, 6);
  chip.dma.setup_cycles = dice.one_in(5) ? 0 : number(1, 8);
  chip.dma.max_outstanding = dice.one_in(3) ? 64 : number(1, 6);
  chip.dma.quantum = dice.one_in(2) ? 16 : number(1, 5);
  const auto depth = [&] { return dice.of({1, 2, 3, 4, 8}); };
  chip.queue_depth = {depth(), depth(), depth(), depth(), depth()};
  chip.dram.bandwidth_GBps = static_cast<double>(number(20, 4000)) * chip.clock_MHz / 20000.0;
  chip.dram.latency_ns = number(0, 3) == 0 ? 0 : number(1, 200) * 1000.0 / chip.clock_MHz / 2;
  chip.dram.access_bytes = dice.of({16, 32, 64, 128});
  chip.dram.command_slots = dice.one_in(2) ? 8 : number(1, 4);
  chip.dram.ticks = dice.one_in(2) ? 0 : number(1, 64);
  return chip;
}

isa::Program random_program(uint64_t seed, const chip::ChipSpec& chip) { return Generator(seed, chip).run(); }

target::RunOptions random_options(uint64_t seed) {
  Dice dice(seed * 31 + 7);
  target::RunOptions options;
  options.record_events = true;
  options.max_cycles = 200'000;
  if (dice.one_in(2)) {
    options.jitter_seed = static_cast<uint32_t>(seed);
    options.jitter_max_cycles = static_cast<int>(dice.between(1, 30));
  }
  return options;
}

}  // namespace lockstep::timing::test
