// The token walk of SEM-4: executes the program in program order and checks that every wait, every plane switch and
// every accumulating neighbour is legal. Program order being a legal execution makes a program free of deadlock at
// every queue depth.
//
// A loop is not walked to its end when that could show nothing new. The checks see only: tokens, planes, the last MM
// of each MXU, and accumulator addresses. When all of these, and the rings that accumulator addresses use, come back
// after p iterations of a loop whose own index is in none of these addresses, the iterations repeat with period p.
#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/isa/verify_context.h"
#include "hw/isa/walker.h"

namespace lockstep::isa {

namespace {

constexpr size_t kMxus = 4;

/// What a word does to tokens and planes, small enough to keep the walk in cache.
struct TokenWord {
  enum class Kind : uint8_t { kOther, kWld, kMm, kLoop, kEndloop };
  Kind kind = Kind::kOther;
  uint8_t unit = 0;  // of a matrix word
  uint8_t level = 0;  // of LOOP and ENDLOOP
  bool switches = false;
  bool accumulates = false;
  bool repeats = false;  // LOOP, ENDLOOP: the loop's index is in no accumulator address inside it
  std::array<Wait, 2> waits;
  std::array<Post, 2> posts;
};

/// Everything the checks depend on at an iteration's start, addresses' loop indices apart.
struct TokenState {
  std::array<uint8_t, kSemaphores> tokens{};
  std::array<bool, kMxus> pending{};   // MXU-2
  std::array<bool, kMxus> switched{};  // a first switch has happened
  std::array<bool, kMxus> has_mm{};
  std::array<uint32_t, kMxus> mm_rows{};
  std::array<int64_t, kMxus> mm_acc{};
  friend bool operator==(const TokenState&, const TokenState&) = default;
};

class TokenWalk {
 public:
  TokenWalk(VerifyContext& context, const std::vector<Enclosing>& loops)
      : context_(context), loops_(loops), plan_(context.program), walker_(plan_) {
    prepare();
    state_.tokens = context.program.semaphores;
  }

  int64_t run() {
    int64_t walked = 0;
    while (const DynamicWord* word = walker_.next()) {
      if (++walked > context_.options.max_walked_words) {
        context_.report("E0709", fmt::format("the token walk did not end within {} words", walked - 1));
        return walked;
      }
      step(*word);
      if (context_.full()) return walked;
    }
    CHECK(walker_.halted()) << "the structure was checked before";
    check_balance();
    return walked;
  }

 private:
  struct Frame {
    TokenState state;
    std::array<uint8_t, kRings> rings{};
    uint64_t iteration = 0;    // of the snapshot
    uint64_t now = 0;          // iterations begun since the LOOP
  };

  void prepare() {
    const std::vector<Instr>& code = context_.program.code;
    words_.resize(code.size());
    reported_.resize(code.size(), 0);
    for (size_t pc = 0; pc < code.size(); ++pc) prepare_word(code[pc], words_[pc]);
    for (size_t pc = 0; pc < code.size(); ++pc) {
      if (const auto* loop = std::get_if<LoopBody>(&code[pc].body)) {
        words_[pc].repeats = words_[loop->end_pc].repeats = repeats(pc, *loop);
      }
    }
  }

  void prepare_word(const Instr& instr, TokenWord& word) {
    word.waits = instr.waits;
    word.posts = instr.posts;
    word.unit = instr.unit;
    if (const auto* loop = std::get_if<LoopBody>(&instr.body)) {
      word.kind = TokenWord::Kind::kLoop;
      word.level = loop->level;
    } else if (const auto* end = std::get_if<EndloopBody>(&instr.body)) {
      word.kind = TokenWord::Kind::kEndloop;
      word.level = end->level;
    } else if (std::holds_alternative<WldBody>(instr.body)) {
      word.kind = TokenWord::Kind::kWld;
    } else if (const auto* mm = std::get_if<MmBody>(&instr.body)) {
      word.kind = TokenWord::Kind::kMm;
      word.switches = mm->switch_plane;
      word.accumulates = !mm->first;
      if (mm->acc.ring.stride != 0) acc_rings_ |= 1U << mm->acc.ring.ring;
    }
  }

  bool repeats(size_t loop_pc, const LoopBody& loop) const {
    for (size_t pc = loop_pc + 1; pc < loop.end_pc; ++pc) {
      const auto* mm = std::get_if<MmBody>(&context_.program.code[pc].body);
      if (mm == nullptr) continue;
      const auto uses = [&](const LoopTerm& term) { return term.stride != 0 && term.level == loop.level; };
      if (std::any_of(mm->acc.loops.begin(), mm->acc.loops.end(), uses)) return false;
    }
    return true;
  }

