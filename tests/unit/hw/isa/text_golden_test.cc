#include "hw/isa/text.h"

#include <gtest/gtest.h>

#include "tests/unit/hw/isa/build_words.h"

namespace lockstep::isa {
namespace {

// As a person would write it: no labels, no `end=`, defaults left out, own spacing and number bases.
constexpr const char* kWritten = R"(# one tile, double buffered
program "gemm tile"
chip 0xfeed
hbm 0x10_0000
ring r0 modulus=2
base b1=4096
sem s3 = 2
tensor "A" role=input type=int8 rows=96 cols=64 offset=0 bytes=6144 block_rows=96 block_cols=64 block_row_stride=0 block_col_stride=0 row_stride=64
op 7 "q_proj"
code
LOOP i2 trip=4
LD hbm=[b1 + 0x400 + i2*4096] run=4096 vmem=[r0*0x2000] run=64 n1=64 stride1=128 wait(s3,1) post(s0,16,done) step={r0} tag=7
WLD.T.1 vmem=[16 - i2*8] k=8 n=8 row_stride=8
MM acc=[3] vmem=[0] row_stride=8 rows=smem[3 + i2] first k=8 n=4 switch
VX kernel=copy rows=12 chunks=1 cols=8 slot0=acc0.int32[i2*64] row=1 slot1=vmem.int32[0x100 + _ + i2*64] row=32 chunk=32
ENDLOOP i2
SYNC engines={LD0,MM0}
HALT
)";

constexpr const char* kPrinted = R"(program "gemm tile"
chip 0x000000000000feed
hbm 0x100000
base b1 = 0x1000
ring r0 modulus=2 start=0
sem s3 = 2
tensor "A" role=input type=int8 rows=96 cols=64 offset=0x0 bytes=6144 block_rows=96 block_cols=64 block_row_stride=0 block_col_stride=0 row_stride=64
op 7 "q_proj"

code
    0: LOOP i2 trip=4
    1:   LD.0 hbm=[b1 + 0x400 + i2*4096] run=4096 vmem=[0x0 + r0*8192] run=64 n1=64 stride1=128 reps=1 wait(s3,1) post(s0,16,done) step={r0} tag=7
    2:   WLD.T.1 vmem=[0x10 - i2*8] row_stride=8 k=8 n=8
    3:   MM.0 vmem=[0x0] row_stride=8 acc=[0x3] rows=smem[3 + i2] k=8 n=4 first switch
    4:   VX.0 kernel=copy rows=12 chunks=1 cols=8 slot0=acc0.int32[0x0 + i2*64] row=1 slot1=vmem.int32[0x100 + _ + i2*64] row=32 chunk=32
    5: ENDLOOP i2
    6: SYNC engines={LD0,MM0}
    7: HALT
)";

std::string messages(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += format_diag(diag);
  return out;
}

TEST(Text, HandWrittenProgramPrintsInTheCanonicalForm) {
  const Result<Program> program = parse_program(kWritten, "tile.lk");
  ASSERT_TRUE(program.ok()) << messages(program.diags());
  EXPECT_EQ(print_program(*program), kPrinted);
}

TEST(Text, ParsedWordsHoldWhatWasWritten) {
  const Result<Program> program = parse_program(kWritten, "tile.lk");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->chip_hash, 0xfeedU);
  EXPECT_EQ(program->base_registers[1], 4096);
  EXPECT_EQ(program->rings[0].modulus, 2);
  EXPECT_EQ(program->semaphores[3], 2);
  EXPECT_EQ(std::get<LoopBody>(program->code[0].body).end_pc, 5U);
  const auto& dma = std::get<DmaBody>(program->code[1].body);
  EXPECT_EQ(dma.hbm_shape.n1, 1U);
  EXPECT_EQ(dma.vmem_shape.stride1_bytes, 128);
  EXPECT_EQ(dma.vmem.ring, (RingTerm{.ring = 0, .stride = 0x2000}));
  EXPECT_EQ(program->code[1].posts[0], (Post{.sem = 0, .count = 16, .when = PostWhen::kDone}));
  EXPECT_EQ(program->code[2].op, Op::kWldT);
  EXPECT_EQ(program->code[2].unit, 1);
  EXPECT_EQ(std::get<WldBody>(program->code[2].body).vmem.loops[0].stride, -8);
  EXPECT_EQ(std::get<VxBody>(program->code[4].body).slots[1].loops[1].stride, 64);
  EXPECT_EQ(std::get<SyncBody>(program->code[6].body).engines, 0x101);
}

TEST(Text, LoopEndThatIsNotTheNextEndloopIsWritten) {
  Program program = program_of({loop(0, 1, 3), endloop(0), sync(), endloop(0), halt()});
  const std::string text = print_program(program);
  EXPECT_NE(text.find("LOOP i0 trip=1 end=3"), std::string::npos) << text;
  EXPECT_EQ(*parse_program(text, "t"), program);
}

TEST(Text, WordAlonePrintsItsLoopEnd) { EXPECT_EQ(print_word(loop(1, 3, 9)), "LOOP i1 trip=3 end=9"); }

/// All diagnostics of `code` behind a minimal header, as printed without the source line.
std::string errors_of(const std::string& text) {
  const Result<Program> program = parse_program(text, "t.lk");
  return program.ok() ? "no error" : messages(program.diags());
}
std::string code_errors(const std::string& words) { return errors_of("code\n" + words); }

