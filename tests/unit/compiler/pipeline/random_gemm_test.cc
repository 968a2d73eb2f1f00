// Random products on random chips with random knobs: every program that comes out is right, byte for byte.
#include <algorithm>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/base/rng.h"
#include "tests/unit/compiler/pipeline/gemm_run.h"
#include "tests/unit/compiler/test_chips.h"

namespace lockstep::compiler_test {
namespace {

constexpr uint64_t kSeed = 20240611;
constexpr int kCases = 1500;

class Picker {
 public:
  explicit Picker(uint64_t seed) : rng_(seed) {}
  int64_t in(int64_t low, int64_t high) { return rng_.between(low, high); }
  int one_of(std::initializer_list<int> values) { return *(values.begin() + in(0, static_cast<int64_t>(values.size()) - 1)); }

 private:
  Rng rng_;
};

chip::ChipSpec random_chip(Picker& pick) {
  const int rows = pick.one_of({4, 8, 16, 32});
  const int cols = pick.one_of({4, 8, 16, 32});
  const int load_rows = std::min({pick.one_of({1, 2, 4, 8}), rows, cols});
  chip::ChipSpec c = make_chip("random", rows, cols, load_rows, pick.one_of({8, 16, 64, 256, 1024}), pick.one_of({4, 8, 32, 128}), 16);
  c.vpu.lanes = std::max(4, cols / pick.one_of({1, 1, 2, 4}));
  c.vpu.rows_per_cycle = pick.one_of({1, 2, 4, 8});
  c.mxu.acc_latency = pick.one_of({2, 3, 5});
  c.vmem.read_latency = pick.one_of({1, 2, 4});
  c.dma.load_queues = pick.one_of({1, 2});
  c.dma.burst_bytes = pick.one_of({128, 256, 1024});
  c.dma.granule_bytes = pick.one_of({32, 32, 64, 128});
  return c;
}

ir::Gemm random_gemm(Picker& pick) {
  ir::Gemm g;
  const int64_t limit = pick.one_of({10, 40, 150});
  g.m = pick.in(1, limit);
  g.n = pick.in(1, limit);
  g.k = pick.in(1, 2 * limit);
  g.name = fmt::format("m{}_n{}_k{}", g.m, g.n, g.k);
  return g;
}

pipeline::Knobs random_knobs(Picker& pick) {
  pipeline::Knobs knobs;
  knobs.buffers = pick.in(1, 3);
  knobs.drain_overlap = pick.in(0, 1) == 1;
  if (pick.in(0, 2) == 0) knobs.tm = pick.in(1, 40);
  if (pick.in(0, 2) == 0) knobs.tn = pick.in(1, 6);
  if (pick.in(0, 2) == 0) knobs.tk = pick.in(1, 5) * 8;
  return knobs;
}

TEST(RandomGemm, EveryProgramIsRight) {
  std::cout << "seed " << kSeed << "\n";
  Picker pick(kSeed);
  int compiled_count = 0;
  for (int i = 0; i < kCases; ++i) {
    const chip::ChipSpec chip = random_chip(pick);
    const ir::Gemm g = random_gemm(pick);
    const pipeline::Knobs knobs = random_knobs(pick);
    const auto outcome = pipeline::compile(g, chip, knobs);
    ASSERT_TRUE(outcome.ok()) << format_diag(outcome.diags().front());
    const auto* compiled = std::get_if<pipeline::Compiled>(&*outcome);
    if (compiled == nullptr) continue;
    ++compiled_count;
    const std::string problem = run_and_compare(*compiled, chip, static_cast<uint32_t>(i));
    ASSERT_EQ(problem, "") << "case " << i << ": " << g.name << ", " << ir::print(compiled->schedule) << ", array " << chip.mxu.rows
                           << "x" << chip.mxu.cols << ", granule " << chip.dma.granule_bytes << "\n" << print(knobs);
  }
  EXPECT_GT(compiled_count, kCases / 3) << "most cases should compile, or the test shows little";
}

}  // namespace
}  // namespace lockstep::compiler_test
