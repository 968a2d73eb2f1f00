#include "hw/isa/walker.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/hw/isa/build_words.h"

namespace lockstep::isa {
namespace {

std::vector<uint32_t> pcs(const Program& program) {
  const WalkPlan plan(program);
  Walker walker(plan);
  std::vector<uint32_t> out;
  while (const DynamicWord* word = walker.next()) out.push_back(word->pc);
  EXPECT_TRUE(walker.halted());
  return out;
}

std::optional<FaultCode> fault_of(const Program& program) {
  const WalkPlan plan(program);
  Walker walker(plan);
  while (walker.next() != nullptr) {
  }
  EXPECT_EQ(walker.next(), nullptr);
  return walker.fault();
}

TEST(Walker, LoopsRepeatTheirBodySEQ3) {
  const Program p = program_of({loop(0, 2, 3), loop(1, 2, 2), endloop(1), endloop(0), halt()});
  EXPECT_EQ(pcs(p), (std::vector<uint32_t>{0, 1, 2, 2, 3, 1, 2, 2, 3, 4}));
}

TEST(Walker, TripZeroSkipsToBehindTheEndloopSEQ3) {
  const Program p = program_of({loop(0, 0, 2), sync(), endloop(0), halt()});
  EXPECT_EQ(pcs(p), (std::vector<uint32_t>{0, 3}));
}

TEST(Walker, AddressesUseIndicesAndRingsOfTheDispatchCycleISA2SEQ1) {
  Instr ld = blank_instr(Op::kLd);
  auto& dma = std::get<DmaBody>(ld.body);
  dma.hbm.base = 2;
  dma.hbm.imm = 64;
  dma.hbm.loops[1] = {.level = 3, .stride = 1000};
  dma.vmem.imm = 7;
  dma.vmem.ring = {.ring = 5, .stride = 100};
  dma.reps.imm = 9;
  ld.step = 1U << 5;
  Program p = program_of({loop(3, 4, 2), ld, endloop(3), halt()});
  p.base_registers[2] = 1 << 20;
  p.rings[5] = {.modulus = 3, .start = 1};
  const WalkPlan plan(p);
  Walker walker(plan);
  std::vector<int64_t> hbm;
  std::vector<int64_t> vmem;
  while (const DynamicWord* word = walker.next()) {
    if (word->instr->op != Op::kLd) continue;
    EXPECT_EQ(word->count, 9U);
    hbm.push_back(word->hbm() - (1 << 20));
    vmem.push_back(word->vmem());
  }
  EXPECT_EQ(hbm, (std::vector<int64_t>{64, 1064, 2064, 3064}));
  EXPECT_EQ(vmem, (std::vector<int64_t>{107, 207, 7, 107}));
}

TEST(Walker, RingsPersistAcrossLoopsAndRestartGoesBackToReset) {
  Instr step = sync();
  step.step = 1;
  Program p = program_of({loop(0, 2, 2), step, endloop(0), loop(0, 3, 5), step, endloop(0), halt()});
  p.rings[0] = {.modulus = 8, .start = 0};
  const WalkPlan plan(p);
  Walker walker(plan);
  while (walker.next() != nullptr) {
  }
  EXPECT_EQ(walker.ring(0), 5);
  EXPECT_FALSE(walker.active(0));
  walker.restart();
  EXPECT_EQ(walker.ring(0), 0);
  EXPECT_EQ(walker.pc(), 0U);
}

TEST(Walker, CopyIsASnapshot) {
  const Program p = program_of({loop(0, 5, 2), sync(), endloop(0), halt()});
  const WalkPlan plan(p);
  Walker walker(plan);
  for (int k = 0; k < 5; ++k) walker.next();
  Walker copy = walker;
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
  while (const DynamicWord* word = walker.next()) a.push_back(word->pc);
  while (const DynamicWord* word = copy.next()) b.push_back(word->pc);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.size(), 7U);
}

/// Ring 0 is stepped twice an iteration; the loop runs 10 times.
Program skipped_program() {
  Instr step = sync();
  step.step = 1;
  Program p = program_of({loop(2, 10, 3), step, step, endloop(2), halt()});
  p.rings[0] = {.modulus = 5, .start = 3};
  return p;
}

TEST(Walker, SkippingIterationsEqualsExecutingThem) {
  const Program p = skipped_program();
  const WalkPlan plan(p);
  for (uint32_t skipped = 0; skipped <= 9; ++skipped) {
    Walker stepped(plan);
    Walker jumped(plan);
    for (int k = 0; k < 4; ++k) stepped.next(), jumped.next();  // LOOP and one iteration
    ASSERT_EQ(jumped.iterations_left(2), 9U);
    for (uint32_t k = 0; k < 3 * skipped; ++k) stepped.next();
    std::array<uint32_t, kRings> steps{};
    steps[0] = 2 * skipped;
    jumped.skip_iterations(2, skipped, steps);
    EXPECT_EQ(jumped.pc(), stepped.pc()) << skipped;
    EXPECT_EQ(jumped.ring(0), stepped.ring(0)) << skipped;
    EXPECT_EQ(jumped.index(2), stepped.index(2)) << skipped;
    EXPECT_EQ(jumped.active(2), stepped.active(2)) << skipped;
  }
}

TEST(Walker, MalformedProgramsStopWithAFault) {
  EXPECT_EQ(fault_of(program_of({sync()})), FaultCode::kPcRange);
  EXPECT_EQ(fault_of(program_of({})), FaultCode::kPcRange);
  EXPECT_EQ(fault_of(program_of({endloop(0), halt()})), FaultCode::kLoop);
  EXPECT_EQ(fault_of(program_of({loop(0, 2, 3), loop(0, 2, 2), endloop(0), endloop(0), halt()})), FaultCode::kLoop);
  EXPECT_EQ(fault_of(program_of({loop(0, 2, 3), loop(1, 2, 2), endloop(0), endloop(1), halt()})), FaultCode::kLoop);
  EXPECT_EQ(fault_of(program_of({loop(0, 0, 90), endloop(0), halt()})), FaultCode::kPcRange);
  Instr table = loop(0, 1, 1);
  std::get<LoopBody>(table.body).trip.from_table = true;
  EXPECT_EQ(fault_of(program_of({table, endloop(0), halt()})), FaultCode::kNotBuilt);
  Instr mixed = blank_instr(Op::kMm);
  mixed.body = WldBody{};
  EXPECT_EQ(fault_of(program_of({mixed, halt()})), FaultCode::kIllegalOp);
}

}  // namespace
}  // namespace lockstep::isa
