// Property: text and binary carry every program, legal or not, without loss. Set LOCKSTEP_SEED to replay.
#include <cstdlib>

#include <gtest/gtest.h>

#include "hw/isa/binary.h"
#include "hw/isa/text.h"
#include "tests/unit/hw/isa/random_program.h"

namespace lockstep::isa {
namespace {

constexpr int kPrograms = 400;

uint64_t first_seed() {
  const char* text = std::getenv("LOCKSTEP_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 0) : 20240;
}

std::string messages(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += format_diag(diag);
  return out;
}

TEST(RoundTrip, ProgramToTextToProgramIsIdentical) {
  for (uint64_t seed = first_seed(); seed < first_seed() + kPrograms; ++seed) {
    Rng rng(seed);
    const Program program = random_program(rng);
    const std::string text = print_program(program);
    const Result<Program> parsed = parse_program(text, "t.lk");
    ASSERT_TRUE(parsed.ok()) << "seed " << seed << "\n" << messages(parsed.diags()) << text;
    ASSERT_EQ(*parsed, program) << "seed " << seed << "\n" << text;
    ASSERT_EQ(print_program(*parsed), text) << "seed " << seed;
  }
}

TEST(RoundTrip, ProgramToBinaryToProgramIsIdentical) {
  for (uint64_t seed = first_seed(); seed < first_seed() + kPrograms; ++seed) {
    Rng rng(seed);
    const Program program = random_program(rng);
    const auto bytes = encode_program(program);
    ASSERT_TRUE(bytes.ok()) << "seed " << seed << "\n" << messages(bytes.diags());
    const Result<Program> decoded = decode_program(*bytes, "t.lkb");
    ASSERT_TRUE(decoded.ok()) << "seed " << seed << "\n" << messages(decoded.diags());
    ASSERT_EQ(*decoded, program) << "seed " << seed;
    ASSERT_EQ(*encode_program(*decoded), *bytes) << "seed " << seed;
  }
}

TEST(RoundTrip, TextToBinaryToTextIsIdentical) {
  for (uint64_t seed = first_seed(); seed < first_seed() + kPrograms; ++seed) {
    Rng rng(seed);
    const std::string text = print_program(random_program(rng));
    const auto bytes = encode_program(*parse_program(text, "t.lk"));
    ASSERT_TRUE(bytes.ok());
    ASSERT_EQ(print_program(*decode_program(*bytes, "t.lkb")), text) << "seed " << seed;
  }
}

// What the random programs could miss: each single field reaches both forms.
TEST(RoundTrip, EachFieldAloneSurvivesTextAndBinary) {
  for (const Op op : all_ops()) {
    for (const Field& field : op_fields(op)) {
      if (field.name == "op") continue;
      for (const int64_t value : {field.min, field.max, int64_t{1}, int64_t{0}}) {
        Program program;
        program.code = {blank_instr(op)};
        field.set(program.code[0], std::min(value, field.max));
        const Result<Program> parsed = parse_program(print_program(program), "t.lk");
        ASSERT_TRUE(parsed.ok()) << op_name(op) << " " << field.name << " " << value << "\n" << messages(parsed.diags());
        EXPECT_EQ(*parsed, program) << op_name(op) << " " << field.name << " " << value;
        EXPECT_EQ(*decode_program(*encode_program(program), "t.lkb"), program) << op_name(op) << " " << field.name;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::isa
