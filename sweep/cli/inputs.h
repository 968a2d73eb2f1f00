// Chips and workloads of the verbs that take --chip, --gemm, --workload and --set.
#pragma once

#include <vector>

#include "compiler/ir/gemm.h"
#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_file.h"
#include "sweep/cli/command_line.h"
#include "sweep/cli/context.h"

namespace lockstep::sweep {

struct ChipInput {
  chip::ChipFile file;     // overrides applied
  pipeline::Knobs knobs;   // overrides applied
};

/// Every --chip with every --set; chip warnings go to the console. All errors at once.
Result<std::vector<ChipInput>> load_chips(const CommandLine& command, Context& context);

/// --gemm, or each --workload; with --op only that product (E1107 names the others).
Result<std::vector<ir::Workload>> load_workloads(const CommandLine& command, const Context& context);

/// E1109: a product that its chip has no room for, with what would help.
Diag does_not_fit(const ir::Gemm& gemm, const ChipInput& chip, const ir::Infeasible& why);

/// Compiles under the chip's knobs, for --reduced with the schedule of the full product.
Result<pipeline::CompileOutcome> compile_gemm(const ir::Gemm& gemm, const ChipInput& chip, bool reduced);

}  // namespace lockstep::sweep
