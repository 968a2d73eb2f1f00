// The rolled program of a GEMM executes exactly the words that the steps make one after another.
#include "compiler/lower/steps.h"

#include <gtest/gtest.h>

#include "compiler/lower/gemm.h"
#include "compiler/lower/gemm_steps.h"
#include "hw/isa/walker.h"
#include "tests/unit/compiler/test_chips.h"

namespace lockstep::lower {
namespace {

using ir::Activations;

/// What a target sees of one executed word.
struct Seen {
  isa::Op op;
  std::array<int64_t, 6> addresses;
  isa::Instr instr;  // operand addresses cleared
};

isa::Instr without_addresses(isa::Instr instr) {
  if (auto* dma = std::get_if<isa::DmaBody>(&instr.body)) {
    dma->hbm = {};
    dma->vmem = {};
  } else if (auto* wld = std::get_if<isa::WldBody>(&instr.body)) {
    wld->vmem = {};
  } else if (auto* mm = std::get_if<isa::MmBody>(&instr.body)) {
    mm->vmem = {};
    mm->acc = {};
  }
  return instr;
}

std::vector<Seen> walk(const isa::Program& program) {
  const isa::WalkPlan plan(program);
  isa::Walker walker(plan);
  std::vector<Seen> out;
  while (const isa::DynamicWord* word = walker.next()) {
    if (isa::is_engine_op(word->instr->op)) out.push_back({word->instr->op, word->addresses, without_addresses(*word->instr)});
  }
  EXPECT_TRUE(walker.halted());
  return out;
}

/// Every step's code one after the other, no loops over steps: slow and obvious.
isa::Program unrolled(const analysis::Tiling& t, const chip::ChipSpec& chip) {
  const GemmSteps steps(t, chip);
  Code code = steps.prologue();
  Position at;
  for (at.m = 0; at.m < t.m.count; ++at.m) {
    for (at.n = 0; at.n < t.n.count; ++at.n) {
      for (at.k = 0; at.k < t.k.count; ++at.k) {
        for (at.tile_n = 0; at.tile_n < t.n.extent(at.n); ++at.tile_n) {
          Code body = steps.step(at);
          const std::array<std::pair<Dim, int64_t>, 4> indices = {
              {{Dim::kTileN, at.tile_n}, {Dim::kK, at.k}, {Dim::kN, at.n}, {Dim::kM, at.m}}};
          for (const auto& [dim, index] : indices) body = {LoopNode{dim, index, index + 1, std::move(body)}};
          code.push_back(std::move(body.front()));
        }
      }
    }
  }
  code.push_back(Word{});
  isa::Program program;
  steps.initialise(program);
  program.code = assemble(code, 1);
  return program;
}

void expect_equal(int64_t m, int64_t n, int64_t k, const ir::Schedule& s) {
  chip::ChipSpec chip = compiler_test::edge8();
  chip.imem_words = 100000;
  ir::Gemm g;
  g.m = m;
  g.n = n;
  g.k = k;
  const analysis::Tiling t = analysis::resolve_tiling(g, chip, s);
  const isa::Program rolled = std::get<isa::Program>(lower_gemm("g", t, chip));
  const isa::Program flat = unrolled(t, chip);
  const std::vector<Seen> got = walk(rolled);
  const std::vector<Seen> want = walk(flat);
  ASSERT_EQ(got.size(), want.size()) << ir::print(s);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].op, want[i].op) << "word " << i << " of " << ir::print(s);
    ASSERT_EQ(got[i].addresses, want[i].addresses) << "word " << i << " of " << ir::print(s);
    ASSERT_EQ(got[i].instr, want[i].instr) << "word " << i << " of " << ir::print(s);
  }
  EXPECT_LT(rolled.code.size(), 1500u) << ir::print(s);
}

TEST(RollSteps, StreamedScheduleExecutesTheSameWordsAsItsUnrolledForm) {
  for (const int64_t tn : {1, 2, 3, 5}) {
    for (int buffers = 1; buffers <= 4; ++buffers) {
      expect_equal(45, 8 * 17 + 3, 300, {8, tn, 4, Activations::kStreamed, buffers, buffers, 2, 2});
      expect_equal(45, 8 * 15, 256, {8, tn, 4, Activations::kStreamed, buffers, 5 - buffers, 1, 2});
    }
  }
}

TEST(RollSteps, ResidentScheduleExecutesTheSameWordsAsItsUnrolledForm) {
  for (int buffers = 1; buffers <= 4; ++buffers) {
    for (const int64_t k : {20, 64, 90, 300}) {  // 1, 2, 3 and 10 slices: fewer than, as many as and more than slots
      expect_equal(45, 8 * 9 + 3, k, {8, 1, 4, Activations::kResident, buffers, 1 + buffers % 2, 2, 2});
      expect_equal(16, 8, k, {8, 1, 4, Activations::kResident, buffers, 1, 2, 2});
    }
  }
}

TEST(RollSteps, LongLoopsAreRolled) {
  ir::Gemm g;
  g.m = 512;
  g.n = 4096;
  g.k = 4096;
  const chip::ChipSpec chip = compiler_test::tpu128();
  const analysis::Tiling t = analysis::resolve_tiling(g, chip, {512, 1, 2, Activations::kResident, 3, 1, 2, 2});
  EXPECT_LT(std::get<isa::Program>(lower_gemm("g", t, chip)).code.size(), 100u);
}

TEST(RollSteps, AProgramBeyondTheInstructionMemoryIsInfeasible) {
  ir::Gemm g;
  g.m = 45;
  g.n = 139;
  g.k = 300;
  chip::ChipSpec chip = compiler_test::edge8();
  chip.imem_words = 64;
  const analysis::Tiling t = analysis::resolve_tiling(g, chip, {8, 3, 4, Activations::kStreamed, 3, 3, 2, 2});
  const auto outcome = lower_gemm("g", t, chip);
  ASSERT_TRUE(std::holds_alternative<ir::Infeasible>(outcome));
  EXPECT_EQ(std::get<ir::Infeasible>(outcome).code, "imem");
}

}  // namespace
}  // namespace lockstep::lower
