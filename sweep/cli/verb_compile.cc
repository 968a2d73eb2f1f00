#include <fmt/format.h>

#include "hw/base/file_io.h"
#include "hw/isa/binary.h"
#include "hw/isa/text.h"
#include "sweep/cli/inputs.h"
#include "sweep/cli/result_table.h"
#include "sweep/cli/verbs.h"

namespace lockstep::sweep {

namespace {

std::vector<Cell> summary_row(const pipeline::Compiled& compiled) {
  const auto words = static_cast<int64_t>(compiled.program.code.size());
  return {compiled.gemm.name,
          compiled.gemm.m,
          compiled.gemm.n,
          compiled.gemm.k,
          words,
          static_cast<double>(compiled.vmem_bytes) / 1024.0,
          compiled.program.hbm_bytes,
          compiled.cost.cycles,
          compiled.bounds.lower_bound(),
          std::string(compiled.bounds.limiter()),
          compiled.candidates,
          ir::print(compiled.schedule)};
}

/// FOLDER/OP.lkt (text) and FOLDER/OP.lkb (binary).
std::vector<Diag> write_program(const std::string& folder, const pipeline::Compiled& compiled) {
  const std::string stem = fmt::format("{}/{}", folder, compiled.gemm.name);
  if (auto problem = write_file_atomic(stem + ".lkt", isa::print_program(compiled.program))) return {*problem};
  const Result<std::vector<uint8_t>> image = isa::encode_program(compiled.program);
  if (!image.ok()) return image.diags();
  const std::string bytes(image->begin(), image->end());
  if (auto problem = write_file_atomic(stem + ".lkb", bytes)) return {*problem};
  return {};
}

}  // namespace

int run_compile(const CommandLine& command, Context& context) {
  const Result<std::vector<ChipInput>> chips = load_chips(command, context);
  const Result<std::vector<ir::Workload>> workloads = load_workloads(command, context);
  context.console.report(chips.diags());
  context.console.report(workloads.diags());
  if (!chips.ok() || !workloads.ok()) return kExitUsage;
  ResultTable table{{"op", "m", "n", "k", "words", "vmem_KiB", "hbm_B", "estimated_cycles", "lower_bound_cycles",
                     "lower_bound_by", "candidates", "schedule"},
                    {}};
  int exit = kExitOk;
  for (const ir::Workload& workload : *workloads) {
    for (const ir::Gemm& gemm : workload.gemms) {
      const Result<pipeline::CompileOutcome> outcome = compile_gemm(gemm, chips->front(), command.workload.reduced);
      if (!outcome.ok()) {
        context.console.report(outcome.diags());
        return kExitUsage;
      }
      if (const auto* infeasible = std::get_if<ir::Infeasible>(&*outcome)) {
        context.console.report(does_not_fit(gemm, chips->front(), *infeasible));
        exit = kExitInfeasible;
        continue;
      }
      const auto& compiled = std::get<pipeline::Compiled>(*outcome);
      table.add(summary_row(compiled));
      if (command.common.output.empty()) continue;
      if (const std::vector<Diag> diags = write_program(command.common.output, compiled); !diags.empty()) {
        context.console.report(diags);
        return kExitUsage;
      }
    }
  }
  context.console.result(render(table, command.common.format));
  return exit;
}

}  // namespace lockstep::sweep
