#include <fmt/format.h>

#include "tests/unit/hw/isa/verify_case.h"

namespace lockstep::isa {
namespace {

TEST(Verify, LegalProgramPassesWithItsCounts) {
  const chip::ChipSpec chip = verify_chip();
  const Result<VerifyReport> report = verify(assemble(kLegal, chip), chip);
  ASSERT_TRUE(report.ok()) << verdict(kLegal);
  EXPECT_EQ(report->dynamic_words, 1 + 4 * 6 + 2);
  EXPECT_EQ(report->engine_words[kLd0], 4);
  EXPECT_EQ(report->engine_words[kMm0], 4);
}

TEST(VerifyHeader, ChipHashMustMatchISA2) {
  const chip::ChipSpec chip = verify_chip();
  Program program = assemble(kLegal, chip);
  program.chip_hash ^= 1;
  EXPECT_EQ(verdict(program, chip).substr(0, 6), "E0605:");
  EXPECT_EQ(verdict(program, chip, {.check_chip_hash = false}), "");
}

TEST(VerifyHeader, ProgramMustFitTheInstructionMemory) {
  chip::ChipSpec chip = verify_chip();
  chip.imem_words = 9;
  EXPECT_EQ(verdict(assemble(kLegal, chip), chip), "");
  chip.imem_words = 8;
  EXPECT_EQ(verdict(assemble(kLegal, chip), chip), "E0606: the program has 9 words, imem_words is 8\n");
}

TEST(VerifyHeader, RingsSEQ1) {
  expect_violation(broken("ring r0 modulus=2", "ring r0 modulus=9"), "E0607", "SEQ-1");
  expect_violation(broken("ring r0 modulus=2", "ring r0 modulus=2 start=2"), "E0607", "SEQ-1");
  expect_violation(broken("ring r0 modulus=2", "ring r5 modulus=0\nring r0 modulus=2"), "E0607", "SEQ-1");
}

TEST(VerifyHeader, TensorsLieInTheImage) {
  const std::string tensor =
      "tensor \"a\" role=input type=int32 rows=16 cols=32 offset=0x3800 bytes=2048 block_rows=16 block_cols=32 block_row_stride=0 "
      "block_col_stride=0 row_stride=128\ncode";
  EXPECT_EQ(verdict(broken("code", tensor)), "");
  std::string shifted = tensor;
  shifted.replace(shifted.find("0x3800"), 6, "0x3801");
  expect_violation(broken("code", shifted), "E0609", "tensor \"a\"");
  std::string wide = tensor;
  wide.replace(wide.find("row_stride=128"), 14, "row_stride=132");
  expect_violation(broken("code", wide), "E0609", "tensor \"a\"");
}

TEST(VerifyHeader, TensorsOfAnyExtentAndStrideAreMeasured) {
  const auto tensor = [](const std::string& rows, const std::string& row_stride) {
    return fmt::format("tensor \"a\" role=input type=int32 rows={} cols=32 offset=0x3800 bytes=2048 block_rows={} "
                       "block_cols=32 block_row_stride=0 block_col_stride=0 row_stride={}\ncode", rows, rows, row_stride);
  };
  EXPECT_EQ(verdict(broken("code", tensor("16777215", "0"))), "");
  EXPECT_EQ(verdict(broken("code", tensor("9223372036854775807", "0"))), "");
  expect_violation(broken("code", tensor("16777215", "128")), "E0609", "tensor \"a\"");
  expect_violation(broken("code", tensor("2", "9223372036854775807")), "E0609", "tensor \"a\"");
  expect_violation(broken("code", tensor("9223372036854775807", "9223372036854775807")), "E0609", "tensor \"a\"");
}

TEST(VerifyHeader, HbmBytes) { expect_violation(broken("hbm 0x4000", "hbm -1"), "E0608", "hbm_bytes"); }

TEST(VerifyWords, FieldsAndBodies) {
  const chip::ChipSpec chip = verify_chip();
  Program program = assemble(kLegal, chip);
  program.code[3].tag = 1U << 24;
  EXPECT_EQ(verdict(program, chip), "E0601: word 3: MM: tag must be in [0, 16777215], got 16777216\n");
  program = assemble(kLegal, chip);
  program.code[3].body = WldBody{};
  EXPECT_EQ(verdict(program, chip).substr(0, 6), "E0602:");
}

TEST(VerifyWords, UnitMustExistOnTheChipDMA5MXU8) {
  expect_violation(broken("LD.0", "LD.1"), "E0630", "DMA-5");
  chip::ChipSpec chip = verify_chip();
  chip.dma.load_queues = 2;
  EXPECT_EQ(verdict(assemble(broken("LD.0", "LD.1"), chip), chip), "");
}

TEST(VerifyWords, UnitsThatAreNotBuilt) {
  chip::ChipSpec chip = verify_chip();
  chip.mxu.count = 2;
  const Program program = assemble(broken("WLD.0", "WLD.1"), chip);
  EXPECT_EQ(verdict(program, chip).substr(0, 6), "E0807:");
  const std::string both = verdict(program, chip, {.built_mxus = 2});
  EXPECT_EQ(both.substr(0, 6), "E0707:") << both;  // built, and then two MXUs that do not fit each other
}

TEST(VerifyWords, SequencerWordsNeitherWaitNorPost) {
  expect_violation(broken("SYNC engines={LD0,ST0}", "SYNC engines={} wait(s1,1)"), "E0636", "wait");
  expect_violation(broken("SYNC engines={LD0,ST0}", "SYNC engines={} post(s1,1,done)"), "E0636", "post");
}

TEST(VerifyWords, WaitsAndPostsOfAWordDifferSEM2) {
  expect_violation(broken("wait(s2,1)", "wait(s0,1)"), "E0637", "SEM-2");
  expect_violation(broken("post(s3,1,done)", "post(s1,1,source_free)"), "E0637", "SEM-2");
}

TEST(VerifyWords, UnusedPartsAreZero) {
  expect_violation(broken("wait(s1,1)", "wait(s1,0)"), "E0638", "unused wait");
  expect_violation(broken("vmem=[0x400]", "vmem=[0x400 + i3*0]"), "E0638", "loop term");
  expect_violation(broken("vmem=[0x400]", "vmem=[0x400 + r3*0]"), "E0638", "ring term");
}

TEST(VerifyWords, WhatIsNotBuiltHasItsOwnCode) {
  expect_violation(broken("trip=4", "trip=smem[0]"), "E0801", "SEQ-2");
  expect_violation(broken("rows=32", "rows=smem[0]"), "E0801", "SEQ-2");
  expect_violation(broken("b0 + i0*256", "b0 + i0*256 + smem[0]*1"), "E0801", "SEQ-2");
  expect_violation(broken("code\n", "smem 1 2\ncode\n"), "E0801", "SEQ-2");
  expect_violation(broken("stride1=64", "stride1=64 fill fill_value=1"), "E0802", "fill");
  expect_violation(broken("WLD.0", "WLD.T.0"), "E0803", "MXU-3");
  expect_violation(broken("kernel=copy", "kernel=1"), "E0804", "VX-1");
  expect_violation(broken("acc0.int32", "acc0.fp32"), "E0805", "int32");
  expect_violation(broken("kernel=copy", "kernel=copy rows_inner=2"), "E0806", "VPU-4");
  expect_violation(broken("row=32 chunk=32", "row=32 chunk=32 row2=1"), "E0806", "VPU-4");
  EXPECT_EQ(verdict(broken("stride1=64", "stride1=64 continues")), "");  // no effect on ideal memory
}

TEST(VerifyLoops, MustBeMatchedSEQ3) {
  expect_violation(broken(" 6: ENDLOOP i0\n 7: SYNC engines={LD0,ST0}\n 8: HALT", " 6: ENDLOOP i0\n 7: ENDLOOP i1\n 8: HALT"), "E0631",
                   "no loop is open");
  const std::string crossed = verdict("code\nLOOP i0 trip=1 end=2\nLOOP i1 trip=1 end=3\nENDLOOP i0\nENDLOOP i1\nHALT\n");
  EXPECT_EQ(crossed.rfind("E0631: word 2 (ENDLOOP): the innermost open loop is i1, from word 1\n", 0), 0U) << crossed;
  expect_violation("code\nLOOP i0 trip=1 end=0\nHALT\n", "E0631", "no ENDLOOP i0");
}

TEST(VerifyLoops, LevelMayBeActiveOnceSEQ3) {
  expect_violation("code\nLOOP i0 trip=1 end=3\nLOOP i0 trip=1 end=2\nENDLOOP i0\nENDLOOP i0\nHALT\n", "E0632", "SEQ-3");
  EXPECT_EQ(verdict("code\nLOOP i0 trip=1\nENDLOOP i0\nLOOP i0 trip=1\nENDLOOP i0\nHALT\n"), "");
}

TEST(VerifyLoops, EndMustBeTheMatchingEndloopSEQ3) {
  expect_violation("code\nLOOP i0 trip=1 end=2\nENDLOOP i0\nSYNC engines={}\nHALT\n", "E0633", "SEQ-3");
}

TEST(VerifyLoops, InactiveLevelsHaveNoIndexSEQ3) {
  expect_violation(broken("vmem=[0x400]", "vmem=[0x400 + i1*8]"), "E0634", "SEQ-3");
  expect_violation(broken("acc=[0]", "acc=[i1*8]"), "E0634", "SEQ-3");
  expect_violation(broken("acc0.int32[0]", "acc0.int32[i1*8]"), "E0634", "SEQ-3");
}

TEST(VerifyLoops, HaltEndsTheProgramAndOnlyThere) {
  expect_violation("code\nSYNC engines={}\n", "E0635", "last word");
  expect_violation("code\nHALT\nHALT\n", "E0635", "cannot be reached");
  expect_violation("code\n", "E0635", "last word");
}

TEST(VerifyLoops, EndlessProgramsAreRefused) {
  std::string text = "code\n";
  for (int k = 0; k < 8; ++k) text += "LOOP i" + std::to_string(k) + " trip=16777215\n";
  for (int k = 7; k >= 0; --k) text += "ENDLOOP i" + std::to_string(k) + "\n";
  expect_violation(text + "HALT\n", "E0639", "limit");
}

TEST(VerifyLoops, BodyOfTripZeroFormsNoAddress) {
  EXPECT_EQ(verdict("code\nLOOP i0 trip=0\nWLD.0 vmem=[0x100000 + i0*8] k=8 n=8\nENDLOOP i0\nHALT\n"), "");
}

TEST(Verify, ViolationsAreLimitedAndNamed) {
  std::string text = "op 7 \"q_proj\"\ncode\n";
  for (int k = 0; k < 80; ++k) text += "WLD.0 vmem=[0] k=9 n=8 tag=7\n";
  const chip::ChipSpec chip = verify_chip();
  const Result<VerifyReport> report = verify(assemble(text + "HALT\n", chip), chip, {.max_diags = 5});
  ASSERT_EQ(report.diags().size(), 6U);
  EXPECT_EQ(report.diags()[0].message, "word 0 (WLD.0, tag 7 \"q_proj\"): k_valid is 9, the chip takes at most 8 (MXU-4)");
  EXPECT_EQ(report.diags()[5].code, "E0616");
}

}  // namespace
}  // namespace lockstep::isa
