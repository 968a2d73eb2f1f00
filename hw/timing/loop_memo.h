// The memory of the loop boundaries seen: per loop level the states of the present execution, and what to look at.
//
// Looking costs about as much as a hundred words or bursts, so an account bounds it: states may take a small share of the work
// simulated plus a part of the work that jumps saved. A program without any recurrence thus loses only that share.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "hw/metrics/counters.h"
#include "hw/target/certificate.h"
#include "hw/timing/loop_table.h"
#include "hw/timing/memo_options.h"

namespace lockstep::timing {

/// The arbiter compared a row stripe with the last one, of another word (DMA-3). The two words move by different
/// steps, so a jump must not carry the difference to or over zero. Differences are kept in row stripes.
struct StripeTest {
  static constexpr int64_t kNone = INT64_MAX;
  uint32_t last_pc = 0;
  uint32_t pc = 0;
  bool equal = false;              // a difference of 0 was seen
  int64_t least_above = kNone;     // smallest positive difference seen
  int64_t least_below = kNone;     // smallest absolute negative difference seen
};

/// Everything about a boundary that is not the canonical state.
struct BoundaryTotals {
  int64_t index = 0;       // iterations done
  int64_t cycle = 0;       // of the first word of the next iteration
  int64_t last_event = 0;  // largest cycle of an event before
  metrics::Counters counters;
};

/// The present state of a loop equals an earlier one of the same execution.
struct Recurrence {
  BoundaryTotals then;
  size_t first_test = 0;  // of the comparisons made since
};

class LoopMemo {
 public:
  LoopMemo(const LoopTable& loops, const MemoOptions& options);

  const MemoOptions& options() const { return options_; }
  const LoopInfo& loop(uint8_t level) const { return loops_.loops()[levels_[level].loop]; }

  /// A loop begins; `work` measures the run so far (words and bursts).
  void open(uint8_t level, uint32_t loop_pc, int64_t work);
  void close(uint8_t level);
  /// Whether to look at the boundary before iteration `index`.
  bool wants(uint8_t level, int64_t index, int64_t work);

  /// The canonical state of the boundary looked at, to be filled before visit().
  std::vector<int64_t>& key() { return key_; }
  /// Searches key() among the states of this execution; when it is new, remembers it.
  std::optional<Recurrence> visit(uint8_t level, const BoundaryTotals& now, int64_t work);
  /// No jump from the recurrence found: the state counts from here on.
  void renew(uint8_t level, const BoundaryTotals& now);
  /// `periods` were jumped over; `after` is the boundary reached.
  void jumped(uint8_t level, const Recurrence& found, const BoundaryTotals& before, const BoundaryTotals& after,
              int64_t periods, int64_t saved_work);

  void note_test(uint32_t last_pc, uint32_t pc, int64_t difference);
  /// Largest q <= periods for which no comparison made since the recurrence comes out otherwise.
  int64_t periods_with_equal_tests(const LoopInfo& loop, size_t first_test, int64_t iterations,
                                   int64_t periods) const;

  // Self-check: the boundary that the jump predicts.
  void expect(uint8_t level, const BoundaryTotals& totals) { expected_[level] = Expected{totals, key_}; }
  bool expects(uint8_t level, int64_t index) const { return expected_[level] && expected_[level]->totals.index == index; }
  /// Text of the first difference, empty when there is none.
  std::string check_expected(uint8_t level, const BoundaryTotals& now);

  void give_up(uint8_t level, std::string reason);
  target::Certificate certificate(uint64_t events) const;
  void count_saved_events(uint64_t events) { saved_events_ += events; }

 private:
  struct Snapshot {
    size_t key_begin = 0;
    size_t key_size = 0;
    size_t first_test = 0;
    BoundaryTotals totals;
  };
  struct Level {
    size_t loop = 0;
    int64_t work_at_open = 0;
    int64_t work_at_visit = 0;
    bool given_up = false;
    std::vector<Snapshot> snapshots;
    std::vector<uint64_t> hashes;  // of the snapshots' keys, apart for a fast search
    std::vector<int64_t> keys;
  };
  struct Expected {
    BoundaryTotals totals;
    std::vector<int64_t> key;
  };
  struct LoopRecord {
    size_t misses = 0;  // states since the last jump of this loop
    bool given_up = false;
  };

  int64_t simulated(int64_t work) const { return work - saved_work_; }
  void remember(Level& level, uint64_t hash, const BoundaryTotals& now);
  void forget(Level& level);
  void forget_all();
  int64_t step_in(const LoopInfo& loop, uint32_t pc) const;
  void move_tests(const LoopInfo& loop, const Recurrence& found, int64_t iterations, int64_t periods);

  const LoopTable& loops_;
  MemoOptions options_;
  std::vector<int64_t> key_;
  std::array<Level, isa::kLoopLevels> levels_;
  std::array<std::optional<Expected>, isa::kLoopLevels> expected_;
  std::vector<LoopRecord> records_;
  std::vector<StripeTest> tests_;
  size_t newest_test_floor_ = 0;  // tests from here on were made after the newest snapshot
  size_t snapshot_count_ = 0;
  size_t kept_words_ = 0;
  int64_t spent_work_ = 0;
  int64_t saved_work_ = 0;

  using Shape = std::tuple<uint32_t, int64_t, int64_t, int64_t>;  // pc, transient, period, periods
  std::map<Shape, uint64_t> jumps_;
  std::vector<std::string> reasons_;
  uint64_t jump_count_ = 0;
  uint64_t saved_events_ = 0;
  uint64_t self_checks_ = 0;
  uint64_t drops_ = 0;
};

}  // namespace lockstep::timing