  // ---- one word

  void step(const DynamicWord& dynamic) {
    const TokenWord& word = words_[dynamic.pc];
    for (const Wait& wait : word.waits) {
      if (wait.count != 0) consume(dynamic.pc, wait);
    }
    switch (word.kind) {
      case TokenWord::Kind::kOther: break;
      case TokenWord::Kind::kWld: load_plane(dynamic.pc, word); break;
      case TokenWord::Kind::kMm: multiply(dynamic, word); break;
      case TokenWord::Kind::kLoop:
        if (walker_.active(word.level)) frames_[word.level] = {state_, rings(), 0, 0};
        break;
      case TokenWord::Kind::kEndloop:
        if (walker_.active(word.level) && word.repeats) skip_repetitions(word.level);
        break;
    }
    for (const Post& post : word.posts) {
      if (post.count != 0) produce(dynamic.pc, post);
    }
  }

  void consume(size_t pc, const Wait& wait) {
    uint8_t& tokens = state_.tokens[wait.sem];
    if (tokens < wait.count) {
      report(0, "E0705", pc, fmt::format("waits for {} of s{}, but in program order only {} are posted before it (SEM-4)",
                                         int{wait.count}, int{wait.sem}, int{tokens}));
      tokens = 0;
      return;
    }
    tokens = static_cast<uint8_t>(tokens - wait.count);
  }

  void produce(size_t pc, const Post& post) {
    uint8_t& tokens = state_.tokens[post.sem];
    if (tokens + post.count > kSemaphoreMax) {
      report(1, "E0706", pc, fmt::format("takes s{} from {} above {} (SEM-2)", int{post.sem}, int{tokens}, kSemaphoreMax));
      tokens = kSemaphoreMax;
      return;
    }
    tokens = static_cast<uint8_t>(tokens + post.count);
  }

  void load_plane(size_t pc, const TokenWord& word) {
    bool& pending = state_.pending[word.unit];
    if (pending) report(2, "E0707", pc, "a WLD follows a WLD without a switching MM between them (MXU-2, SEM-4)");
    pending = true;
  }

  void multiply(const DynamicWord& dynamic, const TokenWord& word) {
    const size_t unit = word.unit;
    if (word.switches) {
      if (!state_.pending[unit]) report(3, "E0707", dynamic.pc, "switches planes, but no WLD came since the last switch (MXU-2, SEM-4)");
      state_.pending[unit] = false;
      state_.switched[unit] = true;
    } else if (!state_.switched[unit]) {
      report(4, "E0707", dynamic.pc, "comes before the first switch of its MXU (SEM-4)");
    }
    if (word.accumulates && state_.has_mm[unit]) check_neighbour(dynamic, unit);
    state_.has_mm[unit] = true;
    state_.mm_acc[unit] = dynamic.acc();
    state_.mm_rows[unit] = dynamic.count;
  }

  /// MXU-4: B may not start inside the rows of A that are still in the adder.
  void check_neighbour(const DynamicWord& dynamic, size_t unit) {
    const int64_t latency = context_.chip.mxu.acc_latency;
    const int64_t rows = state_.mm_rows[unit];
    const int64_t low = state_.mm_acc[unit] + std::max(rows, latency) - latency + 1;
    const int64_t high = state_.mm_acc[unit] + rows - 1;
    if (dynamic.acc() < low || dynamic.acc() > high) return;
    report(5, "E0708", dynamic.pc, fmt::format("accumulates from row {}, but the MM before it (rows {} to {}) forbids [{}, {}] (MXU-4)",
                                               dynamic.acc(), state_.mm_acc[unit], high, low, high));
  }

  // ---- loops

  std::array<uint8_t, kRings> rings() const {
    std::array<uint8_t, kRings> out{};
    for (size_t r = 0; r < kRings; ++r) out[r] = static_cast<uint8_t>(walker_.ring(static_cast<int>(r)));
    return out;
  }

  bool same_acc_rings(const std::array<uint8_t, kRings>& a, const std::array<uint8_t, kRings>& b) const {
    for (uint32_t mask = acc_rings_; mask != 0; mask &= mask - 1) {
      const auto r = static_cast<size_t>(std::countr_zero(mask));
      if (a[r] != b[r]) return false;
    }
    return true;
  }

