#include "tests/unit/hw/timing/random_nest.h"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/unit/hw/timing/random_program.h"
#include "tests/unit/hw/timing/test_program.h"

namespace lockstep::timing::test {

namespace {

constexpr int64_t kStripe = 8192;
constexpr int64_t kMiddle = int64_t{1} << 31;  // of HBM, so that negative strides have room

class NestGenerator {
 public:
  explicit NestGenerator(uint64_t seed, int64_t words) : rng_(seed * 7919 + 3), budget_(words) {
    out_.chip = random_chip(seed);
    limits();
    held_back_ = one_in(8) ? of<int>({1, 2}) : -1;
    if (held_back_ == 1) out_.chip.dma.load_queues = 2;
    out_.program = program(out_.chip, {});
    out_.program.hbm_bytes = int64_t{1} << 32;
  }

  NestCase run() {
    std::vector<isa::Instr>& code = out_.program.code;
    const uint8_t late_sem = 63;
    if (held_back_ >= 0) {
      // A word of before the nest waits in its queue until after it.
      WordBuilder old = held_back_ == 1 ? ld1(address(), 256) : st(address(), 256);
      code.push_back(std::move(old).wait(late_sem));
    }
    for (int64_t k = between(0, 2); k > 0; --k) code.push_back(transfer(0));
    const int64_t nests = one_in(4) ? 2 : 1;
    for (int64_t k = 0; k < nests; ++k) nest(0, static_cast<int>(between(1, 4)), budget_ / nests);
    for (int64_t k = between(0, 2); k > 0; --k) code.push_back(transfer(0));
    if (held_back_ >= 0) code.push_back(std::move(vx(1)).post(late_sem));
    code.push_back(halt());
    for (size_t pc = 0; pc < code.size(); ++pc) code[pc].tag = static_cast<uint32_t>(pc + 1);
    faults();
    return std::move(out_);
  }

 private:
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng_() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[between(0, static_cast<int64_t>(values.size()) - 1)];
  }

  void limits() {
    chip::ChipSpec& chip = out_.chip;
    if (one_in(3)) chip.dma.max_outstanding = of({1, 2, 3, 64});
    if (one_in(3)) chip.dma.quantum = of({1, 2, 3, 1000});
    if (one_in(2)) chip.dma.load_queues = 2;
  }

  /// A loop of `depth` levels of about `words` words.
  void nest(uint8_t level, int depth, int64_t words) {
    std::vector<isa::Instr>& code = out_.program.code;
    const size_t at = code.size();
    code.push_back(halt());
    const int64_t share = depth > 1 ? std::max<int64_t>(1, words / between(2, 24)) : 0;
    const size_t first = code.size();
    body(static_cast<uint8_t>(level + 1));
    if (depth > 1) {
      nest(static_cast<uint8_t>(level + 1), depth - 1, share);
      if (one_in(2)) body(static_cast<uint8_t>(level + 1));
      if (one_in(4)) nest(static_cast<uint8_t>(level + 1), 1, share / 2);
    }
    const int64_t size = static_cast<int64_t>(code.size() - first) + share;
    int64_t trip = std::clamp<int64_t>(words / size, 1, 5000);
    if (one_in(3)) trip = between(0, trip);
    if (one_in(40)) trip = 0;
    code.push_back(endloop(level));
    code[at] = loop(level, static_cast<uint32_t>(trip), static_cast<uint32_t>(code.size() - 1));
  }

  /// A straight run of words at the depth `level`; its token pairs balance in each execution.
  void body(uint8_t level) {
    std::vector<isa::Instr> mine;
    for (int64_t k = between(1, 4); k > 0; --k) {
      if (one_in(3)) {
        mine.push_back(wld());
        if (one_in(3)) mine.push_back(mm(rows()));
        mine.push_back(mm(rows(), true));
      } else {
        mine.push_back(word_at(level));
      }
    }
    for (int64_t k = between(0, 4); k > 0; --k) pair(mine);
    if (one_in(20)) mine.push_back(sync(static_cast<uint16_t>(between(0, 0xFFF))));
    out_.program.code.insert(out_.program.code.end(), mine.begin(), mine.end());
  }

  isa::Instr word_at(uint8_t level) {
    switch (between(0, 6)) {
      case 0: return vx(one_in(10) ? static_cast<uint32_t>(between(100, 3000)) : static_cast<uint32_t>(between(0, 20)));
      case 1: return mm(rows());
      default: return transfer(level);
    }
  }

