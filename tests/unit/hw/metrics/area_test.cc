#include "hw/metrics/area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep::metrics {
namespace {

std::string n7_path() { return std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/technology/n7.yaml"; }

std::string n7_text() {
  std::ifstream file(n7_path());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<Technology> load_text(const std::string& text) {
  const std::string path = std::string(LOCKSTEP_TEST_BINARY_DIR) + "/technology_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
  std::ofstream(path) << text;
  Result<Technology> technology = load_technology(path);
  std::filesystem::remove(path);
  return technology;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Technology n7() {
  Result<Technology> technology = load_technology(n7_path());
  EXPECT_TRUE(technology.ok()) << technology.diags()[0].message;
  return *std::move(technology);
}

chip::ChipSpec tpu128() {
  chip::ChipSpec chip;
  chip.clock_MHz = 1050;
  chip.mxu.rows = chip.mxu.cols = 128;
  chip.mxu.weight_load_rows = 8;
  chip.mxu.acc_rows = 2048;
  chip.vmem.size_KiB = 16384;
  chip.dram.bandwidth_GBps = 410;
  return chip;
}

double component(const AreaReport& report, std::string_view name) {
  for (const AreaComponent& part : report.components) {
    if (part.name == name) return part.mm2;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(Area, ComponentsFollowTheClosedForms) {
  const AreaReport report = area_of(tpu128(), n7());
  EXPECT_NEAR(component(report, "area_mac_mm2"), 128 * 128 * 50e-6, 1e-12);
  EXPECT_NEAR(component(report, "area_vmem_mm2"), 16 * 0.875, 1e-12);
  // 2,048 rows x 128 words = 1 MiB in banks of 64 KiB, two-port.
  EXPECT_NEAR(component(report, "area_accumulator_mm2"), 2 * 0.875, 1e-12);
  EXPECT_NEAR(component(report, "area_weight_port_mm2"), 8 * 128 * 450e-6, 1e-12);
  EXPECT_NEAR(component(report, "area_hbm_mm2"), 16, 1e-9);
}

TEST(Area, ComponentsSumToTheTotalAndAreAllPositive) {
  const AreaReport report = area_of(tpu128(), n7());
  double sum = 0;
  for (const AreaComponent& part : report.components) {
    EXPECT_GT(part.mm2, 0) << part.name;
    sum += part.mm2;
  }
  EXPECT_EQ(sum, report.total_mm2());
}

TEST(Area, EachConstantMovesTheTotalByItsCount) {
  const double before = area_of(tpu128(), n7()).total_mm2();
  const auto moved = [&](auto change) {
    Technology technology = n7();
    change(technology);
    return area_of(tpu128(), technology).total_mm2() - before;
  };
  EXPECT_NEAR(moved([](Technology& t) { t.mac_int8.value += 1; }), 128 * 128 * 1e-6, 1e-9);
  EXPECT_NEAR(moved([](Technology& t) { t.sram_mm2_per_MiB.value += 0.1; }), 1.6 + 0.2, 1e-9);
  EXPECT_NEAR(moved([](Technology& t) { t.accumulator_port_factor.value += 1; }), 0.875, 1e-9);
  EXPECT_NEAR(moved([](Technology& t) { t.weight_port_um2_per_byte.value += 1; }), 1024e-6, 1e-9);
  EXPECT_NEAR(moved([](Technology& t) { t.hbm_stack_mm2.value += 1; }), 1, 1e-9);
  EXPECT_NEAR(moved([](Technology& t) { t.hbm_stack_GBps.value *= 2; }), -8, 1e-9);
  EXPECT_GT(moved([](Technology& t) { t.vmem_bank_KiB.value = 4; }), 1);
  EXPECT_NEAR(moved([](Technology& t) { t.accumulator_bank_KiB.value = 8; }), 1.75 * (56.0 / 14 - 1), 1e-9);
  EXPECT_NE(moved([](Technology& t) { t.bank_efficiency.back().bank_KiB *= 2; }), 0);
}

TEST(Area, SmallBanksCostMorePerMiB) {
  const Technology technology = n7();
  constexpr double kMiB = 1024 * 1024;
  EXPECT_NEAR(sram_mm2(technology, kMiB, 65536), 0.875, 1e-12);
  EXPECT_NEAR(sram_mm2(technology, kMiB, 1 << 20), 0.875, 1e-12);
  EXPECT_NEAR(sram_mm2(technology, kMiB, 8192), 0.875 * 56 / 14, 1e-12);
  EXPECT_NEAR(sram_mm2(technology, kMiB, 12288), 0.875 * 56 / 19.5, 1e-12);
  EXPECT_NEAR(sram_mm2(technology, kMiB, 16), 0.875 * 56 / 7.6, 1e-12);
}

TEST(Technology, ANumberWithoutSourceDoesNotLoad) {
  std::string text = n7_text();
  const size_t at = text.find("  source:");
  text.erase(at, text.find('\n', at) - at + 1);
  const Result<Technology> technology = load_text(text);
  ASSERT_FALSE(technology.ok());
  EXPECT_EQ(technology.diags()[0].code, "E1301");
  EXPECT_THAT(technology.diags()[0].message, ::testing::HasSubstr("mac_int8"));
}

TEST(Technology, AnotherUnitIsRefused) {
  const Result<Technology> technology = load_text(replaced(n7_text(), "unit: um2", "unit: mm2"));
  ASSERT_FALSE(technology.ok());
  EXPECT_EQ(technology.diags()[0].code, "E1302");
}

TEST(Technology, NegativeZeroAndUnknownAreRefused) {
  EXPECT_FALSE(load_text(replaced(n7_text(), "value: 50", "value: -50")).ok());
  EXPECT_FALSE(load_text(replaced(n7_text(), "value: 50", "value: 0")).ok());
  EXPECT_FALSE(load_text(replaced(n7_text(), "mac_int8:", "mac_int9:")).ok());
  EXPECT_FALSE(load_text(replaced(n7_text(), "bank_KiB: 8,", "bank_KiB: 4,")).ok());
}

TEST(Technology, AssumedFiguresSaySo) {
  const Technology technology = n7();
  EXPECT_TRUE(technology.weight_port_um2_per_byte.assumed());
  EXPECT_FALSE(technology.hbm_stack_mm2.assumed());
}

}  // namespace
}  // namespace lockstep::metrics
