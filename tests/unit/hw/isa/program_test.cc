#include "hw/isa/program.h"

#include <gtest/gtest.h>

namespace lockstep::isa {
namespace {

TEST(Program, ElementAddressOfRowMajorTensor) {
  Tensor t{.name = "a", .type = ElementType::kInt32, .rows = 5, .cols = 7, .offset_bytes = 100, .block_rows = 5, .block_cols = 7,
           .row_stride_bytes = 32};
  EXPECT_EQ(element_address(t, 0, 0), 100);
  EXPECT_EQ(element_address(t, 3, 2), 100 + 3 * 32 + 2 * 4);
}

TEST(Program, ElementAddressOfBlockedTensor) {
  Tensor t{.name = "w", .type = ElementType::kInt8, .rows = 16, .cols = 16, .offset_bytes = 0, .block_rows = 8, .block_cols = 4,
           .block_row_stride_bytes = 1000, .block_col_stride_bytes = 100, .row_stride_bytes = 4};
  EXPECT_EQ(element_address(t, 9, 13), 1000 + 3 * 100 + 1 * 4 + 1);
}

TEST(Instr, EveryOpHasANameAndItsBody) {
  for (const Op op : all_ops()) {
    const Instr instr = blank_instr(op);
    EXPECT_TRUE(body_matches_op(instr)) << op_name(op);
    if (is_engine_op(op)) {
      EXPECT_LT(engine_of(instr), kEngineCount);
    }
  }
  Instr wrong = blank_instr(Op::kMm);
  wrong.body = WldBody{};
  EXPECT_FALSE(body_matches_op(wrong));
}

TEST(Engine, NamesFollowTheFlatNumbering) {
  EXPECT_EQ(engine_name(engine_id(EngineKind::kWld, 2)), "WLD2");
  EXPECT_EQ(engine_name(kMm0), "MM0");
  EXPECT_EQ(engine_name(kSequencer), "SEQ");
  for (EngineId id = 0; id < kEngineCount; ++id) EXPECT_NE(engine_name(id).find(id < 2 ? "LD" : ""), std::string::npos);
  EXPECT_EQ(engine_kind(11), EngineKind::kMm);
}

}  // namespace
}  // namespace lockstep::isa
