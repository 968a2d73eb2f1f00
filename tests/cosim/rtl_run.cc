#include "tests/cosim/rtl_run.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/golden/golden.h"
#include "hw/sysc/rtl_target.h"
#include "hw/timing/timing_target.h"

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

namespace {

/// The result of a run, or a problem line and nothing.
std::optional<target::RunResult> run_one(target::Target& on, const isa::Program& program, target::MemoryImage& image,
                                         const target::RunOptions& options, Agreement& agreement) {
  Result<target::RunResult> result = on.run(program, image, options);
  if (!result) {
    agreement.problems.push_back(fmt::format("{} refused: {}", on.name(), result.diags().front().message));
    return std::nullopt;
  }
  if (result->fault) {
    agreement.problems.push_back(fmt::format("{} fault {} tag {} cycle {}: {}", on.name(), result->fault->code,
                                             result->fault->tag, result->fault->cycle, result->fault->detail));
  }
  return std::move(*result);
}

}  // namespace

Agreement run_trio(const isa::Program& program, const chip::ChipSpec& chip, target::Target& rtl,
                   const target::MemoryImage& image, target::RunOptions options) {
  options.record_events = true;
  Agreement agreement;
  golden::GoldenTarget golden(chip);
  timing::TimingTarget model(chip);
  target::MemoryImage expected = image;
  target::MemoryImage actual = image;
  target::MemoryImage none;
  const auto golden_result = run_one(golden, program, expected, options, agreement);
  const auto model_result = run_one(model, program, none, options, agreement);
  const auto rtl_result = run_one(rtl, program, actual, options, agreement);
  if (!golden_result || !model_result || !rtl_result || !agreement.problems.empty()) return agreement;
  if (std::string diff = diff_images(expected, actual); !diff.empty()) agreement.problems.push_back("data: " + diff);
  for (std::string& line : target::diff_events(model_result->events, rtl_result->events)) {
    agreement.problems.push_back("events (model, rtl): " + line);
  }
  if (model_result->cycles != rtl_result->cycles) {
    agreement.problems.push_back(fmt::format("cycles: model {}, rtl {}", model_result->cycles, rtl_result->cycles));
  }
  if (model_result->counters != rtl_result->counters) agreement.problems.push_back("counters of model and rtl differ");
  agreement.cycles = rtl_result->cycles;
  for (const auto& records : rtl_result->events.instrs) agreement.instrs += records.size();
  for (const auto& records : rtl_result->events.bursts) agreement.bursts += records.size();
  return agreement;
}

}  // namespace lockstep::testcosim
