// What may happen to the RTL worker process and to the cache of its builds, and what the host makes of it.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "hw/sysc/rtl_target.h"
#include "tests/cosim/rtl_run.h"
#include "tests/property/word_builder.h"

namespace lockstep::testcosim {
namespace {

namespace fs = std::filesystem;

/// Worker processes that this process started.
std::vector<pid_t> workers() {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string id, command, state;
    pid_t parent = 0;
    if (!(stat >> id >> command >> state >> parent)) continue;
    if (parent == getpid() && state != "Z" && command.starts_with("(lockstep_rtl")) found.push_back(std::stoi(name));
  }
  return found;
}

class RtlWorker : public testing::Test {
 protected:
  chip::ChipSpec chip_ = testgen::small_chip(8, 8, 2);

  isa::Program short_program() {
    testgen::WordBuilder words(chip_, 4096);
    words.ld(0, 0, 1024);
    words.halt();
    return words.program();
  }

  /// Half a billion cycles: minutes.
  isa::Program endless_program() {
    testgen::WordBuilder words(chip_, 4096);
    const size_t outer = words.loop(10'000);
    const size_t inner = words.loop(50'000);
    words.end_loop(inner);
    words.end_loop(outer);
    words.halt();
    return words.program();
  }

  static std::string fault_of(target::Target& rtl, const isa::Program& program) {
    target::MemoryImage image = noise(program.hbm_bytes, 1);
    const Result<target::RunResult> result = rtl.run(program, image, {});
    if (!result.ok()) return result.diags().front().code;
    return result->fault ? result->fault->code + ": " + result->fault->detail : "none";
  }
};

TEST_F(RtlWorker, AKilledWorkerIsAFaultAndTheNextRunWorks) {
  const auto rtl = rtl_of(chip_);
  ASSERT_NE(rtl, nullptr);
  EXPECT_EQ(fault_of(*rtl, short_program()), "none");
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(workers().size(), 1u);
    const pid_t victim = workers().front();
    std::thread killer([victim] {
      usleep(200'000);
      kill(victim, SIGKILL);
    });
    EXPECT_EQ(fault_of(*rtl, endless_program()), "F-WORKER: the RTL worker ended (signal 9)");
    killer.join();
    EXPECT_EQ(fault_of(*rtl, short_program()), "none");
  }
}

TEST_F(RtlWorker, AWorkerKilledBetweenRunsIsAFaultToo) {
  const auto rtl = rtl_of(chip_);
  ASSERT_NE(rtl, nullptr);
  EXPECT_EQ(fault_of(*rtl, short_program()), "none");
  ASSERT_EQ(workers().size(), 1u);
  kill(workers().front(), SIGKILL);
  while (!workers().empty()) usleep(1000);
  EXPECT_EQ(fault_of(*rtl, short_program()), "F-WORKER: the RTL worker ended (signal 9)");
  EXPECT_EQ(fault_of(*rtl, short_program()), "none");
}

TEST_F(RtlWorker, ARunThatTakesTooLongIsATimeoutAndLeavesNoProcess) {
  ASSERT_NE(rtl_of(chip_), nullptr);  // built without the limit
  sysc::RtlOptions options;
  options.timeout_ms = 400;
  auto rtl = sysc::make_rtl_target(chip_, options);
  ASSERT_TRUE(rtl.ok());
  EXPECT_EQ(fault_of(**rtl, endless_program()), "F-TIMEOUT: no answer within 400 ms");
  EXPECT_TRUE(workers().empty());
}

// A stopped worker does not read: a request larger than the socket's buffers must not block the host for ever.
TEST_F(RtlWorker, AWorkerThatDoesNotReadIsATimeout) {
  ASSERT_NE(rtl_of(chip_), nullptr);
  sysc::RtlOptions options;
  options.timeout_ms = 5'000;
  auto rtl = sysc::make_rtl_target(chip_, options);
  ASSERT_TRUE(rtl.ok());
  EXPECT_EQ(fault_of(**rtl, short_program()), "none");
  isa::Program large = short_program();
  large.hbm_bytes = int64_t{16} << 20;
  ASSERT_EQ(workers().size(), 1u);
  kill(workers().front(), SIGSTOP);
  EXPECT_EQ(fault_of(**rtl, large), "F-TIMEOUT: no answer within 5000 ms");
}

}  // namespace
}  // namespace lockstep::testcosim
