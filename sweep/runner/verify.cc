#include "sweep/runner/verify.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "compiler/pipeline/compile.h"
#include "sweep/runner/compare.h"
#include "sweep/runner/gemm_cache.h"

namespace lockstep::sweep {

namespace {

constexpr uint64_t kOperandSeed = 1;

/// The reduced program of `gemm` under the schedule its full compile chooses, or nothing and the reason.
std::optional<isa::Program> reduced_program(const ir::Gemm& gemm, const PointConfig& config, std::string& problem) {
  pipeline::CompileOptions options;
  for (const bool reduced : {false, true}) {
    options.reduced = reduced;
    Result<pipeline::CompileOutcome> outcome = pipeline::compile(gemm, config.chip, config.knobs, options);
    if (!outcome.ok()) {
      problem = reason_of(outcome.diags());
      return std::nullopt;
    }
    auto* compiled = std::get_if<pipeline::Compiled>(&*outcome);
    if (compiled == nullptr) {
      const auto& infeasible = std::get<ir::Infeasible>(*outcome);
      problem = fmt::format("{}: {}", infeasible.code, infeasible.detail);
      return std::nullopt;
    }
    if (reduced) return std::move(compiled->program);
    options.schedule = compiled->schedule;
  }
  return std::nullopt;
}

struct PointCheck {
  int64_t programs = 0;
  int64_t rtl_cycles = 0;
  int64_t model_cycles = 0;
  std::string problem;
};

/// Every distinct product of the workloads once; stops at the first disagreement.
PointCheck check_point(const SweepSpec& sweep, const PointConfig& config, const TargetSet& targets) {
  PointCheck check;
  std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
  for (const SweepWorkload& entry : sweep.workloads) {
    for (const ir::Gemm& gemm : entry.workload.gemms) {
      if (!seen.insert({gemm.m, gemm.n, gemm.k}).second) continue;
      const auto program = reduced_program(gemm, config, check.problem);
      if (program) {
        const Comparison result = targets.compare(*program, kOperandSeed, /*check_product=*/false);
        check.rtl_cycles += result.rtl_cycles;
        check.model_cycles += result.model_cycles;
        check.problem = result.problem;
        ++check.programs;
      }
      if (!check.problem.empty()) {
        check.problem = fmt::format("{}.{}: {}", entry.name, gemm.name, check.problem);
        return check;
      }
    }
  }
  return check;
}

RtlRecord verify_point(const SweepSpec& sweep, const TrialRecord& trial, const TargetFactories& factories) {
  RtlRecord record{trial.id, trial.point, {}};
  const PointConfig config = config_at(sweep, trial.point);
  const Result<TargetSet> targets = TargetSet::open(config.chip, factories);
  if (!targets.ok()) {
    record.cells = {{"rtl_scope", {}}, {"rtl_check", reason_of(targets.diags())}};
    return record;
  }
  const PointCheck check = check_point(sweep, config, *targets);
  record.cells = {{"rtl_scope", std::string("reduced")},
                  {"rtl_cycles", check.rtl_cycles},
                  {"model_cycles_rtl_image", check.model_cycles},
                  {"rtl_check", check.problem.empty() ? std::string("equal") : check.problem}};
  return record;
}

}  // namespace

std::vector<size_t> select_for_rtl(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                   const std::vector<bool>& pareto) {
  std::vector<size_t> front;
  for (size_t i = 0; i < trials.size(); ++i) {
    if (pareto[i]) front.push_back(i);
  }
  const std::string& metric = sweep.objectives.front().metric;
  std::stable_sort(front.begin(), front.end(), [&](size_t a, size_t b) {
    return cell_number(find_cell(trials[a].metrics, metric), 0) < cell_number(find_cell(trials[b].metrics, metric), 0);
  });
  const auto wanted = static_cast<size_t>(sweep.verify.max_trials);
  if (front.size() <= wanted) return front;
  std::vector<size_t> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    // Both ends and what lies evenly between; the middle when only one is wanted.
    const size_t at = wanted == 1 ? front.size() / 2 : i * (front.size() - 1) / (wanted - 1);
    chosen.push_back(front[at]);
  }
  return chosen;
}

Result<std::vector<RtlRecord>> verify_on_rtl(const SweepSpec& sweep, const std::vector<TrialRecord>& trials,
                                             const std::vector<size_t>& chosen, TrialStore& store,
                                             const TargetFactories& targets, const VerifyOptions& options) {
  std::vector<RtlRecord> records;
  for (const size_t index : chosen) {
    const TrialRecord& trial = trials[index];
    const auto& known = store.recorded_rtl();
    const auto found = std::find_if(known.begin(), known.end(), [&](const RtlRecord& r) { return r.id == trial.id; });
    if (found != known.end()) {
      records.push_back(*found);
      continue;
    }
    if (options.interrupted != nullptr && options.interrupted->load()) break;
    RtlRecord record = verify_point(sweep, trial, targets);
    if (options.interrupted != nullptr && options.interrupted->load()) break;
    // A simulator that could not be built says nothing about the point: it is asked again next time.
    const bool ran = !cell_text(find_cell(record.cells, "rtl_scope")).empty();
    std::string why;
    if (ran && !store.append(record, why)) return error("E1214", {}, "cannot write a trial: " + why);
    if (options.log) {
      options.log(fmt::format("rtl: point {}: {}", trial.point, cell_text(find_cell(record.cells, "rtl_check"))));
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace lockstep::sweep
