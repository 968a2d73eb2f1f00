#include "hw/chip/chip_file.h"

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hw/base/file_io.h"
#include "hw/chip/chip_checks.h"

namespace lockstep::chip {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComplete =
    "schema: lockstep/chip/v1\n"
    "name: t\n"
    "clock_MHz: 500\n"
    "mxu: {rows: 8, cols: 8, weight_load_rows: 2, acc_rows: 256}\n"
    "vpu: {lanes: 8}\n"
    "vmem: {size_KiB: 64}\n"
    "dma: {beat_bytes: 32}\n"
    "dram: {bandwidth_GBps: 4, latency_ns: 60, access_bytes: 32, size_GiB: 1}\n";

class ChipFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lockstep_chip_file_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    EXPECT_FALSE(write_file_atomic(path, text));
    return path;
  }

  fs::path folder_;
};

std::string codes(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += (out.empty() ? "" : " ") + diag.code;
  return out;
}

TEST(ChipFile, EveryShippedChipLoadsAndIsNamedAsItsFile) {
  int chips = 0;
  for (const auto& entry : fs::directory_iterator(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips")) {
    if (entry.path().extension() != ".yaml") continue;
    const Result<ChipFile> chip = parse_chip(entry.path().string());
    for (const Diag& diag : chip.diags()) ADD_FAILURE() << format_diag(diag);
    ASSERT_TRUE(chip.ok());
    EXPECT_EQ(chip->spec.name, entry.path().stem().string());
    EXPECT_TRUE(check_chip(chip->spec, chip->origins).empty());
    ++chips;
  }
  EXPECT_GE(chips, 5);
}

TEST(ChipFile, PresetsHaveTheStatedDramRate) {
  const std::string folder = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/";
  EXPECT_EQ(dram_bytes_per_cycle(parse_chip(folder + "edge8.yaml")->spec), 8.0);
  EXPECT_EQ(dram_bytes_per_cycle(parse_chip(folder + "edge16.yaml")->spec), 16.0);
  EXPECT_EQ(dram_bytes_per_cycle(parse_chip(folder + "wide.yaml")->spec), 16.0);
  EXPECT_EQ(dram_bytes_per_cycle(parse_chip(folder + "tall.yaml")->spec), 16.0);
  const ChipSpec tpu = parse_chip(folder + "tpu128.yaml")->spec;
  EXPECT_DOUBLE_EQ(tpu.dram.access_bytes / dram_bytes_per_cycle(tpu), 7.0 / 64);
}

TEST(ChipFile, TextWithoutAFile) {
  const Result<ChipFile> chip = parse_chip_text(kComplete, "inline");
  ASSERT_TRUE(chip.ok()) << format_diag(chip.diags()[0]);
  EXPECT_EQ(chip->spec.mxu.rows, 8);
  EXPECT_EQ(chip->spec.dma.quantum, 16) << "a default";
  EXPECT_EQ(chip->origins.at("mxu.rows"), (SourceLoc{"inline", 4, 13}));
  EXPECT_FALSE(chip->origins.contains("dma.quantum"));
  EXPECT_EQ(codes(parse_chip_text(std::string(kComplete) + "extends: a.yaml\n", "inline").diags()), "E0114");
}

TEST_F(ChipFiles, ExtendsOverridesFieldByFieldAndKeepsOrigins) {
  const std::string base = write("base.yaml", kComplete);
  const std::string top = write("sub/top.yaml",
                                "schema: lockstep/chip/v1\nextends: ../base.yaml\nname: top\nmxu: {rows: 16}\n");
  const Result<ChipFile> chip = parse_chip(top);
  ASSERT_TRUE(chip.ok()) << format_diag(chip.diags()[0]);
  EXPECT_EQ(chip->spec.mxu.rows, 16);
  EXPECT_EQ(chip->spec.mxu.cols, 8);
  EXPECT_EQ(chip->origins.at("mxu.rows"), (SourceLoc{top, 4, 13}));
  EXPECT_EQ(chip->origins.at("mxu.cols").line, 4);
  EXPECT_TRUE(chip->origins.at("mxu.cols").file.ends_with("base.yaml"));
  EXPECT_EQ(chip->files.size(), 2u);
}

TEST_F(ChipFiles, ExtendsCycleIsSeenThroughDifferentSpellings) {
  write("a.yaml", "schema: lockstep/chip/v1\nextends: ./b.yaml\n");
  const std::string b = write("b.yaml", "schema: lockstep/chip/v1\nextends: x/../a.yaml\n");
  EXPECT_EQ(codes(parse_chip(b).diags()), "E0113");
  const std::string self = write("self.yaml", "schema: lockstep/chip/v1\nextends: self.yaml\n");
  EXPECT_EQ(codes(parse_chip(self).diags()), "E0113");
}

TEST_F(ChipFiles, ExtendsDepthIsCapped) {
  write("f0.yaml", kComplete);
  for (int i = 1; i <= 12; ++i) {
    write(fmt::format("f{}.yaml", i), fmt::format("schema: lockstep/chip/v1\nextends: f{}.yaml\n", i - 1));
  }
  EXPECT_TRUE(parse_chip((folder_ / "f8.yaml").string()).ok());
  EXPECT_EQ(codes(parse_chip((folder_ / "f9.yaml").string()).diags()), "E0114");
}

TEST_F(ChipFiles, MissingBaseIsPlacedAtItsExtends) {
  const std::string top = write("top.yaml", "schema: lockstep/chip/v1\nextends: none.yaml\nname: t\n");
  const Result<ChipFile> chip = parse_chip(top);
  EXPECT_EQ(codes(chip.diags()), "E0101") << "and no list of fields the base would have set";
  EXPECT_EQ(chip.diags()[0].loc, (SourceLoc{top, 2, 10}));
}

TEST_F(ChipFiles, ErrorsOfEveryLayerAreReportedTogether) {
  write("base.yaml", std::string(kComplete) + "queue_depth: {ld: 99}\n");
  const std::string top =
      write("top.yaml", "schema: lockstep/chip/v1\nextends: base.yaml\nmxu: {row: 3}\nclock_MHz: fast\n");
  EXPECT_EQ(codes(parse_chip(top).diags()), "E0301 E0203 E0204");
}

}  // namespace
}  // namespace lockstep::chip