TEST(TextErrors, UnknownInstructionNamesTheNearest) {
  EXPECT_EQ(code_errors("WLDS.0 k=1\nHALT\n"), "t.lk:2:1: error[E0611]: unknown instruction 'WLDS'\n  note: did you mean 'WLD'?\n");
}

TEST(TextErrors, UnknownKeywordNamesTheNearest) {
  EXPECT_EQ(code_errors("SYNC engine={}\n"), "t.lk:2:6: error[E0611]: SYNC has no 'engine'\n  note: did you mean 'engines'?\n");
}

TEST(TextErrors, RangeComesFromTheFieldTable) {
  EXPECT_EQ(code_errors("WLD.0 vmem=[0x10000000] k=65536 n=8\n"),
            "t.lk:2:13: error[E0601]: immediate must be in [-134217728, 134217727], got 268435456\n"
            "t.lk:2:27: error[E0601]: k must be in [0, 65535], got 65536\n");
}

TEST(TextErrors, AllErrorsOfALineAndOfTheFileAreReported) {
  EXPECT_EQ(errors_of("chpi 0x1\nring r16 modulus=2\ncode\nLOOP i9 trip=x\nMM.7 vmem=[0 +] acc=[r0*1 + r1*1] k=1 k=2 n=1 rows=3\nHALT 5\n"),
            "t.lk:1:1: error[E0611]: unknown header line 'chpi'\n  note: did you mean 'chip'?\n"
            "t.lk:2:6: error[E0612]: expected a ring (r0 .. r15), found 'r16'\n"
            "t.lk:4:6: error[E0612]: expected a loop level (i0 .. i7), found 'i9'\n"
            "t.lk:4:14: error[E0612]: expected a number for trip, found 'x'\n"
            "t.lk:5:1: error[E0601]: unit must be in [0, 3], got 7\n"
            "t.lk:5:15: error[E0612]: expected a term of an address, found ']'\n"
            "  note: terms are: a number, i0*64, r0*64\n"
            "t.lk:5:29: error[E0613]: an address has at most one ring term\n"
            "t.lk:5:39: error[E0613]: 'k' is given twice\n"
            "t.lk:6:6: error[E0612]: expected a keyword, found number 5\n");
}

TEST(TextErrors, MissingItemsAreNamed) {
  EXPECT_EQ(code_errors("LD.0 hbm=[b0] vmem=[0] run=64\n"), "t.lk:2:1: error[E0614]: LD needs 'run' behind 'hbm'\n");
  EXPECT_EQ(code_errors("LD.0 run=64\n"), "t.lk:2:6: error[E0612]: 'run' must follow the operand it describes\n");
  EXPECT_EQ(code_errors("LD.0 hbm=[64] run=64 vmem=[0] run=64\n"),
            "t.lk:2:10: error[E0614]: an HBM address needs a base register, like b0\n");
}

TEST(TextErrors, WaitsAndPosts) {
  EXPECT_EQ(code_errors("MM.0 vmem=[0] acc=[0] rows=1 k=1 n=1 wait(s1,1) wait(s2,1) wait(s3,1) post(s64,1,done) post(s1,1,don)\n"),
            "t.lk:2:60: error[E0613]: a word has at most two waits\n"
            "t.lk:2:76: error[E0612]: expected a semaphore (s0 .. s63), found 's64'\n"
            "t.lk:2:98: error[E0611]: expected source_free or done, found 'don'\n  note: did you mean 'done'?\n");
}

TEST(TextErrors, LabelsAndLoops) {
  EXPECT_EQ(code_errors("0: LOOP i1 trip=1\n2: HALT\n"),
            "t.lk:3:1: error[E0615]: this is word 1, but its label says 2\n"
            "t.lk:2:4: error[E0617]: LOOP i1 has no ENDLOOP i1 behind it\n");
}

TEST(TextErrors, WordsBeforeCodeAndNoCode) {
  EXPECT_EQ(errors_of("HALT\n"),
            "t.lk:1:1: error[E0612]: words of the program come behind a line 'code'\n"
            "t.lk: error[E0614]: the program has no line 'code' with its words behind it\n");
}

TEST(TextErrors, LexicalErrors) {
  EXPECT_EQ(errors_of("program \"a\nhbm 012\nchip 0x1ffffffffffffffff\nop 1 \"\\q\"\n@@@\ncode\nHALT\n"),
            "t.lk:1:9: error[E0610]: string has no closing quote\n"
            "t.lk:2:5: error[E0610]: '012': a decimal number does not start with 0\n"
            "t.lk:3:6: error[E0610]: number 0x1ffffffffffffffff does not fit 64 bits\n"
            "t.lk:4:7: error[E0610]: unknown escape; a string has \\\" \\\\ \\n and \\xHH\n"
            "t.lk:5:1: error[E0610]: character '@' has no meaning here\n");
}

TEST(TextErrors, TensorKeys) {
  EXPECT_EQ(errors_of("tensor \"x\" role=input rol=3\ntensor \"y\" type=int9\ncode\nHALT\n"),
            "t.lk:1:23: error[E0611]: expected a key of a tensor, found 'rol'\n  note: did you mean 'role'?\n"
            "t.lk:2:17: error[E0611]: expected an element type, found 'int9'\n  note: did you mean 'int8'?\n");
}

TEST(TextErrors, GivesUpAfterAHundred) {
  std::string text = "code\n";
  for (int k = 0; k < 300; ++k) text += "NOP\n";
  const Result<Program> program = parse_program(text, "t.lk");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.diags().size(), 101U);
  EXPECT_EQ(program.diags().back().code, "E0616");
}

}  // namespace
}  // namespace lockstep::isa