  /// Brent's cycle search: the snapshot moves to iteration 1, 2, 4, 8 ..., and each new iteration is compared with it.
  void skip_repetitions(uint8_t level) {
    Frame& frame = frames_[level];
    ++frame.now;
    const std::array<uint8_t, kRings> rings_now = rings();
    if (frame.state == state_ && same_acc_rings(frame.rings, rings_now)) {
      const auto period = static_cast<uint32_t>(frame.now - frame.iteration);
      const uint32_t periods = walker_.iterations_left(level) / period;
      std::array<uint32_t, kRings> steps{};
      for (size_t r = 0; r < kRings; ++r) {
        const uint32_t modulus = context_.program.rings[r].modulus;
        steps[r] = (rings_now[r] + modulus - frame.rings[r]) % modulus * (periods % modulus);
      }
      walker_.skip_iterations(level, periods * period, steps);
      frame.iteration = frame.now;  // what is left is shorter than a period: it is walked
      frame.rings = rings_now;
    } else if (std::has_single_bit(frame.now)) {
      frame.state = state_;
      frame.rings = rings_now;
      frame.iteration = frame.now;
    }
  }

  // ---- results

  void check_balance() {
    for (size_t sem = 0; sem < kSemaphores; ++sem) {
      if (state_.tokens[sem] == context_.program.semaphores[sem]) continue;
      context_.report("E0704", fmt::format("s{} starts at {} and ends at {} (SEM-2)", sem, int{context_.program.semaphores[sem]},
                                           int{state_.tokens[sem]}));
    }
  }

  /// Each kind of violation once per word, with the loop indices of its first occurrence.
  void report(int kind, const char* code, size_t pc, const std::string& message) {
    if ((reported_[pc] >> kind) & 1U) return;
    reported_[pc] = static_cast<uint8_t>(reported_[pc] | (1U << kind));
    std::vector<std::string> indices;
    for (int level = 0; level < kLoopLevels; ++level) {
      if (loops_[pc].active(level)) indices.push_back(fmt::format("i{} = {}", level, walker_.index(level)));
    }
    const std::string where = indices.empty() ? "" : fmt::format(", at {}", fmt::join(indices, ", "));
    context_.report(code, pc, message + where);
  }

  VerifyContext& context_;
  const std::vector<Enclosing>& loops_;
  WalkPlan plan_;
  Walker walker_;
  std::vector<TokenWord> words_;
  std::vector<uint8_t> reported_;  // bit per kind of violation
  uint32_t acc_rings_ = 0;         // rings in accumulator addresses of MM words
  TokenState state_;
  std::array<Frame, kLoopLevels> frames_;
};

/// SEM-1: one producer, one consumer and one moment per semaphore.
void check_owners(VerifyContext& context) {
  constexpr size_t kNobody = SIZE_MAX;
  std::array<size_t, kSemaphores> producers;
  std::array<size_t, kSemaphores> consumers;
  producers.fill(kNobody);
  consumers.fill(kNobody);
  const std::vector<Instr>& code = context.program.code;
  const auto claim = [&](size_t pc, uint8_t sem, std::array<size_t, kSemaphores>& owners, const char* rule, const char* does) {
    size_t& owner = owners[sem];
    if (owner == kNobody) owner = pc;
    if (engine_of(code[owner]) == engine_of(code[pc])) return true;
    context.report(rule, pc, fmt::format("{} s{}, but so does {}, of another engine (SEM-1)", does, int{sem}, context.word_name(owner)));
    return false;
  };
  const auto moment = [&](size_t pc, uint8_t sem) {
    const auto& posts = code[pc].posts;
    return std::find_if(posts.begin(), posts.end(), [&](const Post& p) { return p.count != 0 && p.sem == sem; })->when;
  };
  for (size_t pc = 0; pc < code.size(); ++pc) {
    for (const Wait& wait : code[pc].waits) {
      if (wait.count != 0) claim(pc, wait.sem, consumers, "E0702", "waits on");
    }
    for (const Post& post : code[pc].posts) {
      if (post.count == 0 || !claim(pc, post.sem, producers, "E0701", "posts to")) continue;
      const size_t first = producers[post.sem];
      if (moment(first, post.sem) == post.when) continue;
      context.report("E0703", pc, fmt::format("posts to s{} at another moment than {} (SEM-1)", int{post.sem}, context.word_name(first)));
    }
  }
}

}  // namespace

int64_t check_tokens(VerifyContext& context, const std::vector<Enclosing>& loops) {
  check_owners(context);
  return TokenWalk(context, loops).run();
}

}  // namespace lockstep::isa
