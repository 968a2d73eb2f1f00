#include "hw/chip/chip_schema.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "hw/base/file_io.h"
#include "hw/chip/field_table.h"

namespace lockstep::chip {
namespace {

// LOCKSTEP_UPDATE_GOLDENS=1 rewrites the page.
TEST(ChipSchema, CheckedInPageIsCurrent) {
  const std::string path = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/SCHEMA.md";
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    ASSERT_FALSE(write_file_atomic(path, chip_schema_page()));
  }
  const Result<std::string> page = read_file(path, 1 << 20);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(*page, chip_schema_page());
}

TEST(ChipSchema, HasARowForEachField) {
  const std::string page = chip_schema_page();
  for (const Field& field : chip_fields()) {
    EXPECT_NE(page.find("| `" + std::string(field.name) + "` |"), std::string::npos) << field.name;
  }
}

}  // namespace
}  // namespace lockstep::chip
