#include "hw/chip/field_table.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "hw/chip/chip_checks.h"
#include "hw/chip/chip_file.h"
#include "hw/chip/field_value.h"

namespace lockstep::chip {
namespace {

ChipSpec load(const std::string& name) {
  const std::string path = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/" + name + ".yaml";
  const Result<ChipFile> chip = parse_chip(path);
  for (const Diag& diag : chip.diags()) ADD_FAILURE() << format_diag(diag);
  return chip.ok() ? chip->spec : ChipSpec{};
}

/// A legal value of an integer field other than the one `chip` has; empty when there is none.
std::string other_value(const Field& field, const ChipSpec& chip) {
  const int64_t now = std::stoll(field_text(field, chip));
  const IntRange& range = field.int_range;
  const int64_t up = range.power_of_two ? now * 2 : now + 1;
  const int64_t down = range.power_of_two ? now / 2 : now - 1;
  if (up <= range.max) return std::to_string(up);
  return down >= range.min ? std::to_string(down) : "";
}

TEST(FieldTable, NamesAreUniqueAndEachHasASentence) {
  std::set<std::string_view> names;
  for (const Field& field : chip_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(field.sentence.empty()) << field.name;
    EXPECT_TRUE(field.sentence.ends_with('.')) << field.name;
  }
  EXPECT_EQ(find_field("mxu.rows")->name, "mxu.rows");
  EXPECT_EQ(find_field("mxu"), nullptr);
  EXPECT_EQ(find_field(""), nullptr);
}

TEST(FieldTable, EveryFieldHasAMemberOfItsOwn) {
  ChipSpec chip = load("tpu128");
  std::set<const void*> members;
  for (const Field& field : chip_fields()) {
    const void* member = nullptr;
    if (const IntMember* at = std::get_if<IntMember>(&field.member)) member = &(*at)(chip);
    if (const RealMember* at = std::get_if<RealMember>(&field.member)) member = &(*at)(chip);
    if (const TextMember* at = std::get_if<TextMember>(&field.member)) member = &(*at)(chip);
    const bool is_new = member == nullptr || members.insert(member).second;
    EXPECT_TRUE(is_new) << field.name;
  }
}

/// Integer fields below `group`.
size_t int_fields(std::string_view group) {
  const auto& fields = chip_fields();
  return static_cast<size_t>(std::count_if(fields.begin(), fields.end(), [group](const Field& field) {
    return field.name.starts_with(group) && std::holds_alternative<IntMember>(field.member);
  }));
}

TEST(FieldTable, CoversEveryMemberOfChipSpec) {
  // The structs of ints alone have no padding, so their size counts their members.
  EXPECT_EQ(int_fields("mxu."), sizeof(MxuSpec) / sizeof(int));
  EXPECT_EQ(int_fields("vpu."), sizeof(VpuSpec) / sizeof(int) - 1) << "one word is the bool of `slots: single`";
  EXPECT_EQ(int_fields("vmem."), sizeof(VmemSpec) / sizeof(int));
  EXPECT_EQ(int_fields("dma."), sizeof(DmaSpec) / sizeof(int));
  EXPECT_EQ(int_fields("queue_depth."), sizeof(QueueDepthSpec) / sizeof(int));
  EXPECT_EQ(int_fields("host."), sizeof(HostSpec) / sizeof(int));
  // Text preset, three doubles, five ints and one int of padding.
  EXPECT_EQ(int_fields("dram."), 5u);
  EXPECT_EQ(sizeof(DramSpec), sizeof(std::string) + 3 * sizeof(double) + 6 * sizeof(int));
  // Name, clock, smem_words, imem_words and technology stand in ChipSpec itself.
  const size_t groups = sizeof(MxuSpec) + sizeof(VpuSpec) + sizeof(VmemSpec) + sizeof(DmaSpec) +
                        sizeof(QueueDepthSpec) + sizeof(DramSpec) + sizeof(HostSpec);
  const size_t own = 2 * sizeof(std::string) + 3 * sizeof(int);
  EXPECT_LT(sizeof(ChipSpec) - groups - own, 2 * sizeof(double)) << "a member of ChipSpec has no field";
}

TEST(FieldTable, DefaultsAreLegal) {
  const ChipSpec defaults;
  for (const Field& field : chip_fields()) {
    if (field.is_required) continue;
    ChipSpec chip = load("edge8");
    const std::optional<Diag> wrong = set_field(chip, field.name, field_text(field, defaults));
    EXPECT_FALSE(wrong) << field.name << ": " << wrong->message;
  }
}

TEST(FieldTable, TextRoundTripsThroughSetField) {
  for (const char* name : {"edge8", "edge16", "wide", "tall", "tpu128"}) {
    const ChipSpec chip = load(name);
    ChipSpec copy;
    for (const Field& field : chip_fields()) {
      if (field.name.starts_with("vpu.slots.")) continue;  // part of vpu.slots
      const std::optional<Diag> wrong = set_field(copy, field.name, field_text(field, chip));
      ASSERT_FALSE(wrong) << field.name << ": " << wrong->message;
    }
    for (const Field& field : chip_fields()) EXPECT_EQ(field_text(field, copy), field_text(field, chip)) << field.name;
    EXPECT_EQ(timing_hash(copy), timing_hash(chip));
  }
}

TEST(FieldTable, EveryFieldEitherChangesTheHashOrSaysThatItDoesNot) {
  for (const Field& field : chip_fields()) {
    if (!std::holds_alternative<IntMember>(field.member)) continue;
    ChipSpec chip = load("tpu128");
    const std::string other = other_value(field, chip);
    if (other.empty()) continue;
    const uint64_t before = timing_hash(chip);
    const std::optional<Diag> refused = set_field(chip, field.name, other);
    if (!field.built_only.value.empty()) {
      ASSERT_TRUE(refused) << field.name << " = " << other;
      EXPECT_EQ(refused->code, field.built_only.code) << field.name;
      EXPECT_EQ(timing_hash(chip), before) << "a refused value must not be stored";
      continue;
    }
    ASSERT_FALSE(refused) << field.name << " = " << other << ": " << refused->message;
    EXPECT_EQ(timing_hash(chip) != before, field.is_timing_relevant) << field.name;
  }
}

TEST(FieldTable, RangesAreEnforcedAtBothEnds) {
  for (const Field& field : chip_fields()) {
    if (!std::holds_alternative<IntMember>(field.member)) continue;
    for (const int64_t value : {field.int_range.min - 1, field.int_range.max + 1}) {
      ChipSpec chip = load("tpu128");
      const std::optional<Diag> wrong = set_field(chip, field.name, std::to_string(value));
      ASSERT_TRUE(wrong) << field.name << " = " << value;
      EXPECT_EQ(wrong->code, "E0301") << field.name;
      EXPECT_NE(wrong->message.find(std::to_string(value)), std::string::npos);
    }
  }
}

TEST(FieldTable, KeysBelowAGroup) {
  EXPECT_EQ(keys_below("queue_depth"), (std::vector<std::string>{"queue_depth.ld", "queue_depth.st", "queue_depth.wld",
                                                                 "queue_depth.mm", "queue_depth.vx"}));
  const std::vector<std::string> root = keys_below("");
  EXPECT_EQ(root.front(), "name");
  EXPECT_EQ(std::count(root.begin(), root.end(), "mxu"), 1);
  EXPECT_TRUE(keys_below("nothing").empty());
}

TEST(SetField, UnderstandsUnitsAndSlots) {
  ChipSpec chip = load("edge8");
  EXPECT_FALSE(set_field(chip, "vmem.size_KiB", "1MiB"));
  EXPECT_EQ(chip.vmem.size_KiB, 1024);
  EXPECT_FALSE(set_field(chip, "clock_MHz", "1.05GHz"));
  EXPECT_EQ(chip.clock_MHz, 1050);
  EXPECT_FALSE(set_field(chip, "vpu.slots", "{load: 2, alu: 4}"));
  EXPECT_FALSE(chip.vpu.slots.single);
  EXPECT_EQ(chip.vpu.slots.alu, 4);
  EXPECT_FALSE(set_field(chip, "vpu.slots", "single"));
  EXPECT_TRUE(chip.vpu.slots.single);
  EXPECT_EQ(chip.vpu.slots.alu, 1);
  EXPECT_FALSE(set_field(chip, "vpu.slots.alu", "2"));
  EXPECT_FALSE(chip.vpu.slots.single);
}

TEST(SetField, NamesTheNearestField) {
  ChipSpec chip = load("edge8");
  const std::optional<Diag> wrong = set_field(chip, "mxu.row", "8", {"--set", 1, 1});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->message, "unknown chip field 'mxu.row' (did you mean 'mxu.rows'?)");
  EXPECT_EQ(wrong->loc, (SourceLoc{"--set", 1, 1}));
}

TEST(SetField, BadTextIsADiagAndChangesNothing) {
  ChipSpec chip = load("edge8");
  for (const char* text : {"", "[", "a: b", "&x 8", "8\n---\n9", "'8'", "{rows: 8}", "on", "010", "1e99"}) {
    EXPECT_TRUE(set_field(chip, "mxu.rows", text)) << text;
  }
  EXPECT_TRUE(set_field(chip, "mxu.rows", std::string(1, '\0')));
  EXPECT_EQ(chip.mxu.rows, 8);
}

}  // namespace
}  // namespace lockstep::chip
