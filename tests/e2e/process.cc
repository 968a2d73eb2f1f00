#include "tests/e2e/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockstep::tests {

namespace {

/// In the child: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, const char* folder, const char* out, const char* err) {
  const int out_fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err_fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (chdir(folder) == 0 && dup2(out_fd, STDOUT_FILENO) >= 0 && dup2(err_fd, STDERR_FILENO) >= 0) execv(argv[0], argv);
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& argv, const std::string& folder, const std::string& scratch)
    : out_path_(scratch + "/stdout"), err_path_(scratch + "/stderr") {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) become(words.data(), folder.c_str(), out_path_.c_str(), err_path_.c_str());
}

Process::~Process() {
  if (!is_running()) return;
  send(SIGKILL);
  (void)wait();
}

bool Process::is_running() {
  if (!has_ended_ && pid_ > 0) has_ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
  return pid_ > 0 && !has_ended_;
}

void Process::send(int signal) {
  if (is_running()) kill(pid_, signal);
}

ProcessResult Process::wait() {
  if (!has_ended_ && pid_ > 0) has_ended_ = waitpid(pid_, &status_, 0) == pid_;
  ProcessResult result;
  if (WIFEXITED(status_)) result.exit_code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) result.signal = WTERMSIG(status_);
  result.out = file_text(out_path_);
  result.err = file_text(err_path_);
  return result;
}

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& folder, const std::string& scratch) {
  return Process(argv, folder, scratch).wait();
}

std::string scratch_folder() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(info->test_suite_name()) + "_" + info->name();
  for (char& c : name) c = c == '/' ? '_' : c;
  const std::string folder = std::string(LOCKSTEP_TEST_BINARY_DIR) + "/scratch/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace lockstep::tests
