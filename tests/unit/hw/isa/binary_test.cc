#include "hw/isa/binary.h"

#include <gtest/gtest.h>

#include "hw/isa/field_table.h"
#include "tests/unit/hw/isa/build_words.h"

namespace lockstep::isa {
namespace {

std::vector<uint8_t> image() {
  Program program = program_of({loop(3, 5, 1), endloop(3), halt()});
  program.chip_hash = 0x1122334455667788;
  return *encode_program(program);
}

std::string code_of(std::span<const uint8_t> bytes) {
  const Result<Program> program = decode_program(bytes, "x.lkb");
  return program.ok() ? "ok" : program.diags().front().code;
}

TEST(Binary, FieldsLieWhereTheTableSays) {
  Instr instr = blank_instr(Op::kLoop);
  instr.tag = 0xABCDEF;
  std::get<LoopBody>(instr.body).end_pc = 0x12345;
  std::vector<uint8_t> bytes(static_cast<size_t>(word_bytes()));
  encode_word(instr, bytes);
  EXPECT_EQ(bytes[0], 7);  // op in bits 3:0, unit above
  EXPECT_EQ(bytes[1] | bytes[2] << 8 | bytes[3] << 16, 0xABCDEF);
  const Field& end = field_of(Op::kLoop, "end_pc");
  uint64_t value = 0;
  for (int bit = 0; bit < end.width; ++bit) {
    value |= uint64_t{(bytes[static_cast<size_t>((end.lsb + bit) / 8)] >> ((end.lsb + bit) % 8)) & 1U} << bit;
  }
  EXPECT_EQ(value, 0x12345U);
}

TEST(Binary, ChipHashIsInTheHeader) {
  const std::vector<uint8_t> bytes = image();
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(bytes[18 + k], 0x88 - 0x11 * static_cast<int>(k));
}

TEST(Binary, FieldThatDoesNotFitIsADiagnostic) {
  Program program = program_of({loop(3, 1U << 24, 1), endloop(3), halt()});
  const auto bytes = encode_program(program);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(format_diag(bytes.diags()[0]),
            "error[E0601]: word 0: LOOP: trip.imm must be in [0, 16777215], got 16777216\n");
}

TEST(Binary, BodyOfAnotherOpIsADiagnostic) {
  Program program = program_of({halt()});
  program.code[0].op = Op::kMm;
  ASSERT_FALSE(encode_program(program).ok());
  EXPECT_EQ(encode_program(program).diags()[0].code, "E0602");
}

TEST(Binary, DamageIsNamed) {
  std::vector<uint8_t> bytes = image();
  bytes[0] ^= 1;
  EXPECT_EQ(code_of(bytes), "E0620");
  bytes = image();
  bytes[10] = 9;  // version
  EXPECT_EQ(code_of(bytes), "E0621");
  bytes = image();
  bytes[14] = 1;  // word width
  EXPECT_EQ(code_of(bytes), "E0621");
  bytes = image();
  bytes[100] ^= 4;
  EXPECT_EQ(code_of(bytes), "E0624");
}

TEST(Binary, EveryTruncationIsADiagnostic) {
  const std::vector<uint8_t> bytes = image();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(code_of(std::span(bytes).first(size)), "ok") << size;
  }
}

TEST(Binary, WordsRejectUnknownOpcodesRangesAndSpareBits) {
  std::vector<uint8_t> word(static_cast<size_t>(word_bytes()), 0);
  EXPECT_EQ(decode_word(word).diags()[0].code, "E0603");
  word[0] = 10;
  EXPECT_TRUE(decode_word(word).ok());
  word[0] = 0x4A;  // unit 4
  EXPECT_EQ(decode_word(word).diags()[0].code, "E0601");
  word[0] = 10;
  word.back() = 0x80;
  EXPECT_EQ(decode_word(word).diags()[0].code, "E0604");
}

}  // namespace
}  // namespace lockstep::isa
