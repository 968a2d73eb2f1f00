// Compiled programs are ordered by their semaphores alone, and each semaphore is needed.
#include <gtest/gtest.h>

#include "compiler/pipeline/compile.h"
#include "tests/unit/compiler/lower/happens_before.h"
#include "tests/unit/compiler/test_chips.h"

namespace lockstep::compiler_test {
namespace {

using ir::Activations;
using ir::Schedule;

isa::Program program_of(int64_t m, int64_t n, int64_t k, const chip::ChipSpec& chip, const Schedule& schedule) {
  ir::Gemm g;
  g.name = "gemm";
  g.m = m;
  g.n = n;
  g.k = k;
  pipeline::CompileOptions options;
  options.schedule = schedule;
  return std::get<pipeline::Compiled>(pipeline::compile(g, chip, {}, options).value()).program;
}

std::vector<Schedule> schedules() {
  std::vector<Schedule> out;
  for (int buffers = 1; buffers <= 3; ++buffers) {
    for (int others = 1; others <= 2; ++others) {
      for (const int64_t tn : {1, 2, 3}) out.push_back({4, tn, 4, Activations::kStreamed, buffers, others, others, 3 - others});
      out.push_back({4, 1, 4, Activations::kResident, buffers, others, 3 - others, others});
    }
  }
  return out;
}

TEST(Race, NoScheduleHasOne) {
  for (const Schedule& schedule : schedules()) {
    for (const int64_t k : {20, 64, 100}) {
      EXPECT_EQ(find_race(program_of(10, 8 * 5 + 3, k, edge8(), schedule), edge8()), "") << ir::print(schedule) << " k " << k;
    }
    Schedule tiny = schedule;
    tiny.tk = 8;
    EXPECT_EQ(find_race(program_of(9, 18, 90, tiny4(), tiny), tiny4()), "") << ir::print(tiny);
  }
}

TEST(Race, TwoLoadQueuesHaveNone) {
  chip::ChipSpec chip = edge8();
  chip.dma.load_queues = 2;
  for (const Schedule& schedule : schedules()) {
    EXPECT_EQ(find_race(program_of(10, 43, 100, chip, schedule), chip), "") << ir::print(schedule);
  }
}

/// Shows that the check can fail: with one more start token on any semaphore, something runs too early.
TEST(Race, EverySemaphoreIsNeeded) {
  const Schedule schedule{4, 2, 4, Activations::kStreamed, 2, 2, 2, 2};
  const isa::Program right = program_of(20, 80, 160, edge8(), schedule);
  ASSERT_EQ(find_race(right, edge8()), "");
  for (size_t s = 0; s < 8; ++s) {
    isa::Program wrong = right;
    ++wrong.semaphores[s];
    EXPECT_NE(find_race(wrong, edge8()), "") << "semaphore " << s;
  }
}

}  // namespace
}  // namespace lockstep::compiler_test
