#include "sweep/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::sweep {
namespace {

using Words = std::vector<std::string>;

Result<ParsedCommand> parse(const Words& words) { return parse_command_line(words, {}); }

std::vector<std::string> codes(const Words& words) {
  const Result<ParsedCommand> parsed = parse(words);
  std::vector<std::string> found;
  for (const Diag& diag : parsed.diags()) found.push_back(diag.code);
  return found;
}

TEST(CommandLine, ReadsEveryKindOfFlag) {
  const auto parsed = parse({"run", "--chip", "edge8", "--gemm", "4,5,6", "--set", "chip.mxu.rows=8", "--set",
                             "compiler.x=1", "--target=both", "--seed", "9", "--format", "json", "-q"});
  ASSERT_TRUE(parsed.ok()) << parsed.diags()[0].message;
  const CommandLine& command = parsed->command;
  EXPECT_EQ(command.verb, Verb::kRun);
  EXPECT_EQ(command.chips, Words{"edge8"});
  EXPECT_EQ(command.workload.gemm->n, 5);
  ASSERT_EQ(command.common.overrides.size(), 2U);
  EXPECT_EQ(command.common.overrides[1].key, "compiler.x");
  EXPECT_EQ(command.target, RunTarget::kBoth);
  EXPECT_EQ(command.common.seed, 9U);
  EXPECT_EQ(command.common.format, Format::kJson);
  EXPECT_EQ(parsed->style.verbosity, 0);
}

TEST(CommandLine, TwoWordVerbsTakeTheirFile) {
  const auto parsed = parse({"sweep", "run", "a.yaml", "-j2", "-o", "out"});
  ASSERT_TRUE(parsed.ok()) << parsed.diags()[0].message;
  EXPECT_EQ(parsed->command.verb, Verb::kSweepRun);
  EXPECT_EQ(parsed->command.files, Words{"a.yaml"});
  EXPECT_EQ(parsed->command.common.jobs, 2);
}

TEST(CommandLine, UnknownVerbNamesTheNearest) {
  const auto parsed = parse({"valdate"});
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.diags()[0].code, "E1101");
  EXPECT_THAT(parsed.diags()[0].notes[0], ::testing::HasSubstr("'validate'"));
}

TEST(CommandLine, AllMistakesAreReportedAtOnce) {
  EXPECT_THAT(codes({"run", "--chp", "--gemm", "1,2", "--target", "mdoel", "--seed", "010"}),
              ::testing::ElementsAre("E1102", "E1104", "E1104", "E1104"));
}

TEST(CommandLine, AFlagOfAnotherVerbIsRefused) { EXPECT_THAT(codes({"version", "--seed", "1"}), ::testing::Contains("E1102")); }

TEST(CommandLine, MissingPartsAreNamed) {
  EXPECT_THAT(codes({}), ::testing::ElementsAre("E1105"));
  EXPECT_THAT(codes({"sweep"}), ::testing::ElementsAre("E1105"));
  EXPECT_THAT(codes({"check"}), ::testing::ElementsAre("E1105"));
  EXPECT_THAT(codes({"run"}), ::testing::ElementsAre("E1105", "E1105"));
  EXPECT_THAT(codes({"run", "--chip"}), ::testing::ElementsAre("E1104"));
}

TEST(CommandLine, HelpIsTextNotAnError) {
  EXPECT_THAT(parse({"--help"})->help, ::testing::HasSubstr("sweep run"));
  EXPECT_THAT(parse({"sweep", "run", "--help"})->help, ::testing::HasSubstr("--jobs"));
  EXPECT_THAT(parse({"sweep", "--help"})->help,
              ::testing::AllOf(::testing::HasSubstr("sweep run"), ::testing::HasSubstr("sweep plan"),
                               ::testing::Not(::testing::HasSubstr("validate"))));
}

TEST(CommandLine, OddArgumentsNeverCrash) {
  const Words odd = {"", "-", "--", "---", "=", "--=", "-o", "--set", "a=b", "\x01\xff", "--seed=-1", "-j", "0", "@file"};
  for (const std::string& a : odd) {
    for (const std::string& b : odd) {
      for (const char* verb : {"check", "run", "list", "sweep"}) (void)parse({verb, a, b}).ok();
      (void)parse({a, b}).ok();
    }
  }
}

}  // namespace
}  // namespace lockstep::sweep
