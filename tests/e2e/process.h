// Runs a program and captures what it prints, for tests of the command line.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace lockstep::tests {

struct ProcessResult {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;      // 0: ended by itself
  std::string out;
  std::string err;
};

/// A child process with its output in files of `scratch`; ended with SIGKILL when it outlives its owner.
class Process {
 public:
  /// argv[0] is the program; `folder` its working directory.
  Process(const std::vector<std::string>& argv, const std::string& folder, const std::string& scratch);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  bool is_running();
  void send(int signal);
  ProcessResult wait();

 private:
  pid_t pid_ = -1;
  int status_ = 0;
  bool has_ended_ = false;
  std::string out_path_;
  std::string err_path_;
};

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& folder, const std::string& scratch);

/// A fresh folder for this test below the build folder, named after the running test.
std::string scratch_folder();

std::string file_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace lockstep::tests
