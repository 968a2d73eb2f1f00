// Compiled GEMMs on the shipped chips and the fast model: how close they come to what the chip allows.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_file.h"
#include "hw/timing/timing_target.h"

namespace lockstep {
namespace {

chip::ChipSpec shipped_chip(const std::string& name) {
  return chip::parse_chip(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/" + name + ".yaml").value().spec;
}

ir::Gemm gemm(int64_t m, int64_t n, int64_t k) {
  ir::Gemm g;
  g.name = fmt::format("m{}_n{}_k{}", m, n, k);
  g.m = m;
  g.n = n;
  g.k = k;
  return g;
}

struct Timed {
  pipeline::Compiled compiled;
  int64_t cycles = 0;
};

Timed time_gemm(const ir::Gemm& g, const chip::ChipSpec& chip, const pipeline::Knobs& knobs = {}) {
  Timed out{std::get<pipeline::Compiled>(pipeline::compile(g, chip, knobs).value()), 0};
  timing::TimingTarget model(chip);
  target::MemoryImage no_data;
  const target::RunResult result = model.run(out.compiled.program, no_data, {}).value();
  EXPECT_FALSE(result.fault) << result.fault->code << " " << result.fault->detail;
  out.cycles = result.cycles;
  fmt::print("{} on {}: {} cycles, bound {} ({}), estimate {}, {}\n", g.name, chip.name, out.cycles,
             out.compiled.bounds.lower_bound(), out.compiled.bounds.limiter(), out.compiled.cost.cycles,
             ir::print(out.compiled.schedule));
  return out;
}

double share_of_bound(const Timed& t) {
  return static_cast<double>(t.compiled.bounds.lower_bound()) / static_cast<double>(t.cycles);
}

TEST(GemmTime, PrefillProjectionKeepsTheArrayBusyWhenMemoryDoesNotLimit) {
  chip::ChipSpec chip = shipped_chip("tpu128");
  chip.dram.bandwidth_GBps = 10000;
  const Timed t = time_gemm(gemm(512, 4096, 4096), chip);
  EXPECT_EQ(t.compiled.bounds.ideal_cycles, 524288);
  EXPECT_GE(share_of_bound(t), 0.95);
  EXPECT_LE(share_of_bound(t), 1.0);  // a bound that is beaten is wrong
}

TEST(GemmTime, LlamaProjectionsReachTheirBoundInBothPhases) {
  const chip::ChipSpec chip = shipped_chip("tpu128");
  for (const auto& [n, k] : {std::pair<int64_t, int64_t>{4096, 4096}, {1024, 4096}, {14336, 4096}, {4096, 14336}}) {
    for (const int64_t m : {512, 8}) {
      const double share = share_of_bound(time_gemm(gemm(m, n, k), chip));
      EXPECT_GE(share, m == 512 ? 0.95 : 0.90) << "m " << m << " n " << n << " k " << k;
      EXPECT_LE(share, 1.0);
    }
  }
}

TEST(GemmTime, EdgeChipsKeepTheirArraysBusyWithStreamedActivations) {
  for (const char* name : {"edge8", "edge16", "wide", "tall"}) {
    const double share = share_of_bound(time_gemm(gemm(256, 512, 2048), shipped_chip(name)));
    EXPECT_GE(share, 0.93) << name;
    EXPECT_LE(share, 1.0) << name;
  }
}

/// The rule behind every figure: a tile takes max(rows, La, R / b, 2) cycles and the next follows at once, across
/// slices, n tiles and m blocks. Issue times of the MMs in the middle of a long run show it.
TEST(GemmTime, TilesFollowEachOtherWithoutABubbleAcrossEveryLoop) {
  chip::ChipSpec chip = shipped_chip("edge16");
  chip.dram.bandwidth_GBps = 1000;
  chip.dma.beat_bytes = 1024;
  const Timed t = time_gemm(gemm(300, 160, 1024), chip);
  timing::TimingTarget model(chip);
  target::MemoryImage no_data;
  target::RunOptions options;
  options.record_events = true;
  const target::RunResult result = model.run(t.compiled.program, no_data, options).value();
  const auto& products = result.events.instrs[isa::kMm0];
  ASSERT_EQ(products.size() % 2, 0u);
  int64_t bubbles = 0;
  for (size_t i = products.size() / 4; i + 1 < products.size(); ++i) {
    const int64_t rows = std::get<isa::MmBody>(t.compiled.program.code[products[i].pc].body).rows.imm;
    const int64_t period = std::max<int64_t>({rows, chip.mxu.acc_latency, chip.mxu.rows / chip.mxu.weight_load_rows, 2});
    bubbles += products[i + 1].issue - products[i].issue - period;
  }
  EXPECT_EQ(bubbles, 0);
}

TEST(GemmTime, EachBufferAndTheDrainOverlapBuyTime) {
  const chip::ChipSpec chip = shipped_chip("tpu128");
  std::vector<int64_t> cycles;
  for (int buffers = 1; buffers <= 3; ++buffers) {
    pipeline::Knobs knobs;
    knobs.buffers = buffers;
    cycles.push_back(time_gemm(gemm(8, 4096, 4096), chip, knobs).cycles);
  }
  EXPECT_GT(cycles[0], cycles[1] * 5 / 4);
  EXPECT_GE(cycles[1] * 101 / 100, cycles[2]);
  pipeline::Knobs serial;
  serial.drain_overlap = false;
  EXPECT_GT(time_gemm(gemm(512, 512, 128), chip, serial).cycles, time_gemm(gemm(512, 512, 128), chip).cycles);
}

TEST(GemmTime, TheEstimateStaysWithinATenthOfTheModelOnLongRuns) {
  for (const char* name : {"edge8", "edge16", "tpu128"}) {
    for (const int64_t m : {1, 8, 100, 512}) {
      const Timed t = time_gemm(gemm(m, 1024, 2048), shipped_chip(name));
      const auto cycles = static_cast<double>(t.cycles);
      EXPECT_NEAR(static_cast<double>(t.compiled.cost.cycles), cycles, 0.1 * cycles) << name << " m " << m;
    }
  }
}

}  // namespace
}  // namespace lockstep
