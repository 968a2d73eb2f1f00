#include <fmt/format.h>

#include "sweep/cli/chip_config_text.h"
#include "sweep/cli/gemm_report.h"
#include "sweep/cli/inputs.h"
#include "sweep/cli/verbs.h"
#include "sweep/runner/compare.h"
#include "sweep/runner/gemm_cache.h"
#include "sweep/runner/operand_image.h"

namespace lockstep::sweep {

namespace {

/// Plain loops over more products than this take longer than the run they check.
constexpr int64_t kMaxCheckedMacs = int64_t{1} << 30;

class RunVerb {
 public:
  RunVerb(const CommandLine& command, Context& context, const ChipInput& chip, double peak)
      : command_(command), context_(context), chip_(chip), peak_(peak) {}

  int run(const std::vector<ir::Workload>& workloads) {
    if (const std::vector<Diag> diags = open_targets(); !diags.empty()) {
      context_.console.report(diags);
      return kExitSimulationFailed;
    }
    for (const ir::Workload& workload : workloads) {
      for (const ir::Gemm& gemm : workload.gemms) {
        if (context_.interrupted->load()) return kExitInterrupted;
        run_gemm(gemm);
      }
    }
    if (!table_.rows.empty() || command_.common.format != Format::kText) {
      context_.console.result(render(table_, command_.common.format));
    }
    return exit_;
  }

 private:
  std::vector<Diag> open_targets() {
    TargetFactories wanted = context_.targets;
    const RunTarget target = command_.target;
    if (target == RunTarget::kBoth || target == RunTarget::kRtl) {
      if (!wanted.rtl) return {error("E1108", {}, "rtl: not built: " + wanted.rtl_missing)};
    } else {
      wanted.rtl = nullptr;
    }
    if (target == RunTarget::kBoth) {
      Result<TargetSet> set = TargetSet::open(chip_.file.spec, wanted);
      if (!set.ok()) return set.diags();
      set_ = *std::move(set);
      return {};
    }
    const TargetFactory& factory = target == RunTarget::kModel ? wanted.model
                                   : target == RunTarget::kRtl ? wanted.rtl
                                                               : wanted.golden;
    Result<std::unique_ptr<target::Target>> made = factory(chip_.file.spec);
    if (!made.ok()) return made.diags();
    single_ = *std::move(made);
    return {};
  }

  void fail(int code) {
    if (exit_ == kExitOk) exit_ = code;
  }

  void run_gemm(const ir::Gemm& gemm) {
    Result<pipeline::CompileOutcome> outcome = compile_gemm(gemm, chip_, command_.workload.reduced);
    if (!outcome.ok()) {
      context_.console.report(outcome.diags());
      return fail(kExitUsage);
    }
    if (const auto* infeasible = std::get_if<ir::Infeasible>(&*outcome)) {
      context_.console.report(does_not_fit(gemm, chip_, *infeasible));
      return fail(kExitInfeasible);
    }
    const auto& compiled = std::get<pipeline::Compiled>(*outcome);
    if (command_.target == RunTarget::kBoth) run_both(compiled);
    else run_single(compiled);
  }

  bool is_checkable(const pipeline::Compiled& compiled) const {
    return compiled.gemm.m * compiled.gemm.n * compiled.gemm.k <= kMaxCheckedMacs;
  }

  void add_row(const std::string& target, const pipeline::Compiled& compiled, const std::optional<TimedRun>& run,
               const std::string& verdict) {
    table_.add(gemm_report_row(target, compiled, chip_.file.spec, peak_, run, verdict));
  }

  void run_both(const pipeline::Compiled& compiled) {
    const Comparison result = set_->compare(compiled.program, command_.common.seed, is_checkable(compiled));
    add_row("model", compiled, TimedRun{result.model_cycles, result.counters}, result.agrees ? "equal" : result.problem);
    if (result.ran_rtl) add_row("rtl", compiled, TimedRun{result.rtl_cycles, result.counters}, "");
    for (const std::string& line : result.differences) context_.console.log(line);
    if (!result.agrees) fail(kExitCheckFailed);
  }

  void run_single(const pipeline::Compiled& compiled) {
    target::MemoryImage image;
    if (single_->computes_data()) image = operand_image(compiled.program, command_.common.seed);
    const std::string name = command_.target == RunTarget::kModel ? "model" : std::string(single_->name());
    const Result<target::RunResult> run = single_->run(compiled.program, image, {});
    if (!run.ok()) {
      context_.console.report(run.diags());
      return fail(kExitSimulationFailed);
    }
    if (run->fault) {
      add_row(name, compiled, std::nullopt, fmt::format("{}: {}", run->fault->code, run->fault->detail));
      return fail(kExitSimulationFailed);
    }
    std::string verdict;
    if (single_->computes_data() && is_checkable(compiled)) {
      std::string why;
      verdict = output_is_product(compiled.program, image, why) ? "equals the product" : why;
      if (!why.empty()) fail(kExitCheckFailed);
    }
    add_row(name, compiled, TimedRun{run->cycles, run->counters}, verdict);
  }

  const CommandLine& command_;
  Context& context_;
  const ChipInput& chip_;
  double peak_;
  std::optional<TargetSet> set_;
  std::unique_ptr<target::Target> single_;
  ResultTable table_{gemm_report_columns(), {}};
  int exit_ = kExitOk;
};

}  // namespace

int run_run(const CommandLine& command, Context& context) {
  const Result<std::vector<ChipInput>> chips = load_chips(command, context);
  const Result<std::vector<ir::Workload>> workloads = load_workloads(command, context);
  context.console.report(chips.diags());
  context.console.report(workloads.diags());
  if (!chips.ok() || !workloads.ok()) return kExitUsage;
  const ChipInput& chip = chips->front();
  if (command.common.print_config) {
    context.console.result(chip_config_text(chip));
    return kExitOk;
  }
  const Result<double> peak = context.targets.memory_peak(chip.file.spec);
  context.console.report(peak.diags());
  if (!peak.ok()) return kExitUsage;
  return RunVerb(command, context, chip, *peak).run(*workloads);
}

}  // namespace lockstep::sweep
