// The cache of RTL builds under rough use. Builds one small core in a cache of its own.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "hw/sysc/build_cache.h"
#include "tests/property/word_builder.h"

namespace lockstep::testcosim {
namespace {

namespace fs = std::filesystem;

class BuildCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lockstep_it's_a_\"cache\"_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    use(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("LOCKSTEP_RTL_CACHE");
  }
  static void use(const fs::path& folder) { setenv("LOCKSTEP_RTL_CACHE", folder.c_str(), 1); }

  size_t entries(const std::string& part) const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename().string().find(part) != std::string::npos) ++count;
    }
    return count;
  }

  fs::path folder_;
  chip::ChipSpec chip_ = testgen::small_chip(4, 4, 4);
};

// One of two builders of a cold entry builds, the other waits; the remains of a killed build do not matter, nor does what
// the path looks like.
TEST_F(BuildCache, TwoColdBuildersShareOneBuild) {
  std::vector<std::string> lines[2];
  std::string paths[2];
  std::vector<std::thread> builders;
  for (size_t k = 0; k < 2; ++k) {
    builders.emplace_back([&, k] {
      sysc::BuildOptions options;
      options.optimisation = 0;
      options.progress = [&lines, k](const std::string& line) { lines[k].push_back(line); };
      const Result<std::string> worker = sysc::worker_for(chip_, options);
      ASSERT_TRUE(worker.ok()) << format_diag(worker.diags().front());
      paths[k] = *worker;
    });
  }
  for (std::thread& builder : builders) builder.join();
  EXPECT_EQ(paths[0], paths[1]);
  EXPECT_EQ(access(paths[0].c_str(), X_OK), 0) << paths[0];
  EXPECT_EQ(lines[0].size() + lines[1].size(), 4u) << "two stages, begin and end of each, once";
  EXPECT_EQ(entries(".building"), 0u);

  const fs::path entry = fs::path(paths[0]).parent_path();
  fs::remove_all(entry);
  fs::create_directories(entry.string() + ".building-1");
  std::ofstream(entry.string() + ".building-1/lockstep_rtl_worker") << "half a worker";
  sysc::BuildOptions options;
  options.optimisation = 0;
  const Result<std::string> again = sysc::worker_for(chip_, options);
  ASSERT_TRUE(again.ok()) << format_diag(again.diags().front());
  EXPECT_EQ(*again, paths[0]);
  EXPECT_EQ(entries(".building"), 0u);
}

TEST_F(BuildCache, ACacheThatCannotBeWrittenIsADiagThatNamesTheVariable) {
  std::ofstream(folder_ / "file") << "no folder";
  const fs::path too_long = folder_ / std::string(300, 'x');
  for (const fs::path& place : {folder_ / "file", too_long, fs::path("/proc/lockstep"), folder_ / "a space"}) {
    use(place);
    const Result<std::string> worker = sysc::worker_for(chip_, {});
    ASSERT_FALSE(worker.ok()) << place;
    EXPECT_EQ(worker.diags().front().code, "E0902");
    EXPECT_NE(worker.diags().front().message.find("LOCKSTEP_RTL_CACHE"), std::string::npos) << worker.diags().front().message;
  }
}

}  // namespace
}  // namespace lockstep::testcosim
