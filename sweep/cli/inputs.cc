#include "sweep/cli/inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/frontend/huggingface.h"
#include "compiler/frontend/workload_yaml.h"
#include "hw/base/printable.h"
#include "hw/chip/chip_checks.h"
#include "sweep/space/sweep_spec.h"

namespace lockstep::sweep {

namespace {

void append(const std::vector<Diag>& diags, DiagSink& sink) {
  for (const Diag& diag : diags) sink.report(diag);
}

void apply_overrides(const CommandLine& command, ChipInput& input, DiagSink& sink) {
  for (const Override& set : command.common.overrides) {
    auto problem = set_parameter(input.file.spec, input.knobs, set.key, set.value, {});
    if (problem) {
      sink.report(*std::move(problem));
      continue;
    }
    constexpr std::string_view kPrefix = "chip.";
    if (set.key.rfind(kPrefix, 0) == 0) input.file.origins[set.key.substr(kPrefix.size())] = SourceLoc{};
  }
  append(chip::check_chip(input.file.spec, input.file.origins), sink);
}

constexpr char kLayersFolder[] = "workloads/layers";
constexpr char kModelsFolder[] = "workloads/models";

/// A path, a layers file by name, or a model by name.
Result<std::string> find_workload(const std::string& name, const Context& context) {
  if (name.ends_with(".json")) return context.find_named(name, {{kModelsFolder, ".json"}});
  return context.find_named(name, {{kLayersFolder, ".yaml"}, {kModelsFolder, ".json"}});
}

Result<ir::Workload> read_one(const std::string& name, const WorkloadChoice& choice, const Context& context) {
  const Result<std::string> path = find_workload(name, context);
  if (!path.ok()) return path.diags();
  if (!path->ends_with(".json")) {
    if (!choice.has_request()) return frontend::read_workload(*path);
    return error("E1104", {}, fmt::format("--phase, --batch, --sequence and --context are of a model, {} is a layers file",
                                          quote_text(name)));
  }
  frontend::ModelRequest request;
  const bool is_decode = choice.phase == "decode";
  const bool complete = !choice.phase.empty() && (is_decode ? choice.context > 0 : choice.sequence > 0);
  if (!complete) {
    return error("E1105", {}, fmt::format("{} is a model: it needs --phase prefill --sequence N, or --phase decode "
                                          "--context N", quote_text(name)));
  }
  request.phase = *frontend::phase_of(choice.phase);
  request.batch = choice.batch;
  request.sequence = choice.sequence > 0 ? choice.sequence : 1;
  request.context = choice.context;
  return frontend::read_model(*path, request);
}

ir::Workload single_gemm(const GemmShape& shape) {
  ir::Workload workload;
  workload.name = fmt::format("gemm_{}_{}_{}", shape.m, shape.n, shape.k);
  ir::Gemm gemm;
  gemm.name = "gemm";
  gemm.m = shape.m;
  gemm.n = shape.n;
  gemm.k = shape.k;
  workload.gemms.push_back(std::move(gemm));
  return workload;
}

/// Keeps only the product called `op`.
void keep_op(const std::string& op, std::vector<ir::Workload>& workloads, DiagSink& sink) {
  std::vector<std::string> names;
  bool found = false;
  for (ir::Workload& workload : workloads) {
    for (const ir::Gemm& gemm : workload.gemms) names.push_back(gemm.name);
    std::erase_if(workload.gemms, [&](const ir::Gemm& gemm) { return gemm.name != op; });
    found = found || !workload.gemms.empty();
  }
  if (found) return;
  const std::string near = nearest_name(op, names);
  const std::string hint = near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
  sink.report(error("E1107", {}, fmt::format("the workload has no op {}{}", quote_text(op), hint),
                    {fmt::format("it has {}", join_list(names))}));
}

}  // namespace

Result<std::vector<ChipInput>> load_chips(const CommandLine& command, Context& context) {
  std::vector<ChipInput> chips;
  DiagSink sink;
  for (const std::string& name : command.chips) {
    const Result<std::string> path = context.find_named(name, {{"configs/chips", ".yaml"}});
    append(path.diags(), sink);
    if (!path.ok()) continue;
    Result<chip::ChipFile> file = chip::parse_chip(*path);
    append(file.diags(), sink);
    if (!file.ok()) continue;
    ChipInput& input = chips.emplace_back();
    input.file = *std::move(file);
    apply_overrides(command, input, sink);
  }
  if (sink.has_errors()) return sink.diags();
  for (const ChipInput& input : chips) context.console.report(chip::chip_warnings(input.file.spec, input.file.origins));
  return chips;
}

Result<std::vector<ir::Workload>> load_workloads(const CommandLine& command, const Context& context) {
  std::vector<ir::Workload> workloads;
  DiagSink sink;
  if (command.workload.gemm) workloads.push_back(single_gemm(*command.workload.gemm));
  for (const std::string& name : command.workload.files) {
    Result<ir::Workload> workload = read_one(name, command.workload, context);
    append(workload.diags(), sink);
    if (workload.ok()) workloads.push_back(*std::move(workload));
  }
  for (const ir::Workload& workload : workloads) ir::verify(workload, sink);
  if (!sink.has_errors() && !command.workload.op.empty()) keep_op(command.workload.op, workloads, sink);
  if (sink.has_errors()) return sink.diags();
  return workloads;
}

Diag does_not_fit(const ir::Gemm& gemm, const ChipInput& chip, const ir::Infeasible& why) {
  std::vector<std::string> notes;
  if (why.code == "vmem" && chip.knobs.buffers > 1) {
    notes.push_back(fmt::format("compiler.pipelining.buffers is {}; fewer slots need less", chip.knobs.buffers));
  }
  return error("E1109", {}, fmt::format("{} does not fit {}: {}: {}", gemm.name, chip.file.spec.name, why.code, why.detail),
               std::move(notes));
}

Result<pipeline::CompileOutcome> compile_gemm(const ir::Gemm& gemm, const ChipInput& chip, bool reduced) {
  pipeline::CompileOptions options;
  Result<pipeline::CompileOutcome> full = pipeline::compile(gemm, chip.file.spec, chip.knobs, options);
  if (!reduced || !full.ok() || !std::holds_alternative<pipeline::Compiled>(*full)) return full;
  options.schedule = std::get<pipeline::Compiled>(*full).schedule;
  options.reduced = true;
  return pipeline::compile(gemm, chip.file.spec, chip.knobs, options);
}

}  // namespace lockstep::sweep
