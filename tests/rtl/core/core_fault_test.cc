// Machine faults: a code and the tag of the offender, then the machine stops; the next run after a reset is clean (ISA-2).
#include <gtest/gtest.h>

#include "hw/isa/fault.h"

#include "tests/rtl/core/core_bench.h"
#include "tests/rtl/core/core_words.h"

namespace lockstep::rtl_test {
namespace {

using isa::FaultCode;
using isa::Instr;

class CoreFault : public testing::Test {
 protected:
  /// Runs {a good load, `word` with a tag, halt}: the fault is the word's, and its dispatch cycle is 1.
  void expect_fault(Instr word, FaultCode code) {
    word.tag = 0xABCDE;
    const RunLog log = bench.run({ld(0, 0, 64), word, halt()});
    EXPECT_EQ(log.fault_code, static_cast<int>(code)) << isa::fault_name(code);
    EXPECT_EQ(log.fault_tag, 0xABCDEu) << isa::fault_name(code);
    EXPECT_EQ(log.fault_cycle, 1) << isa::fault_name(code);
    const RunLog clean = bench.run({ld(0, 0, 64), halt()});
    EXPECT_EQ(clean.fault_code, 0);
    EXPECT_EQ(clean.cycles, 29);  // grant 5, v 26, beats 27 and 28
  }

  template <typename Edit>
  void expect_dma_fault(FaultCode code, Edit edit) {
    for (const isa::Op op : {isa::Op::kLd, isa::Op::kSt}) {
      Instr word = dma_word(op, 1024, 0, 64, 2, 64);
      edit(std::get<isa::DmaBody>(word.body));
      expect_fault(word, code);
    }
  }

