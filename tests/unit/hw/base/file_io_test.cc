#include "hw/base/file_io.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class FileIo : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lockstep_file_io_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                                           "_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(FileIo, WritesAndReadsBackAnyBytes) {
  const std::string content("a\0b\xff\n", 5);
  EXPECT_FALSE(write_file_atomic(path("new/folder/x.bin"), content));
  const Result<std::string> read = read_file(path("new/folder/x.bin"), 100);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, content);
}

TEST_F(FileIo, ReplacesAndLeavesNoTemporary) {
  EXPECT_FALSE(write_file_atomic(path("x"), "old"));
  EXPECT_FALSE(write_file_atomic(path("x"), "new"));
  EXPECT_EQ(*read_file(path("x"), 100), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

TEST_F(FileIo, FailedWriteIsADiagAndLeavesNoTemporary) {
  fs::create_directories(folder_ / "taken");
  const std::optional<Diag> failed = write_file_atomic(path("taken"), "x");
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->code, "E0120");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

TEST_F(FileIo, SizeLimitIsInclusive) {
  EXPECT_FALSE(write_file_atomic(path("x"), "12345"));
  EXPECT_TRUE(read_file(path("x"), 5).ok());
  const Result<std::string> over = read_file(path("x"), 4);
  ASSERT_FALSE(over.ok());
  EXPECT_EQ(over.diags()[0].code, "E0102");
}

TEST_F(FileIo, RefusesWhatIsNotAFile) {
  EXPECT_EQ(read_file(path("none"), 5).diags()[0].code, "E0101");
  EXPECT_EQ(read_file(folder_.string(), 5).diags()[0].code, "E0101");
  EXPECT_EQ(read_file("/dev/zero", 5).diags()[0].code, "E0101");
  EXPECT_EQ(read_file("", 5).diags()[0].code, "E0101");
  EXPECT_EQ(read_file(std::string("a\0b", 3), 5).diags()[0].code, "E0101");
}

TEST_F(FileIo, ADeviceIsWrittenToAndALinkStays) {
  const std::optional<Diag> full = write_file_atomic("/dev/full", "x");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->code, "E0120");
  EXPECT_FALSE(write_file_atomic("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  ASSERT_FALSE(write_file_atomic(path("real"), "old"));
  fs::create_symlink(path("real"), path("link"));
  EXPECT_FALSE(write_file_atomic(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(*read_file(path("real"), 10), "new");
}

TEST(ResolvePath, IsRelativeToTheNamingFile) {
  EXPECT_EQ(resolve_path("base.yaml", "chips/edge8.yaml"), "chips/base.yaml");
  EXPECT_EQ(resolve_path("../x.yaml", "configs/chips/edge8.yaml"), "configs/x.yaml");
  EXPECT_EQ(resolve_path("/abs.yaml", "chips/edge8.yaml"), "/abs.yaml");
  EXPECT_EQ(resolve_path("base.yaml", "edge8.yaml"), "base.yaml");
}

}  // namespace
}  // namespace lockstep
