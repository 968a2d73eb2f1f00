#include "hw/chip/chip_checks.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"

namespace lockstep::chip {
namespace {

ChipFile edge16() {
  return *parse_chip(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/edge16.yaml");
}

using Settings = std::vector<std::pair<const char*, const char*>>;

ChipSpec edge16_with(const Settings& settings) {
  ChipSpec chip = edge16().spec;
  for (const auto& [name, value] : settings) {
    const std::optional<Diag> wrong = set_field(chip, name, value);
    EXPECT_FALSE(wrong) << name << ": " << wrong->message;
  }
  return chip;
}

std::string codes(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += (out.empty() ? "" : " ") + diag.code;
  return out;
}

TEST(CheckChip, FindsEachBrokenRelation) {
  EXPECT_EQ(codes(check_chip(edge16_with({}))), "");
  EXPECT_EQ(codes(check_chip(edge16_with({{"vpu.lanes", "32"}}))), "E0310");
  EXPECT_EQ(codes(check_chip(edge16_with({{"vpu.lanes", "8"}}))), "");
  EXPECT_EQ(codes(check_chip(edge16_with({{"mxu.rows", "4"}, {"mxu.weight_load_rows", "8"}}))), "E0311");
  EXPECT_EQ(codes(check_chip(edge16_with({{"mxu.cols", "4"}, {"vpu.lanes", "4"}, {"mxu.weight_load_rows", "8"}}))),
            "E0311");
  EXPECT_EQ(codes(check_chip(edge16_with({{"dma.burst_bytes", "64"}, {"dma.granule_bytes", "128"}}))), "E0312 E0313");
  EXPECT_EQ(codes(check_chip(edge16_with({{"dma.beat_bytes", "16"}}))), "E0313");
  EXPECT_EQ(codes(check_chip(edge16_with({{"dram.access_bytes", "1024"}, {"dma.burst_bytes", "512"}}))), "E0314");
  EXPECT_EQ(codes(check_chip(edge16_with({{"dram.bandwidth_GBps", "5TB/s"}}))), "E0315");
  EXPECT_EQ(codes(check_chip(edge16_with({{"dma.beat_bytes", "2048"}}))), "E0316");
}

TEST(CheckChip, FindsValuesSetBehindTheTable) {
  ChipSpec chip = edge16().spec;
  chip.mxu.rows = 100;
  EXPECT_EQ(codes(check_chip(chip)), "E0302");
  chip.clock_MHz = 0;
  EXPECT_EQ(codes(check_chip(chip)), "E0301 E0302");
  EXPECT_EQ(codes(check_chip(ChipSpec{})).substr(0, 11), "E0209 E0301");
}

TEST(CheckChip, NamesBothPlaces) {
  ChipFile chip = edge16();
  ASSERT_FALSE(set_field(chip.spec, "vpu.lanes", "32"));
  const std::vector<Diag> found = check_chip(chip.spec, chip.origins);
  ASSERT_EQ(codes(found), "E0310");
  EXPECT_EQ(found[0].message, "mxu.cols must be a multiple of vpu.lanes, got 16 and 32");
  EXPECT_EQ(found[0].loc, chip.origins.at("mxu.cols"));
  ASSERT_EQ(found[0].notes.size(), 1u);
  EXPECT_NE(found[0].notes[0].find("vpu.lanes is 32, from "), std::string::npos) << found[0].notes[0];
}

TEST(CheckChip, EveryLegalVmemHoldsWholeLines) {
  // The relation that has no check of its own: the longest line divides the smallest VMEM step.
  const int longest_line = 4 * static_cast<int>(find_field("vpu.lanes")->int_range.max);
  EXPECT_EQ(1024 % longest_line, 0);
  EXPECT_LE(find_field("mxu.rows")->int_range.max, longest_line);
  EXPECT_LE(find_field("mxu.cols")->int_range.max, longest_line);
}

TEST(ChipWarnings, HaveNumbers) {
  EXPECT_EQ(codes(chip_warnings(edge16().spec)), "");
  const std::vector<Diag> weights = chip_warnings(edge16_with({{"mxu.weight_load_rows", "1"}, {"dram.bandwidth_GBps", "25.6"}}));
  ASSERT_EQ(codes(weights), "W0301");
  EXPECT_EQ(weights[0].severity, Severity::kWarning);
  EXPECT_NE(weights[0].message.find("16 bytes per cycle"), std::string::npos);
  EXPECT_NE(weights[0].message.find("32.0"), std::string::npos);
}

TEST(ChipWarnings, EachSitsExactlyAtItsThreshold) {
  // DRAM at 32 bytes per cycle, the beat at 32: equal is enough.
  EXPECT_EQ(codes(chip_warnings(edge16_with({{"dram.bandwidth_GBps", "25.6"}}))), "");
  EXPECT_EQ(codes(chip_warnings(edge16_with({{"dram.bandwidth_GBps", "25.7"}}))), "W0302");
  EXPECT_EQ(codes(chip_warnings(edge16_with({{"dram.bandwidth_GBps", "25.7"}, {"dma.load_queues", "2"}}))), "");
  // 60 ns = 48 cycles x 16 bytes = 768, and one burst of 1024: 1.75 bursts are needed.
  EXPECT_EQ(codes(chip_warnings(edge16_with({{"dma.max_outstanding", "2"}}))), "");
  EXPECT_EQ(codes(chip_warnings(edge16_with({{"dma.max_outstanding", "1"}}))), "W0303");
}

TEST(ChipWarnings, SayWhenSlotsChangeNothing) {
  EXPECT_EQ(codes(chip_warnings(edge16_with({{"vpu.slots.alu", "2"}}))), "W0325");
}

}  // namespace
}  // namespace lockstep::chip
