// Bad (and doubtful) chip files and the exact text their reader gets.
//
// A case is tests/diag/chip/NAME.expected with its input beside it: NAME.yaml (a chip file; none = a missing file) or
// NAME.set (one line FIELD=VALUE as for --set). Files in tests/diag/chip/base are what cases extend.
// LOCKSTEP_UPDATE_GOLDENS=1 rewrites the expectations and adds missing ones; look at the difference before committing.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hw/base/file_io.h"
#include "hw/base/source_texts.h"
#include "hw/chip/chip_checks.h"
#include "hw/chip/chip_file.h"
#include "hw/chip/field_value.h"

namespace lockstep::chip {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxBytes = 1 << 20;

bool is_updating() { return std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr; }

fs::path folder() { return fs::path(LOCKSTEP_TEST_SOURCE_DIR) / "tests/diag"; }

/// Names of all cases: an input or an expectation is enough, so that a forgotten one fails.
std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder() / "chip")) {
    if (entry.is_regular_file()) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// What a user sees for a chip file: its errors, or its warnings when it has none.
std::string messages_of_chip(const std::string& path) {
  SourceTexts texts;
  const Result<ChipFile> chip = parse_chip(path);
  if (!chip.ok()) return texts.format(chip.diags());
  return texts.format(chip_warnings(chip->spec, chip->origins));
}

std::string messages_of_setting(const std::string& path) {
  const std::string line = *read_file(path, kMaxBytes);
  const std::string setting = line.substr(0, line.find('\n'));
  const size_t equals = setting.find('=');
  SourceTexts texts;
  texts.add("--set", setting);
  ChipSpec chip;
  const std::optional<Diag> wrong =
      set_field(chip, setting.substr(0, equals), setting.substr(equals + 1), {"--set", 1, 1});
  return wrong ? texts.format(*wrong) : "";
}

class ChipDiag : public ::testing::TestWithParam<std::string> {
 protected:
  // Paths in messages are as given, so they are given relative to this folder.
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(folder());
  }
  void TearDown() override { fs::current_path(before_); }

  fs::path before_;
};

TEST_P(ChipDiag, GivesExactlyTheExpectedText) {
  const std::string stem = "chip/" + GetParam();
  const bool is_setting = fs::exists(stem + ".set");
  const std::string got = is_setting ? messages_of_setting(stem + ".set") : messages_of_chip(stem + ".yaml");
  EXPECT_NE(got, "") << "every case here is wrong or doubtful";
  if (is_updating()) {
    ASSERT_FALSE(write_file_atomic(stem + ".expected", got));
    return;
  }
  const Result<std::string> expected = read_file(stem + ".expected", kMaxBytes);
  ASSERT_TRUE(expected.ok()) << "no expectation for " << stem;
  EXPECT_EQ(got, *expected);
}

INSTANTIATE_TEST_SUITE_P(Cases, ChipDiag, ::testing::ValuesIn(case_names()),
                         [](const ::testing::TestParamInfo<std::string>& named) { return named.param; });

TEST(ChipDiagCases, AreManyAndWithErrorsAtAPlace) {
  int placed = 0;
  for (const std::string& name : case_names()) {
    const Result<std::string> expected = read_file((folder() / "chip" / (name + ".expected")).string(), kMaxBytes);
    if (expected.ok() && expected->find(".yaml:") != std::string::npos && expected->find("error[") != std::string::npos) {
      ++placed;
    }
  }
  EXPECT_GE(placed, 25);
}

}  // namespace
}  // namespace lockstep::chip
