#include "hw/timing/loop_memo.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/base/check.h"

namespace lockstep::timing {

namespace {

// The account, in units of work (a word or a burst).
constexpr int64_t kLeastWork = 100;       // MEMO-3: between two looks at a loop
constexpr int64_t kAllowance = 3'000;     // before anything was simulated
constexpr int64_t kShareOfWork = 24;      // one part in so many of the work simulated
constexpr int64_t kShareOfSaved = 4;      // and of the work saved
constexpr int64_t kLookWork = 80;         // of a look, and ...
constexpr int64_t kKeyWordsPerWork = 4;   // ... this many words of a state cost one more

uint64_t hash_of(const std::vector<int64_t>& words) {
  uint64_t a = 0x9E3779B97F4A7C15u;
  uint64_t b = words.size();
  for (const int64_t word : words) {
    a = (a ^ static_cast<uint64_t>(word)) * 0xD6E8FEB86659FD93u;
    b = (b << 23 | b >> 41) + a;
  }
  return b ^ b >> 29;
}

}  // namespace

LoopMemo::LoopMemo(const LoopTable& loops, const MemoOptions& options)
    : loops_(loops), options_(options), records_(loops.loops().size()) {}

void LoopMemo::open(uint8_t level, uint32_t loop_pc, int64_t work) {
  Level& state = levels_[level];
  forget(state);
  expected_[level].reset();
  state.loop = loops_.index_of(loop_pc);
  state.work_at_open = state.work_at_visit = simulated(work);
  LoopRecord& record = records_[state.loop];
  const LoopInfo& loop = loops_.loops()[state.loop];
  state.given_up = record.given_up;
  if (loop.trip <= 2) state.given_up = true;  // has one boundary, which nothing can recur at
  if (loop.obstacle.empty() || state.given_up) return;
  record.given_up = true;
  give_up(level, loop.obstacle);
}

void LoopMemo::close(uint8_t level) { forget(levels_[level]); }

bool LoopMemo::wants(uint8_t level, int64_t index, int64_t work) {
  const Level& state = levels_[level];
  if (expected_[level]) return expects(level, index);
  if (state.given_up) return false;
  if (options_.every_boundary) return true;
  const int64_t now = simulated(work);
  if (now - state.work_at_visit < kLeastWork) return false;
  const int64_t cost = kLookWork + static_cast<int64_t>(key_.size()) / kKeyWordsPerWork;
  const int64_t left = (now - state.work_at_open) / index * (int64_t{loop(level).trip} - index);
  if (left < 2 * cost) return false;
  return spent_work_ + cost <= kAllowance + now / kShareOfWork + saved_work_ / kShareOfSaved;
}

std::optional<Recurrence> LoopMemo::visit(uint8_t level, const BoundaryTotals& now, int64_t work) {
  Level& state = levels_[level];
  spent_work_ += kLookWork + static_cast<int64_t>(key_.size()) / kKeyWordsPerWork;
  state.work_at_visit = simulated(work);
  const uint64_t hash = hash_of(key_);
  for (size_t k = 0; k < state.hashes.size(); ++k) {
    // The hash only saves comparisons; the states themselves decide.
    if (state.hashes[k] != hash || state.snapshots[k].key_size != key_.size()) continue;
    const Snapshot& seen = state.snapshots[k];
    if (!std::equal(key_.begin(), key_.end(), state.keys.begin() + static_cast<std::ptrdiff_t>(seen.key_begin))) continue;
    return Recurrence{seen.totals, seen.first_test};
  }
  LoopRecord& record = records_[state.loop];
  if (++record.misses >= options_.max_states && !options_.every_boundary) record.given_up = true;
  if (record.given_up || state.snapshots.size() >= options_.max_states) {
    give_up(level, fmt::format("no recurrence among {} states", options_.max_states));
    return std::nullopt;
  }
  remember(state, hash, now);
  return std::nullopt;
}

void LoopMemo::remember(Level& level, uint64_t hash, const BoundaryTotals& now) {
  const size_t words = key_.size() + sizeof(Snapshot) / sizeof(int64_t);
  if ((kept_words_ + words) * sizeof(int64_t) > options_.max_bytes) {
    forget_all();
    ++drops_;
    if (words * sizeof(int64_t) > options_.max_bytes) return;
  }
  level.hashes.push_back(hash);
  level.snapshots.push_back({level.keys.size(), key_.size(), tests_.size(), now});
  level.keys.insert(level.keys.end(), key_.begin(), key_.end());
  newest_test_floor_ = tests_.size();
  kept_words_ += words;
  ++snapshot_count_;
}

void LoopMemo::forget(Level& level) {
  snapshot_count_ -= level.snapshots.size();
  kept_words_ -= level.keys.size() + level.snapshots.size() * (sizeof(Snapshot) / sizeof(int64_t));
  level.snapshots.clear();
  level.hashes.clear();
  level.keys.clear();
  if (snapshot_count_ > 0) return;
  tests_.clear();
  newest_test_floor_ = 0;
}

void LoopMemo::forget_all() {
  for (Level& level : levels_) forget(level);
}

void LoopMemo::renew(uint8_t level, const BoundaryTotals& now) {
  Level& state = levels_[level];
  forget(state);
  remember(state, hash_of(key_), now);
}

void LoopMemo::jumped(uint8_t level, const Recurrence& found, const BoundaryTotals& before, const BoundaryTotals& after,
                      int64_t periods, int64_t saved_work) {
  Level& state = levels_[level];
  const LoopInfo& loop = loops_.loops()[state.loop];
  const int64_t period = before.index - found.then.index;
  ++jump_count_;
  const Shape shape{loop.loop_pc, found.then.index, period, periods};
  const auto known = jumps_.find(shape);
  if (known != jumps_.end()) {
    ++known->second;
  } else if (jumps_.size() < target::Certificate::kMaxJumps) {
    jumps_.emplace(shape, 1);
  }
  move_tests(loop, found, period, periods);
  saved_work_ += saved_work;
  records_[state.loop].misses = 0;
  renew(level, after);
}

/// Of a word of the loop; every other word stays where it is.
int64_t LoopMemo::step_in(const LoopInfo& loop, uint32_t pc) const {
  if (!loop.contains(pc)) return 0;
  const StaticProgram& program = loops_.program();
  return step_of(program.dma[program.words[pc].dma], loop.level);
}

void LoopMemo::note_test(uint32_t last_pc, uint32_t pc, int64_t difference) {
  if (snapshot_count_ == 0) return;
  StripeTest* test = nullptr;
  for (size_t k = tests_.size(); k > newest_test_floor_ && test == nullptr; --k) {
    StripeTest& other = tests_[k - 1];
    if (other.last_pc == last_pc && other.pc == pc) test = &other;
  }
  if (test == nullptr) test = &tests_.emplace_back(StripeTest{.last_pc = last_pc, .pc = pc});
  test->equal = test->equal || difference == 0;
  if (difference > 0) test->least_above = std::min(test->least_above, difference);
  if (difference < 0) test->least_below = std::min(test->least_below, -difference);
  if ((tests_.size() * sizeof(StripeTest)) > options_.max_bytes) {
    forget_all();
    ++drops_;
  }
}

int64_t LoopMemo::periods_with_equal_tests(const LoopInfo& loop, size_t first_test, int64_t iterations,
                                           int64_t periods) const {
  const int64_t stripe_bytes = loops_.stripe_bytes();
  for (size_t k = first_test; k < tests_.size(); ++k) {
    const StripeTest& test = tests_[k];
    const int64_t bytes = iterations * (step_in(loop, test.pc) - step_in(loop, test.last_pc));
    CHECK(bytes % stripe_bytes == 0) << "loop at word " << loop.loop_pc << ": addresses moved by parts of a row stripe";
    const int64_t step = bytes / stripe_bytes;
    if (step == 0) continue;
    if (test.equal) return 0;
    const int64_t room = step < 0 ? test.least_above : test.least_below;
    if (room != StripeTest::kNone) periods = std::min(periods, (room - 1) / std::abs(step));
  }
  return periods;
}

/// The comparisons of the iterations jumped over, for the jumps of the loops around: their differences moved steadily
/// away from those seen, so the last one, when it is nearer to zero, bounds them all.
void LoopMemo::move_tests(const LoopInfo& loop, const Recurrence& found, int64_t iterations, int64_t periods) {
  const size_t end = tests_.size();
  for (size_t k = found.first_test; k < end && end <= tests_.size(); ++k) {  // at the memory cap all are dropped
    const StripeTest test = tests_[k];
    const int64_t bytes = iterations * periods * (step_in(loop, test.pc) - step_in(loop, test.last_pc));
    if (bytes == 0) continue;
    const int64_t step = bytes / loops_.stripe_bytes();
    if (step < 0 && test.least_above != StripeTest::kNone) note_test(test.last_pc, test.pc, test.least_above + step);
    if (step > 0 && test.least_below != StripeTest::kNone) note_test(test.last_pc, test.pc, step - test.least_below);
  }
}

std::string LoopMemo::check_expected(uint8_t level, const BoundaryTotals& now) {
  const Expected expected = std::move(*expected_[level]);
  expected_[level].reset();
  ++self_checks_;
  if (now.cycle != expected.totals.cycle) return fmt::format("cycle {} instead of {}", now.cycle, expected.totals.cycle);
  if (now.last_event != expected.totals.last_event) return "another last event";
  if (!(now.counters == expected.totals.counters)) return "other counters";
  if (key_ != expected.key) return "another state";
  return {};
}

void LoopMemo::give_up(uint8_t level, std::string reason) {
  levels_[level].given_up = true;
  forget(levels_[level]);
  std::string text = fmt::format("loop at word {}: {}", loop(level).loop_pc, reason);
  if (reasons_.size() < 64 && std::find(reasons_.begin(), reasons_.end(), text) == reasons_.end()) {
    reasons_.push_back(std::move(text));
  }
}

target::Certificate LoopMemo::certificate(uint64_t events) const {
  target::Certificate out;
  for (const auto& [shape, times] : jumps_) {
    const auto& [pc, transient, period, periods] = shape;
    out.jumps.push_back({pc, static_cast<uint64_t>(transient), static_cast<uint64_t>(period),
                         static_cast<uint64_t>(periods), times});
  }
  out.jump_count = jump_count_;
  out.fallbacks = reasons_;
  if (drops_ > 0) out.fallbacks.push_back(fmt::format("states dropped {} times at the memory cap", drops_));
  out.events = events;
  out.events_simulated = events - saved_events_;
  out.self_checks = self_checks_;
  return out;
}

}  // namespace lockstep::timing