  uint32_t rows() { return static_cast<uint32_t>(one_in(12) ? between(200, 4000) : between(0, 40)); }
  int64_t address() { return kMiddle + (one_in(2) ? between(0, 8) * kStripe : between(0, 500) * 32); }

  int64_t stride() {
    const int64_t sign = one_in(4) ? -1 : 1;
    switch (between(0, 9)) {
      case 0: return 0;
      case 1: return sign * between(1, 300) * 32;
      case 2: return sign * between(1, 99) * 4;
      case 3: case 4: return sign * between(1, 16) * 2048;
      case 5: return sign * (int64_t{256} << between(0, 4));
      default: return sign * between(1, 6) * kStripe;
    }
  }

  /// Near multiples of a burst or a stripe, or small.
  int64_t length() {
    if (one_in(10)) return 0;
    const int64_t unit = one_in(6) ? kStripe : out_.chip.dma.burst_bytes;
    return std::max<int64_t>(1, unit * between(0, unit == kStripe ? 1 : 4) + of<int64_t>({0, 0, 0, 1, -1, 32, 4}));
  }

  WordBuilder transfer(uint8_t level) {
    int queue = static_cast<int>(between(0, 2));
    if (queue == held_back_ || (queue == 1 && out_.chip.dma.load_queues == 1)) queue = 0;
    WordBuilder out = word(queue == 2 ? isa::Op::kSt : isa::Op::kLd);
    out.instr.unit = queue == 1 ? 1 : 0;
    auto& body = std::get<isa::DmaBody>(out.instr.body);
    body.hbm.imm = address();
    for (size_t k = 0; k < std::min<size_t>(level, 4); ++k) {
      if (!one_in(3)) body.hbm.loops[k] = {static_cast<uint8_t>(one_in(8) ? between(0, level - 1) : int64_t(k)), stride()};
    }
    const bool plain = one_in(2);
    body.hbm_shape = {.run_bytes = static_cast<uint32_t>(length()),
                      .n1 = static_cast<uint32_t>(plain ? 1 : between(0, 4)),
                      .stride1_bytes = between(-40, 40) * 32,
                      .stride2_bytes = between(-300, 300) * 32};
    body.vmem_shape = body.hbm_shape;
    body.reps.imm = static_cast<uint32_t>(plain ? 1 : between(1, 2));
    return out;
  }

  /// A post and a later wait, or a wait and a later post with tokens to begin with (a ring).
  void pair(std::vector<isa::Instr>& mine) {
    if (mine.size() < 2 || next_sem_ >= 60) return;
    const auto first = static_cast<size_t>(between(0, static_cast<int64_t>(mine.size()) - 2));
    const auto second = static_cast<size_t>(between(static_cast<int64_t>(first) + 1, static_cast<int64_t>(mine.size()) - 1));
    const bool ring = one_in(2);
    isa::Instr& poster = mine[ring ? second : first];
    isa::Instr& waiter = mine[ring ? first : second];
    if (poster.posts[1].count != 0 || waiter.waits[1].count != 0) return;
    const auto count = static_cast<uint8_t>(one_in(4) ? 2 : 1);
    poster.posts[poster.posts[0].count == 0 ? 0 : 1] = {next_sem_, count, one_in(2) ? kAtDone : kAtSourceFree};
    waiter.waits[waiter.waits[0].count == 0 ? 0 : 1] = {next_sem_, count};
    if (ring) out_.program.semaphores[next_sem_] = static_cast<uint8_t>(count * between(1, 8) + (one_in(4) ? 1 : 0));
    ++next_sem_;
  }

  void faults() {
    if (one_in(12)) out_.program.hbm_bytes = kMiddle + between(1, 64) * kStripe * between(1, 64);
    if (one_in(12)) out_.options.max_cycles = between(1, 400'000);
    if (!one_in(16)) return;
    const auto pc = static_cast<size_t>(between(0, static_cast<int64_t>(out_.program.code.size()) - 1));
    isa::Instr& instr = out_.program.code[pc];
    if (isa::is_engine_op(instr.op) && instr.posts[1].count == 0) {
      instr.posts[instr.posts[0].count == 0 ? 0 : 1] = {62, static_cast<uint8_t>(between(1, 3)), kAtDone};
    }
  }

  std::mt19937_64 rng_;
  int64_t budget_;
  NestCase out_;
  uint8_t next_sem_ = 0;
  int held_back_ = -1;  // slot of the queue kept busy by a word of before the nest
};

}  // namespace

NestCase random_nest(uint64_t seed, int64_t words) { return NestGenerator(seed, words).run(); }

}  // namespace lockstep::timing::test
