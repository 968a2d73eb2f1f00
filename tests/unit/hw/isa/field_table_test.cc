#include "hw/isa/field_table.h"

#include <set>

#include <gtest/gtest.h>

namespace lockstep::isa {
namespace {

TEST(FieldTable, WordIsAsWideAsTheDesignExpects) { EXPECT_EQ(word_bits(), 1536); }

TEST(FieldTable, VxSetsTheWidth) {
  for (const Op op : all_ops()) {
    EXPECT_LE(op_fields(op).back().lsb, op_fields(Op::kVx).back().lsb) << op_name(op);
  }
}

TEST(FieldTable, FieldsAreContiguousAndInsideTheWord) {
  for (const Op op : all_ops()) {
    int next = 0;
    for (const Field& field : op_fields(op)) {
      EXPECT_EQ(field.lsb, next) << op_name(op) << " " << field.name;
      next = field.lsb + field.width;
      EXPECT_LE(next, word_bits()) << op_name(op) << " " << field.name;
    }
  }
}

TEST(FieldTable, HeaderIsTheSameForEveryOp) {
  const std::vector<Field>& header = op_fields(Op::kHalt);
  for (const Op op : all_ops()) {
    const std::vector<Field>& fields = op_fields(op);
    ASSERT_GE(fields.size(), header.size());
    for (size_t k = 0; k < fields.size(); ++k) {
      EXPECT_EQ(fields[k].is_header, k < header.size()) << op_name(op) << " " << fields[k].name;
      if (k < header.size()) {
        EXPECT_EQ(fields[k].name, header[k].name);
        EXPECT_EQ(fields[k].width, header[k].width);
      }
    }
  }
}

TEST(FieldTable, NamesAndConstantsAreUniquePerOp) {
  for (const Op op : all_ops()) {
    std::set<std::string> names;
    std::set<std::string> constants;
    for (const Field& field : op_fields(op)) {
      EXPECT_TRUE(names.insert(field.name).second) << op_name(op) << " " << field.name;
      EXPECT_TRUE(constants.insert(field_constant(op, field)).second) << field_constant(op, field);
      EXPECT_FALSE(field.unit.empty());
      EXPECT_FALSE(field.sentence.empty());
    }
  }
}

TEST(FieldTable, EveryFieldStoresItsExtremesInAMemberOfItsOwn) {
  for (const Op op : all_ops()) {
    for (const Field& field : op_fields(op)) {
      for (const int64_t value : {field.min, field.max}) {
        if (field.name == "op") continue;  // changing it would change the body
        Instr instr = blank_instr(op);
        field.set(instr, value);
        EXPECT_EQ(field.get(instr), value) << op_name(op) << " " << field.name;
        for (const Field& other : op_fields(op)) {
          if (&other == &field) continue;
          EXPECT_EQ(other.get(instr), other.get(blank_instr(op))) << field.name << " changes " << other.name;
        }
      }
    }
  }
}

TEST(FieldTable, VxSlotsHaveOneLayout) {
  const int pitch = field_of(Op::kVx, "slot1.space").lsb - field_of(Op::kVx, "slot0.space").lsb;
  for (int k = 0; k < 6; ++k) {
    const std::string prefix = "slot" + std::to_string(k);
    for (const char* member : {".space", ".imm", ".loop1.stride", ".ring.stride", ".chunk_stride"}) {
      EXPECT_EQ(field_of(Op::kVx, prefix + member).lsb, field_of(Op::kVx, std::string("slot0") + member).lsb + k * pitch);
    }
  }
}

TEST(FieldTable, LdAndStShareALayout) {
  const std::vector<Field>& ld = op_fields(Op::kLd);
  const std::vector<Field>& st = op_fields(Op::kSt);
  ASSERT_EQ(ld.size(), st.size());
  for (size_t k = 0; k < ld.size(); ++k) EXPECT_EQ(ld[k].name, st[k].name);
}

}  // namespace
}  // namespace lockstep::isa
