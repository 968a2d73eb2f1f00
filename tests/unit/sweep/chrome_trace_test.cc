#include "sweep/report/chrome_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep::sweep {
namespace {

using nlohmann::json;

isa::Program program() {
  isa::Program p;
  p.name = "two \"words\"";
  isa::Instr mm;
  mm.op = isa::Op::kMm;
  mm.tag = 5;
  mm.body = isa::MmBody{};
  p.code = {mm, isa::Instr{}};
  p.ops = {{5, "q_proj"}};
  return p;
}

target::EventLog log(int64_t shift) {
  target::EventLog log;
  for (int64_t i = 0; i < 3; ++i) {
    log.instrs[isa::kMm0].push_back(
        {isa::kMm0, 0, static_cast<uint64_t>(i), 5, i, shift + 10 * i, shift + 10 * i + 12, shift + 10 * i + 20});
  }
  log.instrs[target::log_index(isa::kSequencer)].push_back({isa::kSequencer, 1, 0, 0, 3, -1, -1, 60});
  log.bursts[isa::kLd0].push_back({isa::kLd0, 0, 4, 8, 9});
  return log;
}

std::vector<json> slices_of(const json& trace, int pid, int tid) {
  std::vector<json> found;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X" && event.at("pid") == pid && event.at("tid") == tid) found.push_back(event);
  }
  return found;
}

TEST(ChromeTrace, IsJsonWithOneProcessPerTargetAndSharedTrackNames) {
  const target::EventLog a = log(0);
  const target::EventLog b = log(1);
  const TraceText text = chrome_trace(program(), {{"rtl", &a}, {"model", &b}}, {});
  const json trace = json::parse(text.json);
  std::map<int, std::vector<std::string>> tracks;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") tracks[event.at("pid")].push_back(event.at("args").at("name"));
  }
  EXPECT_THAT(tracks[1], ::testing::ElementsAre("sequencer", "LD0 bursts", "MM0"));
  EXPECT_EQ(tracks[1], tracks[2]);
  EXPECT_EQ(text.slices, 10U);
  EXPECT_EQ(text.cut_cycle, -1);
}

TEST(ChromeTrace, TimesAreMicrosecondsAndArgsExactCycles) {
  const target::EventLog events = log(0);
  const json trace = json::parse(chrome_trace(program(), {{"model", &events}}, {500, 1 << 20}).json);
  const std::vector<json> mm = slices_of(trace, 1, isa::kMm0);
  ASSERT_EQ(mm.size(), 3U);
  EXPECT_EQ(mm[1].at("ts"), 10.0 / 500);
  EXPECT_EQ(mm[1].at("name"), "MM q_proj");
  EXPECT_EQ(mm[1].at("args").at("issue"), 10);
  EXPECT_EQ(mm[1].at("args").at("done"), 30);
}

TEST(ChromeTrace, SlicesOfATrackDoNotOverlap) {
  const target::EventLog events = log(0);
  const json trace = json::parse(chrome_trace(program(), {{"model", &events}}, {1, 1 << 20}).json);
  const std::vector<json> mm = slices_of(trace, 1, isa::kMm0);
  for (size_t i = 1; i < mm.size(); ++i) {
    EXPECT_LE(mm[i - 1].at("ts").get<double>() + mm[i - 1].at("dur").get<double>(), mm[i].at("ts").get<double>());
  }
}

TEST(ChromeTrace, CutTraceSaysWhereAndIsStillJson) {
  target::EventLog events;
  for (int64_t i = 0; i < 1000; ++i) {
    events.instrs[isa::kMm0].push_back({isa::kMm0, 0, static_cast<uint64_t>(i), 5, i, i * 4, i * 4 + 3, i * 4 + 9});
  }
  const TraceText text = chrome_trace(program(), {{"model", &events}}, {1000, 20000});
  EXPECT_LE(text.json.size(), 20000U);
  EXPECT_EQ(text.cut_cycle, static_cast<int64_t>(text.slices) * 4);
  const json trace = json::parse(text.json);
  EXPECT_EQ(trace.at("traceEvents").back().at("name"), "truncated");
  EXPECT_EQ(trace.at("traceEvents").back().at("args").at("cut_cycle"), text.cut_cycle);
}

}  // namespace
}  // namespace lockstep::sweep
