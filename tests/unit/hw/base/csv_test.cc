#include "hw/base/csv.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

std::string first_code(std::string_view text) {
  const Result<CsvTable> table = parse_csv(text, "t.csv");
  return table.ok() ? "" : table.diags()[0].code + "@" + std::to_string(table.diags()[0].loc.line);
}

TEST(CsvWriter, WritesHeaderNumbersAndUnmeasuredCells) {
  CsvWriter csv({"name", "cycles", "latency_ms"});
  csv.add_row({"a", int64_t{-5}, 0.1});
  csv.add_row({std::string("b"), std::monostate{}, 1e300});
  csv.add_row({std::string("c"), std::numeric_limits<int64_t>::max(), -0.0});
  EXPECT_EQ(csv.text(), "name,cycles,latency_ms\na,-5,0.1\nb,,1e+300\nc,9223372036854775807,0\n");
}

TEST(CsvWriter, QuotesWhatNeedsIt) {
  CsvWriter csv({"a,b", "plain"});
  csv.add_row({"say \"hi\"", "two\nlines"});
  EXPECT_EQ(csv.text(), "\"a,b\",plain\n\"say \"\"hi\"\"\",\"two\nlines\"\n");
}

TEST(CsvWriter, ASingleEmptyCellIsStillARow) {
  CsvWriter csv({"only"});
  csv.add_row({std::monostate{}});
  const Result<CsvTable> table = parse_csv(csv.text(), "t.csv");
  ASSERT_TRUE(table.ok());
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_EQ(table->rows[0][0], "");
}

TEST(CsvRoundTrip, AnyTextComesBack) {
  const std::vector<std::string> texts = {"", ",", "\"", "\"\"", "a\nb", "a\r\nb", " x ", "\xc3\xa9", ",\",\n\""};
  CsvWriter csv({"x", "y"});
  for (const std::string& text : texts) csv.add_row({text, text});
  const Result<CsvTable> table = parse_csv(csv.text(), "t.csv");
  ASSERT_TRUE(table.ok()) << table.diags()[0].message;
  ASSERT_EQ(table->rows.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(table->rows[i][0], texts[i]);
    EXPECT_EQ(table->rows[i][1], texts[i]);
  }
}

TEST(ParseCsv, KeepsLinesAndFindsColumns) {
  const Result<CsvTable> table = parse_csv("\xef\xbb\xbf" "a,b\r\n1,\"x\ny\"\r\n3,4", "t.csv");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->column("b"), 1u);
  EXPECT_FALSE(table->column("c"));
  EXPECT_EQ(table->lines, (std::vector<int>{2, 4}));
  EXPECT_EQ(table->rows[1][1], "4");
}

TEST(ParseCsv, RefusesWhatIsNotATable) {
  EXPECT_EQ(first_code(""), "E0130@0");
  EXPECT_EQ(first_code("a,b\n1\n"), "E0130@2");
  EXPECT_EQ(first_code("a,b\n1,2\n\n"), "E0130@3");
  EXPECT_EQ(first_code("a,a\n"), "E0130@1");
  EXPECT_EQ(first_code("a\n\"x\n"), "E0130@2");
  EXPECT_EQ(first_code("a\nx\"y\n"), "E0130@2");
  EXPECT_EQ(first_code("a\n\"x\"y\n"), "E0130@2");
  EXPECT_EQ(first_code(std::string_view("a\n\0\n", 4)), "E0103@2");
}

TEST(CsvDeathTest, NanIsOurBugNotACell) {
  EXPECT_EXIT(csv_text(std::numeric_limits<double>::quiet_NaN()), ::testing::ExitedWithCode(70), "not measured");
}

}  // namespace
}  // namespace lockstep
