// Matrix unit against the rules: issue legality, events, accumulator bits and the cycle of each change, VMEM ports;
// fast body and specification body on the same stimuli. Parameterised over the models linked in (MXU-1, 2, 4, 5, 6).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/rtl/mxu/mxu_dut.h"
#include "tests/rtl/mxu/mxu_program.h"
#include "tests/rtl/mxu/mxu_runner.h"

namespace lockstep::rtltest {

std::vector<MxuModel>& mxu_models() {
  static std::vector<MxuModel> models;
  return models;
}

namespace {

constexpr int kPrograms = 200;
constexpr int kTiles = 8;

/// One array size: its fast model and, where built, its specification model.
struct Subject {
  MxuConfig config;
  std::vector<MxuModel> models;
};

std::vector<Subject> subjects() {
  std::vector<Subject> found;
  for (const MxuModel& model : mxu_models()) {
    const auto same = [&](const Subject& s) { return s.config.name == model.config.name; };
    auto it = std::find_if(found.begin(), found.end(), same);
    if (it == found.end()) it = found.insert(found.end(), {model.config, {}});
    it->models.push_back(model);
  }
  const auto by_name = [](const Subject& a, const Subject& b) { return a.config.name < b.config.name; };
  std::sort(found.begin(), found.end(), by_name);
  return found;
}

class MxuTest : public ::testing::TestWithParam<std::string> {
 protected:
  static Subject subject() {
    for (const Subject& s : subjects())
      if (s.config.name == GetParam()) return s;
    ADD_FAILURE() << "no model " << GetParam();
    return {};
  }
  static MxuRunner make_runner(uint64_t seed) {
    const Subject s = subject();
    std::vector<std::unique_ptr<MxuDut>> duts;
    for (const MxuModel& model : s.models) duts.push_back(model.make());
    return MxuRunner(s.config, std::move(duts), seed);
  }
};

TEST_P(MxuTest, RandomProgramsMatchTheRulesInEveryCycle) {
  const uint64_t seed = 20250101;
  const Subject s = subject();
  Rng rng(seed);
  MxuRunner runner = make_runner(seed + 1);
  for (int n = 0; n < kPrograms && !runner.mismatch(); ++n) {
    runner.start(static_cast<uint8_t>(rng()), pick(rng, 0, 9) == 0);
    std::optional<int64_t> reset_after;
    if (pick(rng, 0, 2) == 0) reset_after = pick(rng, 1, 120);
    runner.run(random_program(s.config, rng, kTiles), reset_after);
  }
  EXPECT_FALSE(runner.mismatch()) << *runner.mismatch() << " (seed " << seed << ")";
  std::cout << s.config.name << ": " << runner.stats().mms << " MMs, " << runner.stats().cycles << " cycles, "
            << s.models.size() << " bodies, seed " << seed << "\n";
}

// MXU-2: a tile takes max(max(M, La), R/b, 2) cycles when nothing else holds it up.
TEST_P(MxuTest, StraightTilesHaveThePeriodOfTheRule) {
  const Subject s = subject();
  const int blocks = s.config.row_blocks();
  for (const int rows : {0, 1, blocks - 1, blocks, blocks + 1, s.config.rows, 40}) {
    MxuProgram program;
    constexpr int kTileCount = 20;
    for (int tile = 0; tile < kTileCount; ++tile) {
      const auto valid_rows = static_cast<uint32_t>(s.config.rows);
      const auto valid_cols = static_cast<uint32_t>(s.config.cols);
      program.wlds.push_back({{.address = static_cast<uint32_t>(64 * tile), .row_stride_bytes = s.config.cols,
                               .k_valid = valid_rows, .n_valid = valid_cols}, 0});
      program.mms.push_back({{.address = static_cast<uint32_t>(4 * tile), .row_stride_bytes = s.config.rows,
                              .acc_row = 3, .rows = static_cast<uint32_t>(rows), .k_valid = valid_rows,
                              .n_valid = valid_cols, .first = tile == 0, .switch_plane = true}, 0});
    }
    MxuRunner runner = make_runner(7);
    runner.start(0);
    runner.run(program);
    ASSERT_FALSE(runner.mismatch()) << *runner.mismatch();
    const int64_t period = std::max({rows, s.config.acc_latency, blocks, 2});
    const std::vector<int64_t>& issues = runner.issue_times().mm;
    ASSERT_EQ(issues.size(), static_cast<size_t>(kTileCount));
    for (size_t n = 1; n < issues.size(); ++n)
      ASSERT_EQ(issues[n] - issues[n - 1], period) << s.config.name << " M " << rows << " tile " << n;
  }
}

// int32 wraps: from 0x7f7f7f7f upwards by 127 * 127 * R at a time.
TEST_P(MxuTest, AccumulatorsWrapAround) {
  const Subject s = subject();
  MxuProgram program;
  program.wlds.push_back({{.address = 0, .row_stride_bytes = 0, .k_valid = static_cast<uint32_t>(s.config.rows),
                           .n_valid = static_cast<uint32_t>(s.config.cols)}, 0});
  const int64_t steps = (0x80000000 - 0x7f7f7f7f) / (127 * 127 * s.config.rows) + 2;
  for (int64_t n = 0; n < steps; ++n)
    program.mms.push_back({{.address = 0, .row_stride_bytes = 0, .acc_row = 5, .rows = 1,
                            .k_valid = static_cast<uint32_t>(s.config.rows),
                            .n_valid = static_cast<uint32_t>(s.config.cols), .first = false,
                            .switch_plane = n == 0}, 0});
  MxuRunner runner = make_runner(11);
  runner.start(0x7f, true);
  runner.run(program);
  EXPECT_FALSE(runner.mismatch()) << *runner.mismatch();
}

// MXU-4 (neighbours): a program that breaks the rule must trip the assertion in every body.
TEST_P(MxuTest, AssertionCatchesTheNeighbourHazard) {
  const Subject s = subject();
  const auto full = static_cast<uint32_t>(s.config.rows);
  MmWord first{.address = 0, .row_stride_bytes = 0, .acc_row = 0, .rows = 10, .k_valid = full, .n_valid = full,
               .first = true, .switch_plane = true};
  MmWord second = first;
  second.first = second.switch_plane = false;
  for (uint32_t base = 0; base <= 11; ++base) {
    second.acc_row = base;
    for (const MxuModel& model : s.models) {
      std::vector<std::unique_ptr<MxuDut>> duts;
      duts.push_back(model.make());
      MxuRunner runner(s.config, std::move(duts), 3);
      runner.start(0);
      runner.run({.wlds = {{{.k_valid = full, .n_valid = full}, 0}}, .mms = {{first, 0}, {second, 0}}});
      ASSERT_EQ(runner.mismatch().has_value(), breaks_neighbour_rule(s.config, first, second))
          << s.config.name << " base " << base << ": " << runner.mismatch().value_or("no mismatch");
      if (runner.mismatch()) {
        ASSERT_THAT(*runner.mismatch(), ::testing::HasSubstr("assertion failed"));
      }
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Subject& s : subjects()) all.push_back(s.config.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, MxuTest, ::testing::ValuesIn(names()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace lockstep::rtltest
