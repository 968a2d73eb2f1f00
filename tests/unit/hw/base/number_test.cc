#include "hw/base/number.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

std::string integer(std::string_view text, Unit unit = Unit::kNone) {
  const ParsedNumber<int64_t> parsed = parse_integer(text, unit);
  return parsed.value ? std::to_string(*parsed.value) : parsed.problem.code;
}

TEST(ParseInteger, ReadsDecimalHexSeparatorsAndExponents) {
  EXPECT_EQ(integer("0"), "0");
  EXPECT_EQ(integer("128"), "128");
  EXPECT_EQ(integer("-7"), "-7");
  EXPECT_EQ(integer("65_536"), "65536");
  EXPECT_EQ(integer("1e3"), "1000");
  EXPECT_EQ(integer("1.5e3"), "1500");
  EXPECT_EQ(integer("15000e-3"), "15");
  EXPECT_EQ(integer("0x10"), "16");
  EXPECT_EQ(integer("0xFF_FF"), "65535");
  EXPECT_EQ(integer("2.0"), "2");
}

TEST(ParseInteger, RefusesALeadingZeroInsteadOfGuessingOctal) {
  EXPECT_EQ(integer("010"), "E0210");
  EXPECT_EQ(integer("00"), "E0210");
  EXPECT_EQ(integer("-08"), "E0210");
}

TEST(ParseInteger, RefusesWhatIsNotAWholeNumber) {
  for (const char* text : {"", "-", "1.5", "1.", ".5", "+1", "1e", "1e+", "0x", "0xg", "_1", "1_", "1__0", "ten", "1 2",
                           "1,000", "nan", ".inf", "inf", "1e-1", "0o10", "--1", "1-", "\xc2\xbd"}) {
    const std::string got = integer(text);
    EXPECT_TRUE(got == "E0204" || got == "E0205") << text << " gave " << got;
  }
}

TEST(ParseInteger, RefusesWhatDoesNotFit) {
  EXPECT_EQ(integer("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(integer("9223372036854775808"), "E0211");
  EXPECT_EQ(integer("99999999999999999999999"), "E0211");
  EXPECT_EQ(integer("1e19"), "E0211");
  EXPECT_EQ(integer("1e999999999999999999999"), "E0211");
  EXPECT_EQ(integer("9007199254740993"), "9007199254740993") << "2^53 + 1 would round in a double";
  EXPECT_EQ(integer("0e999999999"), "0");
  EXPECT_EQ(integer("1e-999999999"), "E0204");
  EXPECT_EQ(integer("9223372036854775807GiB", Unit::kBytes), "E0211");
}

TEST(ParseInteger, ScalesUnitsExactly) {
  EXPECT_EQ(integer("1KiB", Unit::kBytes), "1024");
  EXPECT_EQ(integer("64 KiB", Unit::kBytes), "65536");
  EXPECT_EQ(integer("1MiB", Unit::kKiB), "1024");
  EXPECT_EQ(integer("0.5MiB", Unit::kKiB), "512");
  EXPECT_EQ(integer("2048B", Unit::kKiB), "2");
  EXPECT_EQ(integer("1.05GHz", Unit::kMHz), "1050");
  EXPECT_EQ(integer("500000kHz", Unit::kMHz), "500");
}

TEST(ParseInteger, RefusesUnitsOfAnotherDimension) {
  EXPECT_EQ(integer("1KiB", Unit::kMHz), "E0205");
  EXPECT_EQ(integer("1KiB", Unit::kNone), "E0205");
  EXPECT_EQ(integer("1KB", Unit::kBytes), "E0205") << "decimal kilobytes are a different number";
  EXPECT_EQ(integer("1kib", Unit::kBytes), "E0205");
  EXPECT_EQ(integer("100B", Unit::kKiB), "E0204") << "not a whole KiB";
}

TEST(ParseReal, ReadsAndScales) {
  EXPECT_EQ(parse_real("12.8", Unit::kGBps).value, 12.8);
  EXPECT_EQ(parse_real("614.4GB/s", Unit::kGBps).value, 614.4);
  EXPECT_EQ(parse_real("800MB/s", Unit::kGBps).value, 0.8);
  EXPECT_EQ(parse_real("0.1us", Unit::kNs).value, 100.0);
  EXPECT_EQ(parse_real("-2.5e-1", Unit::kNone).value, -0.25);
  EXPECT_EQ(parse_real("1_000.5", Unit::kNone).value, 1000.5);
}

TEST(ParseReal, NeverGivesInfinityOrNan) {
  for (const char* text : {"nan", ".nan", "inf", "-.inf", "1e400", "1e308TB/s", "0x10", "1e-400"}) {
    EXPECT_FALSE(parse_real(text, Unit::kGBps).value) << text;
  }
}

TEST(ShortestText, ReadsBackAsTheSameDouble) {
  for (const double value : {0.1, 12.8, 1e300, -3.25, 1.0 / 3, 5e-324, 614.4}) {
    EXPECT_EQ(std::strtod(shortest_text(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(shortest_text(-0.0), "0");
  EXPECT_EQ(shortest_text(12.8), "12.8");
  EXPECT_EQ(shortest_text(1050), "1050");
  EXPECT_EQ(shortest_text(-100000), "-100000");
  EXPECT_EQ(shortest_text(1e15), "1e+15");
}

}  // namespace
}  // namespace lockstep
