// One file per wrong command line under tests/diag/cli: what it prints on stderr, to the byte, and its exit code.
//
//   $ lockstep check typo.yaml
//   exit 2
//   ...the expected stderr
//
// Commands run in tests/diag/cli. LOCKSTEP_UPDATE_GOLDENS=1 rewrites the files; look at the difference before committing.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/e2e/process.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::string case_folder() { return std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/tests/diag/cli"; }

struct Case {
  std::string command;  // without "$ lockstep"
  int exit_code = 0;
  std::string err;
};

Case read_case(const std::string& path) {
  std::istringstream text(tests::file_text(path));
  Case found;
  std::string line;
  const std::string prompt = "$ lockstep";
  if (std::getline(text, line) && line.rfind(prompt, 0) == 0) found.command = line.substr(prompt.size());
  if (std::getline(text, line) && line.rfind("exit ", 0) == 0) found.exit_code = std::atoi(line.c_str() + 5);
  while (std::getline(text, line)) found.err += line + "\n";
  return found;
}

/// Words of a command, split at blanks; '' is an empty word.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream text(command);
  for (std::string word; text >> word;) words.push_back(word == "''" ? "" : word);
  return words;
}

class CliDiag : public ::testing::TestWithParam<std::string> {};

TEST_P(CliDiag, PrintsExactlyThisAndExitsWithThisCode) {
  const std::string path = case_folder() + "/" + GetParam() + ".case";
  const Case expected = read_case(path);
  std::vector<std::string> argv = {LOCKSTEP_BINARY};
  const std::vector<std::string> words = words_of(expected.command);
  argv.insert(argv.end(), words.begin(), words.end());
  const tests::ProcessResult result = tests::run_process(argv, case_folder(), tests::scratch_folder());
  ASSERT_EQ(result.signal, 0) << "no input may end the process with a signal";
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    tests::write_text(path, "$ lockstep" + expected.command + "\nexit " + std::to_string(result.exit_code) + "\n" + result.err);
    return;
  }
  EXPECT_EQ(result.exit_code, expected.exit_code);
  EXPECT_EQ(result.err, expected.err);
  EXPECT_NE(result.exit_code, 0) << "a case here is a mistake";
  EXPECT_EQ(result.out, "") << "a mistake prints nothing on stdout";
}

std::vector<std::string> all_cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(case_folder())) {
    if (entry.path().extension() == ".case") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, CliDiag, ::testing::ValuesIn(all_cases()), [](const auto& param) { return param.param; });

TEST(CliDiagCases, AreThere) { EXPECT_GE(all_cases().size(), 25U); }

}  // namespace
}  // namespace lockstep
