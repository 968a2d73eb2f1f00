#include "hw/base/diag.h"

#include <string>

#include <gtest/gtest.h>

#include "hw/base/printable.h"
#include "hw/base/source_texts.h"

namespace lockstep {
namespace {

TEST(FormatDiag, ShowsPlaceSourceLineCaretAndNotes) {
  const Diag diag = error("E0203", {"chip.yaml", 2, 3}, "unknown key 'row'", {"allowed: rows"});
  EXPECT_EQ(format_diag(diag, "mxu:\n  row: 8\r\n"),
            "chip.yaml:2:3: error[E0203]: unknown key 'row'\n"
            "    row: 8\n"
            "    ^\n"
            "  note: allowed: rows\n");
}

TEST(FormatDiag, LeavesOutWhatItDoesNotHave) {
  EXPECT_EQ(format_diag(error("E0101", {"x.yaml", 0, 0}, "m")), "x.yaml: error[E0101]: m\n");
  EXPECT_EQ(format_diag(warning("W0301", {}, "m")), "warning[W0301]: m\n");
  EXPECT_EQ(format_diag(error("E0103", {"x", 1, 1}, "m"), "\x7f" "ELF\x02\n"), "x:1:1: error[E0103]: m\n");
  EXPECT_EQ(format_diag(error("E0103", {"x", 9, 9}, "m"), "one line"), "x:9:9: error[E0103]: m\n");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("mxu.row", {"mxu.rows", "mxu.cols"}), "mxu.rows");
  EXPECT_EQ(nearest_name("banana", {"mxu.rows", "mxu.cols"}), "");
}

TEST(SourceTexts, UsesRegisteredTextAndSurvivesMissingFiles) {
  SourceTexts texts;
  texts.add("--set", "mxu.row=8");
  EXPECT_EQ(texts.format(error("E0203", {"--set", 1, 1}, "m")), "--set:1:1: error[E0203]: m\n  mxu.row=8\n  ^\n");
  EXPECT_EQ(texts.format(error("E0203", {"no/such", 1, 1}, "m")), "no/such:1:1: error[E0203]: m\n");
}

TEST(QuoteText, EscapesControlBytesAndCutsLongTextBetweenCharacters) {
  EXPECT_EQ(quote_text("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(quote_text(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
  EXPECT_EQ(quote_text(std::string(59, 'x') + "\xc3\xa9y"), "'" + std::string(59, 'x') + "...'");
}

TEST(JoinChoices, ReadsAsProse) {
  EXPECT_EQ(join_choices({"a"}), "a");
  EXPECT_EQ(join_choices({"a", "b"}), "a or b");
  EXPECT_EQ(join_choices({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace lockstep
