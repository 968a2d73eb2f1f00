#include "sweep/runner/compare.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sweep/runner/gemm_cache.h"
#include "sweep/runner/operand_image.h"

namespace lockstep::sweep {

namespace {

constexpr size_t kShownDifferences = 5;

/// The run of one target, or nothing after writing what went wrong.
std::optional<target::RunResult> run_on(target::Target& target, const isa::Program& program, target::MemoryImage& image,
                                        const target::RunOptions& options, std::string& problem) {
  Result<target::RunResult> run = target.run(program, image, options);
  if (!run.ok()) {
    problem = fmt::format("{}: {}", target.name(), reason_of(run.diags()));
    return std::nullopt;
  }
  if (run->fault) {
    problem = fmt::format("{}: {} in cycle {}: {}", target.name(), run->fault->code, run->fault->cycle, run->fault->detail);
    return std::nullopt;
  }
  return *std::move(run);
}

/// First byte in which two images differ, or empty.
std::string image_difference(const target::MemoryImage& golden, const target::MemoryImage& rtl) {
  if (golden.size() != rtl.size()) return "images of different size";
  const auto [g, r] = std::mismatch(golden.begin(), golden.end(), rtl.begin());
  if (g == golden.end()) return {};
  return fmt::format("HBM byte {} is {:#04x} in RTL, {:#04x} in golden", g - golden.begin(), *r, *g);
}

void compare_time(const target::RunResult& model, const target::RunResult& rtl, Comparison& result) {
  result.differences = target::diff_events(rtl.events, model.events, kShownDifferences);
  if (!result.differences.empty()) result.problem = "events of RTL and model differ";
  else if (rtl.cycles != model.cycles) result.problem = "cycles of RTL and model differ";
  else if (!(rtl.counters == model.counters)) result.problem = "counters of RTL and model differ";
}

}  // namespace

Result<TargetSet> TargetSet::open(const chip::ChipSpec& chip, const TargetFactories& factories) {
  TargetSet set;
  const auto make = [&chip](const TargetFactory& factory, std::shared_ptr<target::Target>& out) -> std::vector<Diag> {
    Result<std::unique_ptr<target::Target>> made = factory(chip);
    if (!made.ok()) return made.diags();
    out = *std::move(made);
    return {};
  };
  if (auto diags = make(factories.model, set.model_); !diags.empty()) return diags;
  if (auto diags = make(factories.golden, set.golden_); !diags.empty()) return diags;
  if (factories.rtl) {
    if (auto diags = make(factories.rtl, set.rtl_); !diags.empty()) return diags;
  }
  return set;
}

Comparison TargetSet::compare(const isa::Program& program, uint64_t seed, bool check_product) const {
  Comparison result;
  target::RunOptions options;
  options.record_events = true;
  const target::MemoryImage start = operand_image(program, seed);

  target::MemoryImage no_data;
  const auto model = run_on(*model_, program, no_data, options, result.problem);
  if (!model) return result;
  result.model_cycles = model->cycles;
  result.counters = model->counters;
  if (model->cycles <= 0) {
    result.problem = "the model reports no cycles";
    return result;
  }

  target::MemoryImage golden_image = start;
  if (!run_on(*golden_, program, golden_image, options, result.problem)) return result;
  if (check_product && !output_is_product(program, golden_image, result.problem)) return result;

  if (rtl_ != nullptr) {
    target::MemoryImage rtl_image = start;
    const auto rtl = run_on(*rtl_, program, rtl_image, options, result.problem);
    if (!rtl) return result;
    result.ran_rtl = true;
    result.rtl_cycles = rtl->cycles;
    result.problem = image_difference(golden_image, rtl_image);
    if (result.problem.empty()) compare_time(*model, *rtl, result);
  }
  result.agrees = result.problem.empty();
  return result;
}

}  // namespace lockstep::sweep
