// docs/errors.md lists every code of the YAML reader and the chip table, and each of them has a case.
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hw/base/file_io.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxBytes = 4 << 20;

std::string root() { return LOCKSTEP_TEST_SOURCE_DIR; }

std::string text_of(const fs::path& path) {
  const Result<std::string> text = read_file(path.string(), kMaxBytes);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? *text : "";
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

/// Codes in string literals of the sources of a folder.
std::set<std::string> codes_used(const std::string& folder) {
  const std::regex literal("\"([EW]0[0-9]{3})\"");
  std::set<std::string> codes;
  for (const auto& entry : fs::directory_iterator(root() + "/" + folder)) {
    if (entry.path().extension() == ".cc" || entry.path().extension() == ".h") {
      codes.merge(matches(text_of(entry.path()), literal));
    }
  }
  return codes;
}

/// Codes with a row of the table.
std::set<std::string> codes_listed() {
  return matches(text_of(root() + "/docs/errors.md"), std::regex("\\n\\| ([EW]0[0-9]{3}) \\|"));
}

std::set<std::string> codes_with_a_case() {
  std::set<std::string> codes;
  for (const auto& entry : fs::directory_iterator(root() + "/tests/diag/chip")) {
    if (entry.path().extension() == ".expected") {
      codes.merge(matches(text_of(entry.path()), std::regex("(?:error|warning)\\[([EW]0[0-9]{3})\\]")));
    }
  }
  return codes;
}

TEST(ErrorPage, ListsEveryCodeThatIsUsed) {
  const std::set<std::string> listed = codes_listed();
  for (const char* folder : {"hw/base", "hw/chip"}) {
    const std::set<std::string> used = codes_used(folder);
    EXPECT_GE(used.size(), 10u) << "the search must find something";
    for (const std::string& code : used) EXPECT_TRUE(listed.contains(code)) << code << " of " << folder;
  }
}

TEST(ErrorPage, EveryCodeOfAChipFileHasACase) {
  // Limits that would need megabyte files, and codes of files that are not YAML: covered by unit tests of hw/base.
  const std::set<std::string> elsewhere = {"E0102", "E0120", "E0130", "E0140", "E0206"};
  const std::set<std::string> with_case = codes_with_a_case();
  for (const char* folder : {"hw/base", "hw/chip"}) {
    for (const std::string& code : codes_used(folder)) {
      if (elsewhere.contains(code)) continue;
      EXPECT_TRUE(with_case.contains(code)) << code;
    }
  }
}

}  // namespace
}  // namespace lockstep
