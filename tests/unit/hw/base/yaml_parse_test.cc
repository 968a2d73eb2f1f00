#include "hw/base/yaml_parse.h"

#include <string>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

/// "code@line:column" of every diagnostic.
std::string problems(const std::string& text) {
  const Result<YamlDocument> parsed = parse_yaml(text, "t.yaml");
  std::string out;
  for (const Diag& diag : parsed.diags()) {
    if (!out.empty()) out += ' ';
    out += diag.code + "@" + std::to_string(diag.loc.line) + ":" + std::to_string(diag.loc.column);
  }
  return out;
}

TEST(ParseYaml, KeepsOrderAndPlacesOfKeysAndValues) {
  const Result<YamlDocument> parsed = parse_yaml("b: 1\na:\n  - x\n  - {k: 'v'}\n", "t.yaml");
  ASSERT_TRUE(parsed.ok());
  const YamlNode& root = parsed->root;
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[0].value.loc, (SourceLoc{"t.yaml", 1, 4}));
  EXPECT_EQ(root.entries[1].key_loc, (SourceLoc{"t.yaml", 2, 1}));
  const YamlNode* list = root.find("a");
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->items.size(), 2u);
  EXPECT_FALSE(list->items[0].is_quoted);
  EXPECT_TRUE(list->items[1].find("k")->is_quoted);
  EXPECT_EQ(list->items[1].find("k")->loc, (SourceLoc{"t.yaml", 4, 9}));
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(ParseYaml, ReportsEveryDuplicateKeyWithBothPlaces) {
  EXPECT_EQ(problems("a: 1\na: 2\nb:\n  x: 1\n  'x': 3\n"), "E0109@2:1 E0109@5:3");
  const Result<YamlDocument> parsed = parse_yaml("a: 1\na: 2\n", "t.yaml");
  ASSERT_FALSE(parsed.ok());
  ASSERT_EQ(parsed.diags()[0].notes.size(), 1u);
  EXPECT_EQ(parsed.diags()[0].notes[0], "first given at t.yaml:1:1");
}

TEST(ParseYaml, RefusesAnchorsAliasesTagsMergeKeysAndDirectives) {
  EXPECT_EQ(problems("a: &x 1\n"), "E0107@1:4");
  EXPECT_EQ(problems("a: *x\n"), "E0107@1:4");
  EXPECT_EQ(problems("a: !!int 3\n"), "E0107@1:4");
  EXPECT_EQ(problems("a: ! 3\n"), "E0107@1:4");
  EXPECT_EQ(problems("a: !mine {b: 1}\n"), "E0107@1:4");
  EXPECT_EQ(problems("<<: {a: 1}\n"), "E0107@1:1");
  EXPECT_EQ(problems("%YAML 1.2\n---\na: 1\n"), "E0107@1:1");
}

TEST(ParseYaml, AliasBombStopsAtItsFirstAnchor) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'i'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) bomb += std::string(i > 0 ? ", *" : "*") + static_cast<char>(c - 1);
    bomb += "]\n";
  }
  EXPECT_EQ(problems(bomb), "E0107@1:4");
}

TEST(ParseYaml, WantsExactlyOneDocument) {
  EXPECT_EQ(problems("a: 1\n---\nb: 2\n"), "E0106@2:1");
  EXPECT_EQ(problems("a: 1\n...\nb: 2\n"), "E0106@3:1");
  EXPECT_EQ(problems(""), "E0105@0:0");
  EXPECT_EQ(problems("# only a comment\n"), "E0105@0:0");
  EXPECT_EQ(problems("---\n"), "E0105@0:0");
  EXPECT_EQ(problems("--- \na: 1\n...\n"), "");
}

TEST(ParseYaml, CapsDepthAtExactlyTheLimit) {
  const auto nested = [](int depth) { return std::string(depth, '[') + "1" + std::string(depth, ']'); };
  EXPECT_EQ(problems(nested(32)), "");
  EXPECT_EQ(problems(nested(33)), "E0108@1:33");
  std::string indented;
  for (int i = 0; i < 1200; ++i) indented += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(problems(indented), "E0108@33:33");
  EXPECT_NE(problems(std::string(100000, '[')), "");
  EXPECT_NE(problems(std::string(100000, '{')), "");
}

