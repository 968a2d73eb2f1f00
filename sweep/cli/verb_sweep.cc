#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "hw/base/file_io.h"
#include "sweep/cli/front_summary.h"
#include "sweep/cli/result_table.h"
#include "sweep/cli/verbs.h"
#include "sweep/runner/sweep_runner.h"
#include "sweep/runner/tables.h"
#include "sweep/runner/verify.h"

namespace lockstep::sweep {

namespace {

constexpr std::chrono::seconds kLogInterval{5};
constexpr std::chrono::milliseconds kRedrawInterval{200};

Result<SweepSpec> load(const CommandLine& command) {
  std::vector<OverrideText> overrides;
  for (const Override& set : command.common.overrides) overrides.emplace_back(set.key, set.value);
  return load_sweep(command.files.front(), overrides);
}

/// Progress lines at most as often as the terminal or a log wants them.
class ProgressPrinter {
 public:
  ProgressPrinter(Console& console, std::string name) : console_(console), name_(std::move(name)) {}

  void operator()(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    const auto interval = console_.style().err_is_tty ? std::chrono::duration_cast<std::chrono::milliseconds>(kRedrawInterval)
                                                      : std::chrono::duration_cast<std::chrono::milliseconds>(kLogInterval);
    if (progress.done < progress.total && now - last_ < interval) return;
    last_ = now;
    console_.progress(progress_line(name_, progress));
  }

