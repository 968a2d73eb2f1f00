#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/target/event.h"

namespace lockstep::target {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

EventLog sample_log() {
  EventLog log;
  log.instrs[isa::kMm0] = {{isa::kMm0, 4, 0, 7, 4, 9, 20, 31}, {isa::kMm0, 5, 1, 8, 5, 17, 28, 39}};
  log.instrs[isa::kEngineCount] = {{isa::kSequencer, 9, 0, 0, 9, -1, -1, 60}};
  log.bursts[isa::kLd0] = {{isa::kLd0, 0, 6, 12, 13}, {isa::kLd0, 1, 7, 14, 15}};
  return log;
}

TEST(EventDiff, EqualLogsHaveNoDifference) { EXPECT_THAT(diff_events(sample_log(), sample_log()), IsEmpty()); }

TEST(EventDiff, AFieldIsNamedWithEngineSeqPcTagAndBothValues) {
  EventLog actual = sample_log();
  actual.instrs[isa::kMm0][1].issue = 18;
  EXPECT_THAT(diff_events(sample_log(), actual),
              ElementsAre("MM0 instruction seq 1 pc 5 tag 8: issue expected 17, actual 18 (+1)"));
}

TEST(EventDiff, AllFieldsOfARecordShareOneLine) {
  EventLog actual = sample_log();
  actual.bursts[isa::kLd0][0] = {isa::kLd0, 0, 5, 11, 13};
  EXPECT_THAT(diff_events(sample_log(), actual),
              ElementsAre("LD0 burst seq 0: grant expected 6, actual 5 (-1); first_beat expected 12, actual 11 (-1)"));
}

TEST(EventDiff, EveryFieldOfBothRecordsIsCompared) {
  const auto count_after = [](auto change) {
    EventLog actual = sample_log();
    change(actual);
    return diff_events(sample_log(), actual).size();
  };
  using I = InstrEvent;
  for (int64_t I::*field : {&I::dispatch, &I::issue, &I::source_free, &I::done}) {
    EXPECT_EQ(count_after([&](EventLog& log) { ++(log.instrs[isa::kMm0][0].*field); }), 1u);
  }
  EXPECT_EQ(count_after([](EventLog& log) { ++log.instrs[isa::kMm0][0].pc; }), 1u);
  EXPECT_EQ(count_after([](EventLog& log) { ++log.instrs[isa::kMm0][0].seq; }), 1u);
  EXPECT_EQ(count_after([](EventLog& log) { ++log.instrs[isa::kMm0][0].tag; }), 1u);
  EXPECT_EQ(count_after([](EventLog& log) { ++log.instrs[isa::kMm0][0].engine; }), 1u);
  using B = BurstEvent;
  for (int64_t B::*field : {&B::grant, &B::first_beat, &B::last_beat}) {
    EXPECT_EQ(count_after([&](EventLog& log) { ++(log.bursts[isa::kLd0][1].*field); }), 1u);
  }
  EXPECT_EQ(count_after([](EventLog& log) { ++log.bursts[isa::kLd0][1].seq; }), 1u);
  EXPECT_EQ(count_after([](EventLog& log) { ++log.bursts[isa::kLd0][1].engine; }), 1u);
}

TEST(EventDiff, MissingAndExtraRecordsAreNamed) {
  EventLog actual = sample_log();
  actual.instrs[isa::kMm0].pop_back();
  actual.bursts[isa::kLd0].push_back({isa::kLd0, 2, 40, 41, 42});
  EXPECT_THAT(diff_events(sample_log(), actual),
              ElementsAre("MM0 instruction seq 1 pc 5 tag 8: missing, expected dispatch 5 issue 17 source_free 28 done 39",
                          "LD0 burst seq 2: extra, actual grant 40 first_beat 41 last_beat 42"));
}

TEST(EventDiff, SequencerRecordsAreCompared) {
  EventLog actual = sample_log();
  actual.instrs[isa::kEngineCount][0].done = 61;
  EXPECT_THAT(diff_events(sample_log(), actual), ElementsAre("SEQ instruction seq 0 pc 9 tag 0: done expected 60, actual 61 (+1)"));
}

TEST(EventDiff, EarliestCycleComesFirstAndTheLimitKeepsIt) {
  EventLog actual = sample_log();
  actual.instrs[isa::kMm0][0].done = 33;   // differs from cycle 31 on
  actual.bursts[isa::kLd0][1].grant = 8;   // from cycle 7 on
  actual.instrs[isa::kMm0][1].issue = 12;  // from cycle 12 on
  const std::vector<std::string> lines = diff_events(sample_log(), actual, 2);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("LD0 burst seq 1: grant"), HasSubstr("MM0 instruction seq 1")));
}

}  // namespace
}  // namespace lockstep::target
