// diff_events: where two event logs part, earliest cycle first, because later differences are mostly echoes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "hw/target/event.h"

namespace lockstep::target {
namespace {

struct Difference {
  int64_t cycle;  // earliest cycle concerned, the sort key
  std::string line;
};

/// Collects the differing fields of one pair of records into one line.
class FieldDiff {
 public:
  void number(const char* name, uint64_t expected, uint64_t actual) {
    if (expected != actual) append(fmt::format("{} expected {}, actual {}", name, expected, actual));
  }
  void cycle(const char* name, int64_t expected, int64_t actual) {
    if (expected == actual) return;
    append(fmt::format("{} expected {}, actual {} ({:+})", name, expected, actual, actual - expected));
    earliest_ = std::min({earliest_, expected, actual});
  }

  bool any() const { return !text_.empty(); }
  const std::string& text() const { return text_; }
  /// `fallback` when only fields that are no cycles differ.
  int64_t earliest(int64_t fallback) const {
    return earliest_ == std::numeric_limits<int64_t>::max() ? fallback : earliest_;
  }

 private:
  void append(const std::string& part) {
    if (!text_.empty()) text_ += "; ";
    text_ += part;
  }

  std::string text_;
  int64_t earliest_ = std::numeric_limits<int64_t>::max();
};

std::string name_of(isa::EngineId engine, const InstrEvent& event) {
  return fmt::format("{} instruction seq {} pc {} tag {}", isa::engine_name(engine), event.seq, event.pc, event.tag);
}
std::string name_of(isa::EngineId engine, const BurstEvent& event) {
  return fmt::format("{} burst seq {}", isa::engine_name(engine), event.seq);
}

std::string times_of(const InstrEvent& e) {
  return fmt::format("dispatch {} issue {} source_free {} done {}", e.dispatch, e.issue, e.source_free, e.done);
}
std::string times_of(const BurstEvent& e) {
  return fmt::format("grant {} first_beat {} last_beat {}", e.grant, e.first_beat, e.last_beat);
}

int64_t start_of(const InstrEvent& e) { return e.dispatch; }
int64_t start_of(const BurstEvent& e) { return e.grant; }

void compare(const InstrEvent& expected, const InstrEvent& actual, FieldDiff& diff) {
  diff.number("engine", expected.engine, actual.engine);
  diff.number("pc", expected.pc, actual.pc);
  diff.number("seq", expected.seq, actual.seq);
  diff.number("tag", expected.tag, actual.tag);
  diff.cycle("dispatch", expected.dispatch, actual.dispatch);
  diff.cycle("issue", expected.issue, actual.issue);
  diff.cycle("source_free", expected.source_free, actual.source_free);
  diff.cycle("done", expected.done, actual.done);
}
void compare(const BurstEvent& expected, const BurstEvent& actual, FieldDiff& diff) {
  diff.number("engine", expected.engine, actual.engine);
  diff.number("seq", expected.seq, actual.seq);
  diff.cycle("grant", expected.grant, actual.grant);
  diff.cycle("first_beat", expected.first_beat, actual.first_beat);
  diff.cycle("last_beat", expected.last_beat, actual.last_beat);
}

template <typename Event>
void compare_streams(isa::EngineId engine, const std::vector<Event>& expected, const std::vector<Event>& actual,
                     std::vector<Difference>& out) {
  const size_t both = std::min(expected.size(), actual.size());
  for (size_t k = 0; k < both; ++k) {
    FieldDiff diff;
    compare(expected[k], actual[k], diff);
    if (!diff.any()) continue;
    out.push_back({diff.earliest(start_of(expected[k])), fmt::format("{}: {}", name_of(engine, expected[k]), diff.text())});
  }
  for (size_t k = both; k < expected.size(); ++k) {
    out.push_back({start_of(expected[k]), fmt::format("{}: missing, expected {}", name_of(engine, expected[k]), times_of(expected[k]))});
  }
  for (size_t k = both; k < actual.size(); ++k) {
    out.push_back({start_of(actual[k]), fmt::format("{}: extra, actual {}", name_of(engine, actual[k]), times_of(actual[k]))});
  }
}

}  // namespace

std::vector<std::string> diff_events(const EventLog& expected, const EventLog& actual, size_t limit) {
  std::vector<Difference> found;
  for (size_t slot = 0; slot <= isa::kEngineCount; ++slot) {
    const isa::EngineId engine = slot == isa::kEngineCount ? isa::kSequencer : static_cast<isa::EngineId>(slot);
    compare_streams(engine, expected.instrs[slot], actual.instrs[slot], found);
    if (slot < isa::kEngineCount) compare_streams(engine, expected.bursts[slot], actual.bursts[slot], found);
  }
  std::stable_sort(found.begin(), found.end(), [](const Difference& a, const Difference& b) { return a.cycle < b.cycle; });
  if (found.size() > limit) found.resize(limit);
  std::vector<std::string> lines;
  lines.reserve(found.size());
  for (Difference& difference : found) lines.push_back(std::move(difference.line));
  return lines;
}

}  // namespace lockstep::target