  CoreBench bench;
};

TEST_F(CoreFault, transfers_off_the_granule) {
  expect_dma_fault(FaultCode::kDmaAlign, [](isa::DmaBody& b) { b.hbm.imm += 16; });
  expect_dma_fault(FaultCode::kDmaAlign, [](isa::DmaBody& b) { b.vmem.imm += 8; });
  expect_dma_fault(FaultCode::kDmaAlign, [](isa::DmaBody& b) { b.hbm_shape.run_bytes = b.vmem_shape.run_bytes = 1958; });
  expect_dma_fault(FaultCode::kDmaAlign, [](isa::DmaBody& b) { b.hbm_shape.stride1_bytes = 72; });
}

TEST_F(CoreFault, transfers_whose_sides_differ) {
  expect_dma_fault(FaultCode::kDmaLength, [](isa::DmaBody& b) { b.vmem_shape.n1 = 3; });
}

TEST_F(CoreFault, transfers_out_of_range) {
  expect_dma_fault(FaultCode::kHbmRange, [](isa::DmaBody& b) { b.hbm.imm = -32; });
  expect_dma_fault(FaultCode::kHbmRange, [](isa::DmaBody& b) { b.hbm_shape.stride1_bytes = 64512; });
  expect_dma_fault(FaultCode::kHbmRange, [](isa::DmaBody& b) { b.hbm_shape.stride1_bytes = -2048; });
  expect_dma_fault(FaultCode::kHbmRange, [](isa::DmaBody& b) { b.hbm_shape.stride1_bytes = int64_t{1} << 38; });
  expect_dma_fault(FaultCode::kVmemRange, [](isa::DmaBody& b) { b.vmem.imm = 65536 - 64; });
  expect_dma_fault(FaultCode::kVmemRange, [](isa::DmaBody& b) { b.vmem.imm = -64; });
}

TEST_F(CoreFault, features_that_are_not_built) {
  expect_dma_fault(FaultCode::kNotBuilt, [](isa::DmaBody& b) { b.hbm.table.scale_granules = 1; });
  expect_dma_fault(FaultCode::kNotBuilt, [](isa::DmaBody& b) { b.reps.from_table = true; });
  expect_dma_fault(FaultCode::kNotBuilt, [](isa::DmaBody& b) { b.fill = true; });
  Instr word = wld(0);
  word.op = isa::Op::kWldT;
  expect_fault(word, FaultCode::kNotBuilt);
  word = mm(0, 0, 8, true, false);
  std::get<isa::MmBody>(word.body).rows.from_table = true;
  expect_fault(word, FaultCode::kNotBuilt);
  word = vx(0, 0, 8);
  std::get<isa::VxBody>(word.body).kernel = 1;
  expect_fault(word, FaultCode::kNotBuilt);
  word = loop(0, 1, 1);
  std::get<isa::LoopBody>(word.body).trip.from_table = true;
  expect_fault(word, FaultCode::kNotBuilt);
}

TEST_F(CoreFault, units_the_chip_lacks) {
  for (Instr word : {ld(0, 0, 32), st(0, 0, 32), wld(0), mm(0, 0, 8, true, false), vx(0, 0, 8)}) {
    word.unit = 1;
    expect_fault(word, FaultCode::kUnit);
  }
}

TEST_F(CoreFault, matrix_and_vector_operands_out_of_range) {
  expect_fault(wld(65536 - 56), FaultCode::kVmemRange);
  expect_fault(wld(0, 9), FaultCode::kOperand);
  expect_fault(mm(65536 - 56, 0, 8, true, false), FaultCode::kVmemRange);
  expect_fault(mm(0, 249, 8, true, false), FaultCode::kAccRange);
  expect_fault(mm(0, -1, 8, true, false), FaultCode::kAccRange);
  expect_fault(mm(0, 0, 8, true, false, 8, 9), FaultCode::kOperand);
  expect_fault(vx(250, 0, 8), FaultCode::kAccRange);
  expect_fault(vx(0, 65536 - 7 * 32, 8), FaultCode::kVmemRange);
}

// Lines are 32 bytes. Rows are judged whole, masked or not, all of them and not only the first (VMEM-1).
TEST_F(CoreFault, operand_rows_that_straddle_a_line) {
  expect_fault(wld(28), FaultCode::kLine);
  expect_fault(wld(28, 8, 4), FaultCode::kLine);
  expect_fault(mm(28, 0, 8, true, false), FaultCode::kLine);
  Instr word = mm(0, 0, 8, true, false);
  std::get<isa::MmBody>(word.body).row_stride_bytes = 26;  // row 1 lies in [26, 34)
  expect_fault(word, FaultCode::kLine);
  std::get<isa::MmBody>(word.body).row_stride_bytes = 33;  // row 25 is the first that does not fit
  std::get<isa::MmBody>(word.body).rows.imm = 26;
  expect_fault(word, FaultCode::kLine);
  std::get<isa::MmBody>(word.body).rows.imm = 25;          // positions 0 .. 24
  EXPECT_EQ(bench.run({wld(0), word, halt()}).fault_code, 0);
  expect_fault(vx(0, 16, 8), FaultCode::kLine);
  EXPECT_EQ(bench.run({wld(28, 0), mm(28, 0, 0), vx(0, 16, 0), halt()}).fault_code, 0);  // no rows, nothing touched
}

TEST_F(CoreFault, what_the_copy_kernel_cannot_take) {
  expect_fault(vx(0, 2, 8), FaultCode::kOperand);
  expect_fault(vx(0, 0, 8, 1, 9), FaultCode::kOperand);
  Instr word = vx(0, 0, 8);
  std::get<isa::VxBody>(word.body).slots[0].space = isa::VxSpace::kVmem;
  expect_fault(word, FaultCode::kOperand);
  std::get<isa::VxBody>(word.body).slots[0].space = isa::VxSpace::kAcc1;
  expect_fault(word, FaultCode::kUnit);
  word = vx(0, 0, 8);
  std::get<isa::VxBody>(word.body).slots[2].space = isa::VxSpace::kVmem;
  expect_fault(word, FaultCode::kOperand);
}

TEST_F(CoreFault, ranges_are_exact) {
  EXPECT_EQ(bench.run({wld(65536 - 64), mm(65536 - 64, 248, 8), vx(248, 65536 - 256, 8), halt()}).fault_code, 0);
  EXPECT_EQ(bench.run({ld(65536 - 64, 65536 - 64, 64), halt()}).fault_code, 0);
}

TEST_F(CoreFault, control_words) {
  expect_fault(endloop(2), FaultCode::kLoop);
  RunLog log = bench.run({loop(1, 2, 2), tag(loop(1, 2, 2), 7), endloop(1), halt()});
  EXPECT_EQ(log.fault_code, static_cast<int>(FaultCode::kLoop));
  EXPECT_EQ(log.fault_tag, 7u);
  log = bench.run({ld(0, 0, 64)});
  EXPECT_EQ(log.fault_code, static_cast<int>(FaultCode::kPcRange));
  EXPECT_EQ(log.fault_cycle, 1);
}

TEST_F(CoreFault, a_semaphore_above_255) {
  isa::Program program = program_of({tag(post(ld(0, 0, 64), 9, kSourceFree), 77), halt()});
  program.semaphores[9] = 255;
  const RunLog log = bench.run(program);
  EXPECT_EQ(log.fault_code, static_cast<int>(FaultCode::kSemOverflow));
  EXPECT_EQ(log.fault_tag, 77u);
  EXPECT_EQ(log.fault_cycle, 5);
  program.semaphores[9] = 254;
  EXPECT_EQ(bench.run(program).fault_code, 0);
}

}  // namespace
}  // namespace lockstep::rtl_test
