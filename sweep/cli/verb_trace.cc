#include <fmt/format.h>

#include "hw/base/file_io.h"
#include "sweep/cli/inputs.h"
#include "sweep/cli/verbs.h"
#include "sweep/report/chrome_trace.h"
#include "sweep/runner/gemm_cache.h"
#include "sweep/runner/operand_image.h"

namespace lockstep::sweep {

namespace {

/// The one program to trace, or an exit code after reporting why there is none.
std::variant<pipeline::Compiled, int> traced_program(const CommandLine& command, Context& context,
                                                     const ChipInput& chip, const std::vector<ir::Workload>& workloads) {
  std::vector<const ir::Gemm*> gemms;
  for (const ir::Workload& workload : workloads) {
    for (const ir::Gemm& gemm : workload.gemms) gemms.push_back(&gemm);
  }
  if (gemms.size() != 1) {
    context.console.report(error("E1105", {}, fmt::format("a trace shows one program, the workload has {}; choose one "
                                                          "with --op", gemms.size())));
    return kExitUsage;
  }
  Result<pipeline::CompileOutcome> outcome = compile_gemm(*gemms.front(), chip, command.workload.reduced);
  if (!outcome.ok()) {
    context.console.report(outcome.diags());
    return kExitUsage;
  }
  if (const auto* infeasible = std::get_if<ir::Infeasible>(&*outcome)) {
    context.console.report(does_not_fit(*gemms.front(), chip, *infeasible));
    return kExitInfeasible;
  }
  return std::get<pipeline::Compiled>(*std::move(outcome));
}

/// Events of one target; nothing after a report.
std::optional<target::RunResult> record(const TargetFactory& factory, const ChipInput& chip, const isa::Program& program,
                                        Context& context) {
  const Result<std::unique_ptr<target::Target>> target = factory(chip.file.spec);
  if (!target.ok()) {
    context.console.report(target.diags());
    return std::nullopt;
  }
  target::MemoryImage image;
  if ((*target)->computes_data()) image = operand_image(program, 1);
  target::RunOptions options;
  options.record_events = true;
  Result<target::RunResult> run = (*target)->run(program, image, options);
  if (!run.ok()) {
    context.console.report(run.diags());
    return std::nullopt;
  }
  if (run->fault) {
    context.console.report(error("E1110", {}, fmt::format("{}: {} in cycle {}: {}", (*target)->name(), run->fault->code,
                                                          run->fault->cycle, run->fault->detail)));
    return std::nullopt;
  }
  return *std::move(run);
}

int write_trace(const CommandLine& command, Context& context, const TraceText& trace) {
  if (trace.cut_cycle >= 0) {
    context.console.report(warning("W1101", {}, fmt::format("the trace is cut at cycle {}: --max-mb {} is reached after "
                                                            "{} slices", trace.cut_cycle, command.trace.max_mb,
                                                            trace.slices)));
  }
  if (command.common.output.empty()) {
    context.console.result(trace.json);
    return kExitOk;
  }
  if (const auto problem = write_file_atomic(command.common.output, trace.json)) {
    context.console.report(*problem);
    return kExitUsage;
  }
  context.console.log(fmt::format("{}: {} slices, {} bytes", command.common.output, trace.slices, trace.json.size()));
  return kExitOk;
}

}  // namespace

int run_trace(const CommandLine& command, Context& context) {
  const Result<std::vector<ChipInput>> chips = load_chips(command, context);
  const Result<std::vector<ir::Workload>> workloads = load_workloads(command, context);
  context.console.report(chips.diags());
  context.console.report(workloads.diags());
  if (!chips.ok() || !workloads.ok()) return kExitUsage;
  if (command.trace.rtl && !context.targets.rtl) {
    context.console.report(error("E1108", {}, "rtl: not built: " + context.targets.rtl_missing));
    return kExitSimulationFailed;
  }
  const ChipInput& chip = chips->front();
  const auto program = traced_program(command, context, chip, *workloads);
  if (const int* code = std::get_if<int>(&program)) return *code;
  const auto& compiled = std::get<pipeline::Compiled>(program);

  const auto model = record(context.targets.model, chip, compiled.program, context);
  std::optional<target::RunResult> rtl;
  if (command.trace.rtl) rtl = record(context.targets.rtl, chip, compiled.program, context);
  if (!model || (command.trace.rtl && !rtl)) return kExitSimulationFailed;
  std::vector<TraceSource> sources;
  if (rtl) sources.push_back({"rtl", &rtl->events});
  sources.push_back({"model", &model->events});
  const TraceOptions options{chip.file.spec.clock_MHz, static_cast<size_t>(command.trace.max_mb) * 1000 * 1000};
  return write_trace(command, context, chrome_trace(compiled.program, sources, options));
}

}  // namespace lockstep::sweep
