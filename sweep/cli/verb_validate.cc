#include <fmt/format.h>

#include "sweep/cli/inputs.h"
#include "sweep/cli/result_table.h"
#include "sweep/cli/verbs.h"
#include "sweep/runner/compare.h"
#include "sweep/runner/gemm_cache.h"

namespace lockstep::sweep {

namespace {

constexpr int64_t kMaxCheckedMacs = int64_t{1} << 30;

class Validation {
 public:
  Validation(const CommandLine& command, Context& context) : command_(command), context_(context) {}

  int run(const std::vector<ChipInput>& chips, const std::vector<ir::Workload>& workloads) {
    if (!context_.targets.rtl) context_.console.log("rtl: not built: " + context_.targets.rtl_missing, 0);
    for (const ChipInput& chip : chips) {
      const Result<TargetSet> targets = TargetSet::open(chip.file.spec, context_.targets);
      if (!targets.ok()) {
        context_.console.report(targets.diags());
        return kExitSimulationFailed;
      }
      for (const ir::Workload& workload : workloads) {
        for (const ir::Gemm& gemm : workload.gemms) {
          if (context_.interrupted->load()) return kExitInterrupted;
          validate(chip, gemm, *targets);
        }
      }
    }
    context_.console.result(render(table_, command_.common.format));
    context_.console.log(fmt::format("validate: {} programs, {} equal, {} different, {} infeasible", table_.rows.size(),
                                     equal_, different_, infeasible_));
    if (different_ > 0) return kExitCheckFailed;
    if (infeasible_ > 0) return kExitInfeasible;
    // Nothing was compared with RTL: that is not a pass.
    return context_.targets.rtl ? kExitOk : kExitCheckFailed;
  }

 private:
  void validate(const ChipInput& chip, const ir::Gemm& gemm, const TargetSet& targets) {
    std::vector<Cell> row = {chip.file.spec.name, gemm.name};
    const Result<pipeline::CompileOutcome> outcome = compile_gemm(gemm, chip, command_.workload.reduced);
    if (!outcome.ok()) return add_unrun(std::move(row), gemm, reason_of(outcome.diags()), different_);
    if (const auto* none = std::get_if<ir::Infeasible>(&*outcome)) {
      return add_unrun(std::move(row), gemm, fmt::format("infeasible: {}: {}", none->code, none->detail), infeasible_);
    }
    const auto& compiled = std::get<pipeline::Compiled>(*outcome);
    const ir::Gemm& actual = compiled.gemm;
    const bool small = actual.m * actual.n * actual.k <= kMaxCheckedMacs;
    const Comparison result = targets.compare(compiled.program, command_.common.seed, small);
    row.insert(row.end(), {actual.m, actual.n, actual.k, result.model_cycles});
    row.push_back(result.ran_rtl ? Cell{result.rtl_cycles} : Cell{});
    row.push_back(result.ran_rtl ? Cell{result.model_cycles - result.rtl_cycles} : Cell{});
    row.push_back(result.agrees ? std::string(result.ran_rtl ? "equal" : "golden equals the product") : result.problem);
    ++(result.agrees ? equal_ : different_);
    table_.add(std::move(row));
    for (const std::string& line : result.differences) context_.console.log("  " + line);
  }

  void add_unrun(std::vector<Cell> row, const ir::Gemm& gemm, std::string verdict, int64_t& counter) {
    row.insert(row.end(), {gemm.m, gemm.n, gemm.k, Cell{}, Cell{}, Cell{}, std::move(verdict)});
    table_.add(std::move(row));
    ++counter;
  }

  const CommandLine& command_;
  Context& context_;
  ResultTable table_{{"chip", "op", "m", "n", "k", "model_cycles", "rtl_cycles", "error_cycles", "verdict"}, {}};
  int64_t equal_ = 0;
  int64_t different_ = 0;
  int64_t infeasible_ = 0;
};

}  // namespace

int run_validate(const CommandLine& command, Context& context) {
  const Result<std::vector<ChipInput>> chips = load_chips(command, context);
  const Result<std::vector<ir::Workload>> workloads = load_workloads(command, context);
  context.console.report(chips.diags());
  context.console.report(workloads.diags());
  if (!chips.ok() || !workloads.ok()) return kExitUsage;
  return Validation(command, context).run(*chips, *workloads);
}

}  // namespace lockstep::sweep
