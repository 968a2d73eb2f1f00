#include <gtest/gtest.h>

#include "hw/base/file_io.h"
#include "hw/golden/golden.h"
#include "hw/isa/verify.h"
#include "tests/property/program_gen.h"
#include "tests/property/race_check.h"
#include "tests/property/regression_case.h"

namespace lockstep::testgen {
namespace {

TEST(Regression, EveryFileIsLegalAndItsResultIndependentOfTheFill) {
  const std::vector<std::string> files = regression_files(LOCKSTEP_TEST_SOURCE_DIR);
  EXPECT_FALSE(files.empty());
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const auto text = read_file(file, 1 << 20);
    ASSERT_TRUE(text.ok());
    const auto parsed = parse_regression(*text, file);
    ASSERT_TRUE(parsed.ok()) << parsed.diags().front().message;
    const auto verified = isa::verify(parsed->program, parsed->chip);
    EXPECT_TRUE(verified.ok()) << verified.diags().front().message;
    EXPECT_TRUE(find_races(parsed->program, parsed->chip).empty());
    golden::GoldenTarget golden(parsed->chip);
    target::MemoryImage first = random_image(1, parsed->program), second = first;
    const auto run = golden.run(parsed->program, first, {.vmem_fill = 0x3C});
    ASSERT_TRUE(run.ok()) << run.diags().front().message;
    EXPECT_FALSE(run->fault) << run->fault->code << " " << run->fault->detail;
    ASSERT_TRUE(golden.run(parsed->program, second, {.vmem_fill = 0xC3}).ok());
    EXPECT_TRUE(first == second);
  }
}

}  // namespace
}  // namespace lockstep::testgen