 private:
  Console& console_;
  std::string name_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class SweepRun {
 public:
  SweepRun(const CommandLine& command, Context& context, const SweepSpec& sweep)
      : command_(command),
        context_(context),
        sweep_(sweep),
        folder_(command.common.output.empty() ? "results/" + sweep.name : command.common.output),
        technologies_(context.find_folder("configs/technology")) {}

  int run() {
    if (const auto technology = technologies_.find(sweep_.base.spec.technology); !technology.ok()) {
      context_.console.report(technology.diags());
      return kExitUsage;
    }
    Result<TrialStore> store =
        TrialStore::open({folder_, manifest_json(sweep_, context_.version), command_.common.force});
    if (!store.ok()) return fail(store.diags(), kExitUsage);
    if (auto problem = write_file_atomic(folder_ + "/config.resolved.yaml", resolved_config(sweep_, false))) {
      return fail({*problem}, kExitUsage);
    }
    Result<SweepOutcome> outcome = run_trials(*store);
    if (!outcome.ok()) return fail(outcome.diags(), kExitSimulationFailed);
    outcome_ = *std::move(outcome);
    log_outcome();
    if (outcome_.interrupted) return kExitInterrupted;
    pareto_ = mark_pareto(sweep_, outcome_.trials);
    if (const int code = write_tables(); code != kExitOk) return code;  // the RTL may take long, or be stopped
    if (const int code = verify(*store); code != kExitOk) return code;
    if (!rtl_.empty()) {
      if (const int code = write_tables(); code != kExitOk) return code;
    }
    print_result();
    return exit_code();
  }

 private:
  int fail(const std::vector<Diag>& diags, int code) {
    context_.console.report(diags);
    return code;
  }

  Result<SweepOutcome> run_trials(TrialStore& store) {
    RunnerOptions options;
    options.jobs = command_.common.jobs > 0 ? command_.common.jobs
                                            : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.timeout_s = command_.common.timeout_s;
    options.tool_version = context_.version;
    options.interrupted = context_.interrupted;
    options.progress = ProgressPrinter(context_.console, sweep_.name);
    return run_sweep(sweep_, store, context_.targets, technologies_, options);
  }

  void log_outcome() {
    const Progress& p = outcome_.progress;
    context_.console.log(fmt::format("{}: {} of {} points in {:.1f} s ({} from earlier runs), {} distinct products "
                                     "evaluated, {} infeasible, {} failed", sweep_.name, p.done, p.total, p.elapsed_s,
                                     p.resumed, outcome_.evaluations, p.infeasible, p.failed));
    if (outcome_.interrupted || outcome_.timed_out) {
      context_.console.log("stopped early: the same command goes on where this one ended", 0);
    }
  }

  int verify(TrialStore& store) {
    if (!sweep_.verify.enabled || outcome_.timed_out) return kExitOk;
    if (!context_.targets.rtl) {
      context_.console.log("rtl: not built: " + context_.targets.rtl_missing, 0);
      return kExitOk;
    }
    VerifyOptions options;
    options.interrupted = context_.interrupted;
    options.log = [this](const std::string& line) { context_.console.log(line); };
    Result<std::vector<RtlRecord>> records = verify_on_rtl(
        sweep_, outcome_.trials, select_for_rtl(sweep_, outcome_.trials, pareto_), store, context_.targets, options);
    if (!records.ok()) return fail(records.diags(), kExitSimulationFailed);
    rtl_ = *std::move(records);
    return context_.interrupted->load() ? kExitInterrupted : kExitOk;
  }

  int write_tables() {
    rows_ = result_rows(sweep_, outcome_.trials, pareto_, rtl_);
    const std::vector<Column> columns = sweep_columns(sweep_);
    std::vector<std::pair<const char*, std::string>> files = {{"results.csv", results_csv(columns, rows_)},
                                                              {"layers.csv", layers_csv(outcome_.trials)},
                                                              {"columns.json", columns_json(columns)}};
    if (!outcome_.times.empty()) files.emplace_back("host_timings.csv", host_timings_csv(outcome_.times));
    for (const auto& [name, text] : files) {
      if (auto problem = write_file_atomic(folder_ + "/" + name, text)) return fail({*problem}, kExitUsage);
    }
    return kExitOk;
  }

  void print_result() {
    const Format format = command_.common.format;
    if (format == Format::kText) {
      context_.console.result(front_summary(sweep_, outcome_.trials, pareto_, rows_));
      context_.console.result(fmt::format("\n{}/results.csv: {} rows\n", folder_, rows_.size()));
      return;
    }
    ResultTable table;
    for (const Column& column : sweep_columns(sweep_)) table.columns.push_back(column.name);
    table.rows = rows_;
    context_.console.result(render(table, format));
  }

  int exit_code() const {
    if (outcome_.timed_out || outcome_.progress.failed > 0) return kExitPartialSweep;
    if (outcome_.progress.infeasible == outcome_.progress.total) return kExitInfeasible;
    const bool agrees = std::all_of(rtl_.begin(), rtl_.end(), [](const RtlRecord& record) {
      return cell_text(find_cell(record.cells, "rtl_check")) == "equal";
    });
    return agrees ? kExitOk : kExitCheckFailed;
  }

  const CommandLine& command_;
  Context& context_;
  const SweepSpec& sweep_;
  std::string folder_;
  TechnologyLibrary technologies_;
  SweepOutcome outcome_;
  std::vector<bool> pareto_;
  std::vector<RtlRecord> rtl_;
  std::vector<std::vector<Cell>> rows_;
};

/// Points, statically impossible points and axes, without evaluating anything.
ResultTable plan_table(const SweepSpec& sweep) {
  int64_t impossible = 0;
  for (int64_t point = 0; point < sweep.space.points(); ++point) {
    if (!config_at(sweep, point).infeasible.empty()) ++impossible;
  }
  ResultTable table{{"what", "count", "values"}, {}};
  for (const Axis& axis : sweep.space.axes()) {
    const std::string values = axis.same_as ? "same as " + sweep.space.axes()[*axis.same_as].name
                                            : fmt::format("{}", fmt::join(axis.values, " "));
    table.add({axis.name, static_cast<int64_t>(axis.values.size()), values});
  }
  table.add({std::string("points"), sweep.space.points(), std::string()});
  table.add({std::string("statically infeasible"), impossible, std::string()});
  int64_t gemms = 0;
  for (const SweepWorkload& entry : sweep.workloads) gemms += static_cast<int64_t>(entry.workload.gemms.size());
  table.add({std::string("GEMMs per point"), gemms, std::string()});
  return table;
}

}  // namespace

int run_sweep_plan(const CommandLine& command, Context& context) {
  const Result<SweepSpec> sweep = load(command);
  context.console.report(sweep.diags());
  if (!sweep.ok()) return kExitUsage;
  if (command.common.print_config) context.console.result(resolved_config(*sweep, true));
  else context.console.result(render(plan_table(*sweep), command.common.format));
  return kExitOk;
}

int run_sweep_verb(const CommandLine& command, Context& context) {
  if (command.common.dry_run || command.common.print_config) return run_sweep_plan(command, context);
  const Result<SweepSpec> sweep = load(command);
  context.console.report(sweep.diags());
  if (!sweep.ok()) return kExitUsage;
  return SweepRun(command, context, *sweep).run();
}

}  // namespace lockstep::sweep
