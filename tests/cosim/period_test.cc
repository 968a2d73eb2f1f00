// MXU-2: the period of a weight tile is max(max(M, La), R/b, 2), on the RTL and on the model.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/cosim/rtl_run.h"
#include "tests/property/program_gen.h"
#include "tests/property/word_builder.h"
#include "hw/timing/timing_target.h"

namespace lockstep::testcosim {
namespace {

constexpr int kTiles = 24;

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

/// Side, b and La. With side 16 and La 2 the rows or the weight load decide; side = b leaves La or the floor of 2.
struct ArrayCase {
  int side, b, acc_latency;
};

class Period : public testing::TestWithParam<ArrayCase> {};

TEST_P(Period, OfBackToBackTilesIsTheRule) {
  const auto [side, b, acc_latency] = GetParam();
  chip::ChipSpec chip = testgen::small_chip(side, side, b);
  chip.mxu.acc_latency = acc_latency;
  const auto rtl = rtl_of(chip);
  ASSERT_NE(rtl, nullptr);
  timing::TimingTarget model(chip);
  const int load = side / b;
  for (const int rows : {1, load - 1, load, load + 1, side}) {
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
    fmt::print("{0}x{0} b {1} La {2} M {3:2}: period {4} on {5} tiles, RTL and model\n", side, b, acc_latency, rows, rule,
               kTiles);
  }
}

INSTANTIATE_TEST_SUITE_P(LoadRows, Period, testing::Values(ArrayCase{16, 1, 2}, ArrayCase{16, 2, 2}, ArrayCase{16, 4, 2}, ArrayCase{16, 8, 2},
                                         ArrayCase{8, 8, 2}, ArrayCase{8, 8, 5}),
                         [](const auto& array) {
                           return fmt::format("side{}_b{}_La{}", array.param.side, array.param.b, array.param.acc_latency);
                         });

}  // namespace
}  // namespace lockstep::testcosim
