#include <fmt/format.h>

#include "compiler/frontend/huggingface.h"
#include "compiler/frontend/workload_yaml.h"
#include "hw/base/printable.h"
#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"
#include "hw/chip/chip_checks.h"
#include "hw/mem/dram.h"
#include "hw/metrics/area.h"
#include "sweep/cli/chip_config_text.h"
#include "sweep/cli/inputs.h"
#include "sweep/cli/result_table.h"
#include "sweep/cli/verbs.h"
#include "sweep/runner/tables.h"
#include "sweep/runner/technology_library.h"

namespace lockstep::sweep {

namespace {

using Facts = ResultTable;  // columns: file, fact, value, unit

class Check {
 public:
  Check(const CommandLine& command, Context& context) : command_(command), context_(context) {}

  int run() {
    bool ok = true;
    for (const std::string& file : command_.files) ok = check_file(file) && ok;
    if (!ok) return kExitUsage;
    if (!command_.common.print_config) context_.console.result(render(facts_, command_.common.format));
    return kExitOk;
  }

 private:
  void fact(const std::string& file, const char* name, Cell value, const char* unit = "") {
    facts_.add({file, std::string(name), std::move(value), std::string(unit)});
  }

  bool fail(const std::vector<Diag>& diags) {
    context_.console.report(diags);
    return diags.empty();
  }

  bool check_file(const std::string& file) {
    if (file.ends_with(".json")) return check_model(file);
    const Result<YamlDocument> document = read_yaml(file);
    if (!document.ok()) return fail(document.diags());
    const YamlNode* schema = document->root.find("schema");
    const std::string kind = schema != nullptr && schema->is_scalar() ? schema->scalar : "";
    if (kind == "lockstep/chip/v1") return check_chip_file(file);
    if (kind == "lockstep/workload/v1") return check_workload(file);
    if (kind == "lockstep/sweep/v1") return check_sweep(file);
    if (kind == "lockstep/technology/v1") return check_technology(file);
    DiagSink sink;
    MapReader root(document->root, "", sink);
    root.schema({"lockstep/chip/v1", "lockstep/workload/v1", "lockstep/sweep/v1", "lockstep/technology/v1"});
    return fail(sink.diags());
  }

  bool check_chip_file(const std::string& file) {
    CommandLine command = command_;
    command.chips = {file};
    const Result<std::vector<ChipInput>> chips = load_chips(command, context_);
    if (!chips.ok()) return fail(chips.diags());
    const ChipInput& input = chips->front();
    if (command_.common.print_config) {
      context_.console.result(chip_config_text(input));
      return true;
    }
    return chip_facts(file, input.file.spec);
  }

  bool chip_facts(const std::string& file, const chip::ChipSpec& spec) {
    const Result<mem::DramConfig> dram = mem::make_dram_config(spec);
    if (!dram.ok()) return fail(dram.diags());
    const double macs = static_cast<double>(spec.mxu.count) * spec.mxu.rows * spec.mxu.cols;
    fact(file, "chip", spec.name);
    fact(file, "array", fmt::format("{} x {}x{}", spec.mxu.count, spec.mxu.rows, spec.mxu.cols), "PEs");
    fact(file, "peak", macs * spec.clock_MHz / 1e6, "TMAC/s int8");
    fact(file, "weight_port", int64_t{spec.mxu.count} * spec.mxu.weight_load_rows * spec.mxu.cols, "B/cycle");
    fact(file, "vmem_line", int64_t{chip::line_bytes(spec)}, "B");
    fact(file, "dram_nominal", dram->nominal_bytes_per_cycle * spec.clock_MHz / 1000, "GB/s");
    fact(file, "dram_effective", dram->effective_bytes_per_cycle * spec.clock_MHz / 1000, "GB/s");
    fact(file, "dram_effective_per_cycle", dram->effective_bytes_per_cycle, "B/cycle");
    fact(file, "dram_ticks", int64_t{dram->ticks_per_cycle}, "ticks/cycle");
    fact(file, "dram_stripe", dram->stripe_bytes, "B");
    fact(file, "timing_hash", fmt::format("{:016x}", chip::timing_hash(spec)));
    TechnologyLibrary technologies(context_.find_folder("configs/technology"));
    const auto technology = technologies.find(spec.technology);
    if (!technology.ok()) return fail(technology.diags());
    const metrics::AreaReport area = metrics::area_of(spec, **technology);
    for (const auto& part : area.components) facts_.add({file, std::string(part.name), part.mm2, std::string("mm2")});
    fact(file, "area_mm2", area.total_mm2(), "mm2");
    return true;
  }

  void workload_facts(const std::string& file, const ir::Workload& workload) {
    fact(file, "workload", workload.name);
    for (const ir::Gemm& gemm : workload.gemms) {
      facts_.add({file, gemm.name, fmt::format("{} x {} x {} x {}", gemm.m, gemm.n, gemm.k, gemm.count),
                  std::string("M x N x K x count")});
    }
    fact(file, "macs", ir::total_macs(workload));
  }

  bool check_workload(const std::string& file) {
    const Result<ir::Workload> workload = frontend::read_workload(file);
    if (!workload.ok()) return fail(workload.diags());
    workload_facts(file, *workload);
    return true;
  }

  /// A model without a request: one prefill token shows that every field is understood.
  bool check_model(const std::string& file) {
    const Result<ir::Workload> workload = frontend::read_model(file, frontend::ModelRequest{});
    if (!workload.ok()) return fail(workload.diags());
    workload_facts(file, *workload);
    return true;
  }

  bool check_sweep(const std::string& file) {
    std::vector<OverrideText> overrides;
    for (const Override& set : command_.common.overrides) overrides.emplace_back(set.key, set.value);
    const Result<SweepSpec> sweep = load_sweep(file, overrides);
    if (!sweep.ok()) return fail(sweep.diags());
    if (command_.common.print_config) {
      context_.console.result(resolved_config(*sweep, true));
      return true;
    }
    fact(file, "sweep", sweep->name);
    fact(file, "points", sweep->space.points());
    fact(file, "axes", static_cast<int64_t>(sweep->space.axes().size()));
    for (const SweepWorkload& entry : sweep->workloads) workload_facts(file, entry.workload);
    return true;
  }

  bool check_technology(const std::string& file) {
    const Result<metrics::Technology> technology = metrics::load_technology(file);
    if (!technology.ok()) return fail(technology.diags());
    const metrics::Technology& t = *technology;
    fact(file, "technology", t.name);
    const std::pair<const char*, const metrics::TechNumber*> numbers[] = {
        {"mac_int8", &t.mac_int8},
        {"sram_mm2_per_MiB", &t.sram_mm2_per_MiB},
        {"vmem_bank_KiB", &t.vmem_bank_KiB},
        {"accumulator_bank_KiB", &t.accumulator_bank_KiB},
        {"accumulator_port_factor", &t.accumulator_port_factor},
        {"weight_port_um2_per_byte", &t.weight_port_um2_per_byte},
        {"hbm_stack_mm2", &t.hbm_stack_mm2},
        {"hbm_stack_GBps", &t.hbm_stack_GBps}};
    for (const auto& [name, number] : numbers) {
      facts_.add({file, std::string(name), number->value, number->unit + (number->assumed() ? " (assumed)" : "")});
    }
    return true;
  }

  const CommandLine& command_;
  Context& context_;
  Facts facts_{{"file", "fact", "value", "unit"}, {}};
};

}  // namespace

int run_check(const CommandLine& command, Context& context) { return Check(command, context).run(); }

}  // namespace lockstep::sweep
