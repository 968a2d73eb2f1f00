#include "tests/cosim/rtl_run.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/sysc/rtl_target.h"

namespace lockstep::testcosim {

std::unique_ptr<target::Target> rtl_of(const chip::ChipSpec& chip) {
  sysc::RtlOptions options;
  options.timeout_ms = 120'000;
  options.build.progress = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  Result<std::unique_ptr<target::Target>> target = sysc::make_rtl_target(chip, options);
  if (!target) {
    for (const Diag& diag : target.diags()) ADD_FAILURE() << format_diag(diag);
    return nullptr;
  }
  return std::move(*target);
}

target::MemoryImage noise(int64_t bytes, uint64_t seed) {
  target::MemoryImage image(static_cast<size_t>(bytes));
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (uint8_t& byte : image) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<uint8_t>(state >> 56);
  }
  return image;
}

std::string diff_images(const target::MemoryImage& expected, const target::MemoryImage& actual) {
  if (expected.size() != actual.size()) return fmt::format("sizes differ: {} and {}", expected.size(), actual.size());
  const auto [left, right] = std::mismatch(expected.begin(), expected.end(), actual.begin());
  if (left == expected.end()) return {};
  return fmt::format("byte {:#x}: expected {}, got {}", left - expected.begin(), *left, *right);
}

}  // namespace lockstep::testcosim
