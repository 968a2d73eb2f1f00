// MXU-2: the period of a weight tile is max(max(M, La), R/b, 2), on the RTL and on the model.
#include <algorithm>
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "tests/cosim/rtl_run.h"
#include "tests/property/program_gen.h"
#include "tests/property/word_builder.h"
#include "hw/timing/timing_target.h"

namespace lockstep::testcosim {
namespace {

constexpr int kTiles = 24;
constexpr int kSide = 16;

/// Distances between the issues of consecutive tiles, behind the first few that fill the pipeline.
std::set<int64_t> periods(const target::EventLog& events) {
  std::set<int64_t> distances;
  int64_t previous = -1;
  int index = 0;
  for (const target::InstrEvent& event : events.instrs[isa::kMm0]) {
    if (event.tag != testgen::kPairTag) continue;
    if (index++ > 3) distances.insert(event.issue - previous);
    previous = event.issue;
  }
  return distances;
}

class Period : public testing::TestWithParam<int> {};

TEST_P(Period, OfBackToBackTilesIsTheRule) {
  const int b = GetParam();
  const chip::ChipSpec chip = testgen::small_chip(kSide, kSide, b);
  const auto rtl = rtl_of(chip);
  ASSERT_NE(rtl, nullptr);
  timing::TimingTarget model(chip);
  const int load = kSide / b;
  for (const int rows : {1, load - 1, load, load + 1, kSide}) {
    if (rows < 1) continue;
    const isa::Program program = testgen::pair_program(chip, kTiles, rows);
    const target::MemoryImage image = noise(program.hbm_bytes, 3);
    const Agreement agreement = run_trio(program, chip, *rtl, image);
    for (const std::string& problem : agreement.problems) ADD_FAILURE() << problem;
    target::RunOptions options;
    options.record_events = true;
    target::MemoryImage scratch = image;
    const auto on_rtl = rtl->run(program, scratch, options);
    ASSERT_TRUE(on_rtl.ok());
    const auto on_model = model.run(program, scratch, options);
    ASSERT_TRUE(on_model.ok());
    const int64_t rule = std::max({std::max(rows, chip.mxu.acc_latency), load, 2});
    const std::set<int64_t> expected = {rule};
    EXPECT_EQ(periods(on_rtl->events), expected) << "b " << b << " M " << rows;
    EXPECT_EQ(periods(on_model->events), expected) << "b " << b << " M " << rows;
    std::printf("b %d M %2d: period %lld on %d tiles, RTL and model\n", b, rows, static_cast<long long>(rule), kTiles);
  }
}

INSTANTIATE_TEST_SUITE_P(LoadRows, Period, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace lockstep::testcosim
