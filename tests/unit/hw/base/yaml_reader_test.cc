#include "hw/base/yaml_reader.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "hw/base/yaml_parse.h"

namespace lockstep {
namespace {

/// Runs `read` over the root of `text`; gives all diagnostics, one a line, without notes.
std::string report(const std::string& text, const std::function<void(MapReader&)>& read) {
  const Result<YamlDocument> document = parse_yaml(text, "t.yaml");
  if (!document.ok()) return "syntax: " + document.diags()[0].message;
  DiagSink sink;
  MapReader reader(document->root, "", sink);
  read(reader);
  reader.finish();
  std::string out;
  for (const Diag& diag : sink.diags()) {
    out += std::to_string(diag.loc.line) + ":" + std::to_string(diag.loc.column) + " " + diag.code + " " +
           diag.message + "\n";
  }
  return out;
}

void read_rows(MapReader& reader) {
  std::optional<MapReader> mxu = reader.map("mxu");
  if (!mxu) return;
  mxu->integer("rows", {.min = 4, .max = 256, .power_of_two = true});
  mxu->finish();
}

TEST(MapReader, GivesValuesOfEachType) {
  std::string seen;
  EXPECT_EQ(report("n: 8\nx: 0.5\nf: true\ns: text\nc: b\nl: [1, 2]\n",
                   [&seen](MapReader& r) {
                     seen += std::to_string(*r.integer("n", {})) + "|" + std::to_string(*r.real("x", {})) + "|" +
                             (*r.boolean("f") ? "yes" : "no") + "|" + *r.string("s") + "|" + *r.choice("c", {"a", "b"}) +
                             "|" + std::to_string(r.sequence("l")->size());
                     EXPECT_FALSE(r.integer("absent", {}, Need::kOptional));
                   }),
            "");
  EXPECT_EQ(seen, "8|0.500000|yes|text|b|2");
}

TEST(MapReader, UnknownKeyNamesTheNearest) {
  EXPECT_EQ(report("mxu:\n  rows: 8\n  row: 8\n", read_rows),
            "3:3 E0203 unknown key 'mxu.row' (did you mean 'mxu.rows'?)\n");
}

TEST(MapReader, MissingKeyIsPlacedAtItsMap) {
  EXPECT_EQ(report("\nmxu: {}\n", read_rows), "2:6 E0202 missing key 'mxu.rows'\n");
}

TEST(MapReader, RangeMessageHoldsTheRange) {
  EXPECT_EQ(report("mxu: {rows: 100}\n", read_rows),
            "1:13 E0302 mxu.rows must be a power of two in [4, 256], got 100\n");
  EXPECT_EQ(report("mxu: {rows: 512}\n", read_rows),
            "1:13 E0301 mxu.rows must be a power of two in [4, 256], got 512\n");
  EXPECT_EQ(report("mxu: {rows: -8}\n", read_rows),
            "1:13 E0301 mxu.rows must be a power of two in [4, 256], got -8\n");
}

TEST(MapReader, ReportsAllErrorsOfAFile) {
  EXPECT_EQ(report("mxu: {rows: '8', x: 1}\nnew: 2\n", read_rows),
            "1:13 E0204 mxu.rows must be a whole number, got the quoted text '8'\n"
            "1:18 E0203 unknown key 'mxu.x'\n"
            "2:1 E0203 unknown key 'new'\n");
}

TEST(MapReader, WrongKindsAreNamed) {
  EXPECT_EQ(report("mxu: 3\n", read_rows), "1:6 E0201 mxu must be a map (lines of `key: value`), got '3'\n");
  EXPECT_EQ(report("mxu: [1]\n", read_rows), "1:6 E0201 mxu must be a map (lines of `key: value`), got a sequence\n");
  EXPECT_EQ(report("mxu:\n", read_rows), "1:1 E0209 mxu has no value\n");
  EXPECT_EQ(report("mxu: {rows: {a: 1}}\n", read_rows), "1:13 E0201 mxu.rows must be a whole number, got a map\n");
  EXPECT_EQ(report("- a\n", read_rows),
            "1:1 E0201 the document must be a map (lines of `key: value`), got a sequence\n");
}

TEST(MapReader, BooleanIsTrueOrFalseOnly) {
  for (const char* text : {"yes", "no", "on", "off", "True", "1", "'true'", "y"}) {
    const std::string got = report(std::string("f: ") + text + "\n", [](MapReader& r) { r.boolean("f"); });
    EXPECT_NE(got.find("E0206 f must be true or false"), std::string::npos) << text << ": " << got;
  }
}

TEST(MapReader, ChoiceNamesTheNearest) {
  EXPECT_EQ(report("p: ideel\n", [](MapReader& r) { r.choice("p", {"ideal", "hbm2"}); }),
            "1:4 E0207 p must be ideal or hbm2, got 'ideel' (did you mean 'ideal'?)\n");
}

TEST(MapReader, StringsHoldNoControlCharacters) {
  EXPECT_EQ(report("s: \"a\\0b\"\n", [](MapReader& r) { r.string("s"); }),
            "1:4 E0212 s holds a control character or a line break: 'a\\x00b'\n");
  EXPECT_EQ(report("s: ''\n", [](MapReader& r) { r.string("s"); }), "1:4 E0209 s is empty\n");
}

TEST(MapReader, SchemaMustBeKnown) {
  const auto read = [](MapReader& r) { r.schema({"lockstep/chip/v1"}); };
  EXPECT_EQ(report("schema: lockstep/chip/v1\n", read), "");
  EXPECT_EQ(report("schema: lockstep/chip/v9\n", read), "1:9 E0208 unknown schema 'lockstep/chip/v9'\n");
  EXPECT_EQ(report("{}\n", read), "1:1 E0202 missing key 'schema'\n");
}

TEST(MapReader, RealRangeMayExcludeItsMinimum) {
  const auto read = [](MapReader& r) {
    r.real("x", {.min = 0, .max = 10, .min_excluded = true, .unit = Unit::kGBps});
  };
  EXPECT_EQ(report("x: 10\n", read), "");
  EXPECT_EQ(report("x: 0\n", read), "1:4 E0301 x must be in (0, 10] GB/s, got 0\n");
  EXPECT_EQ(report("x: 12.8TB/s\n", read), "1:4 E0301 x must be in (0, 10] GB/s, got 12.8TB/s\n");
}

}  // namespace
}  // namespace lockstep
