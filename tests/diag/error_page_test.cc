// docs/errors.md lists every code of the YAML reader and the chip table, and each of them has a case.
#include <filesystem>
#include <map>
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

/// Codes in string literals per folder, over the whole product.
std::map<std::string, std::set<std::string>> folders_by_code() {
  const std::regex literal("\"([EW][0-9]{4})\"");
  std::map<std::string, std::set<std::string>> folders;
  for (const char* top : {"hw", "compiler", "sweep"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root() + "/" + top)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cc" && path.extension() != ".h") continue;
      for (const std::string& code : matches(text_of(path), literal)) {
        folders[code].insert(fs::relative(path.parent_path(), root()).string());
      }
    }
  }
  return folders;
}

TEST(ErrorPage, EveryCodeOfTheProductIsListedOnce) {
  const std::string pages = text_of(root() + "/docs/errors.md") + text_of(root() + "/docs/isa.md");
  std::set<std::string> listed;
  const std::regex table_row("\\n\\| ([EW][0-9]{4}) \\|");
  for (auto row = std::sregex_iterator(pages.begin(), pages.end(), table_row); row != std::sregex_iterator(); ++row) {
    EXPECT_TRUE(listed.insert((*row)[1]).second) << (*row)[1] << " is listed twice";
  }
  const auto folders = folders_by_code();
  EXPECT_GE(folders.size(), 100u) << "the search must find something";
  for (const auto& [code, used_in] : folders) EXPECT_TRUE(listed.contains(code)) << code << " of " << *used_in.begin();
  for (const std::string& code : listed) EXPECT_TRUE(folders.contains(code)) << code << " is listed and never reported";
}

TEST(ErrorPage, OneCodeHasOneMeaning) {
  // Two folders may share a code only where they report the very same condition of the same input.
  const std::set<std::set<std::string>> shared = {{"hw/base", "hw/chip"}, {"hw/isa", "hw/timing"}};
  for (const auto& [code, used_in] : folders_by_code()) {
    if (used_in.size() == 1) continue;
    EXPECT_TRUE(shared.contains(used_in)) << code << " is used in " << used_in.size() << " folders";
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