TEST(ParseYaml, CapsBytesAndValues) {
  const YamlLimits limits{.max_bytes = 100, .max_depth = 32, .max_nodes = 5};
  EXPECT_EQ(parse_yaml(std::string(101, '#'), "t.yaml", limits).diags()[0].code, "E0102");
  EXPECT_TRUE(parse_yaml("[1, 2, 3, 4]", "t.yaml", limits).ok());
  EXPECT_EQ(parse_yaml("[1, 2, 3, 4, 5]", "t.yaml", limits).diags()[0].code, "E0102");
}

TEST(ParseYaml, RefusesWhatIsNotText) {
  EXPECT_EQ(problems(std::string("a: 1\nb: \0\n", 10)), "E0103@2:4");
  EXPECT_EQ(problems("\x7f" "ELF\x02\x01"), "E0103@1:1");
  EXPECT_EQ(problems("a: \xff\n"), "E0103@1:4");
  EXPECT_EQ(problems("a: \xc0\xaf\n"), "E0103@1:4") << "overlong";
  EXPECT_EQ(problems("a: \xed\xa0\x80\n"), "E0103@1:4") << "surrogate";
  EXPECT_EQ(problems("a: \xe2\x82"), "E0103@1:4") << "cut short";
  EXPECT_EQ(problems("\xff\xfe" "a"), "E0103@1:1") << "UTF-16";
}

TEST(ParseYaml, AcceptsUtf8ByteOrderMarkAndCarriageReturns) {
  const Result<YamlDocument> parsed = parse_yaml("\xef\xbb\xbf" "a: '1'\r\nb: \"\xc3\xa9\"\r\n", "t.yaml");
  ASSERT_TRUE(parsed.ok()) << parsed.diags()[0].message;
  EXPECT_EQ(parsed->root.find("a")->scalar, "1");
  EXPECT_EQ(parsed->root.find("b")->scalar, "\xc3\xa9");
}

TEST(ParseYaml, RefusesTabIndentation) {
  EXPECT_EQ(problems("a:\n\tb: 1\n"), "E0111@2:1");
  EXPECT_EQ(problems("a:\n  \tb: 1\n"), "E0111@2:3");
  EXPECT_EQ(problems("a: 1\n\t\n"), "E0111@2:1") << "also on an otherwise blank line";
  EXPECT_EQ(problems("a:\t1\n"), "") << "inside a line a tab is a space";
}

TEST(ParseYaml, AQuoteEndsOnItsLine) {
  EXPECT_EQ(problems("a: \"x\nb: 1\n"), "E0112@1:4") << "yaml-cpp takes this as text up to the end of the file";
  EXPECT_EQ(problems("a: 'x\n"), "E0112@1:4");
  EXPECT_EQ(problems("a: \"x\nb: \"y\"\n"), "E0112@1:4");
  EXPECT_EQ(problems("a: \"q\\\"r\"\nb: 'it''s'\n"), "");
}

TEST(ParseYaml, PlacesSyntaxErrors) {
  EXPECT_EQ(problems("a: b: c\n"), "E0104@1:5");
  EXPECT_EQ(problems("a:\n  b: 1\n c: 2\n"), "E0104@3:2");
  EXPECT_EQ(problems("a: @x\n"), "E0104@1:4");
  EXPECT_EQ(problems("? [a]\n: 1\n"), "E0110@1:3");
  EXPECT_EQ(problems("~: 1\n"), "E0110@1:1");
}

TEST(ReadYaml, NamesTheFileThatCannotBeRead) {
  const Result<YamlDocument> missing = read_yaml("no/such/file.yaml");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.diags()[0].code, "E0101");
  EXPECT_EQ(missing.diags()[0].loc.file, "no/such/file.yaml");
  const Result<YamlDocument> folder = read_yaml("/", {"chip.yaml", 2, 10});
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.diags()[0].loc, (SourceLoc{"chip.yaml", 2, 10}));
  EXPECT_EQ(folder.diags()[0].message, "cannot read '/': it is a directory");
}

}  // namespace
}  // namespace lockstep
