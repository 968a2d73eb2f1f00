#include "sweep/runner/evaluate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "compiler/ir/text.h"
#include "hw/metrics/area.h"
#include "hw/metrics/utilization.h"

namespace lockstep::sweep {

namespace {

double milliseconds(int64_t cycles, const chip::ChipSpec& chip) {
  return static_cast<double>(cycles) / (chip.clock_MHz * 1000.0);
}

Cell count_cell(uint64_t value) { return static_cast<int64_t>(value); }

/// Evaluates the workloads of one point and fills its record.
class PointEvaluation {
 public:
  PointEvaluation(const SweepSpec& sweep, const PointConfig& config, double peak_bytes_per_cycle, GemmCache& cache,
                  TrialRecord& record)
      : sweep_(sweep), config_(config), peak_(peak_bytes_per_cycle), cache_(cache), record_(record) {}

  /// False when a product is infeasible or failed; the record then says which and why.
  bool run() {
    for (const SweepWorkload& entry : sweep_.workloads) {
      WorkloadTotals totals;
      for (const ir::Gemm& gemm : entry.workload.gemms) {
        if (!run_gemm(entry, gemm, totals)) return false;
      }
      finish_workload(entry, totals);
    }
    return true;
  }

  void add_metrics() {
    CellRow& row = record_.metrics;
    row.insert(row.end(), latencies_.begin(), latencies_.end());
    const metrics::Counters& c = all_.counters;
    const metrics::Utilization use = metrics::utilization_of(config_.chip, all_.cycles, c, peak_);
    row.emplace_back("latency_ms", weighted_ms_);
    row.emplace_back("cycles", all_.cycles);
    row.emplace_back("hbm_read_B", count_cell(c.hbm_read_bytes));
    row.emplace_back("hbm_write_B", count_cell(c.hbm_write_bytes));
    row.emplace_back("hbm_bus_B", count_cell(c.hbm_bus_bytes));
    row.emplace_back("macs", count_cell(c.macs));
    row.emplace_back("mxu_busy_pct", use.mxu_busy_pct);
    row.emplace_back("mxu_util_pct", use.mxu_util_pct);
    row.emplace_back("hbm_util_pct", use.hbm_util_pct);
    row.emplace_back("hbm_peak_GBps", peak_ * config_.chip.clock_MHz / 1000.0);
    row.emplace_back("vmem_peak_KiB", static_cast<double>(all_.vmem_peak_bytes) / 1024.0);
    const auto largest = std::max_element(bound_ms_.begin(), bound_ms_.end());
    const auto bound = static_cast<metrics::Bound>(largest - bound_ms_.begin());
    row.emplace_back("bound", std::string(metrics::bound_word(bound)));
  }

 private:
  bool run_gemm(const SweepWorkload& entry, const ir::Gemm& gemm, WorkloadTotals& totals) {
    const std::shared_ptr<const GemmOutcome> outcome = cache_.evaluate(gemm, config_.chip, config_.knobs);
    if (outcome->state != TrialState::kComplete) {
      record_.state = outcome->state;
      record_.reason = fmt::format("{}.{}: {}", entry.name, gemm.name, outcome->reason);
      return false;
    }
    totals.add(*outcome, gemm.count);
    const metrics::Utilization use =
        metrics::utilization_of(config_.chip, outcome->cycles, outcome->counters, peak_);
    const double ms = milliseconds(outcome->cycles * gemm.count, config_.chip);
    bound_ms_[static_cast<size_t>(use.bound)] += entry.weight * ms;
    add_layer(entry, gemm, *outcome, use);
    return true;
  }

  void add_layer(const SweepWorkload& entry, const ir::Gemm& gemm, const GemmOutcome& outcome,
                 const metrics::Utilization& use) {
    const ir::Schedule& s = outcome.schedule;
    record_.layers.push_back({{"workload", entry.name},
                              {"op", gemm.name},
                              {"m", gemm.m},
                              {"n", gemm.n},
                              {"k", gemm.k},
                              {"count", gemm.count},
                              {"cycles", outcome.cycles},
                              {"ideal_cycles", outcome.bounds.ideal_cycles},
                              {"hbm_read_B", count_cell(outcome.counters.hbm_read_bytes)},
                              {"hbm_write_B", count_cell(outcome.counters.hbm_write_bytes)},
                              {"mxu_busy_pct", use.mxu_busy_pct},
                              {"mxu_util_pct", use.mxu_util_pct},
                              {"hbm_util_pct", use.hbm_util_pct},
                              {"vmem_peak_KiB", static_cast<double>(outcome.vmem_bytes) / 1024.0},
                              {"tile_m", s.tm},
                              {"tile_n", s.tn},
                              {"tile_k", s.tk},
                              {"buffers", int64_t{s.weight_buffers}},
                              {"bound", std::string(metrics::bound_word(use.bound))}});
  }

  void finish_workload(const SweepWorkload& entry, const WorkloadTotals& totals) {
    const double ms = milliseconds(totals.cycles, config_.chip);
    weighted_ms_ += entry.weight * ms;
    latencies_.emplace_back(fmt::format("latency_{}_ms", entry.name), ms);
    GemmOutcome whole;
    whole.cycles = totals.cycles;
    whole.counters = totals.counters;
    whole.vmem_bytes = totals.vmem_peak_bytes;
    all_.add(whole, 1);
  }

  const SweepSpec& sweep_;
  const PointConfig& config_;
  double peak_;
  GemmCache& cache_;
  TrialRecord& record_;
  WorkloadTotals all_;
  CellRow latencies_;
  double weighted_ms_ = 0;
  std::array<double, 6> bound_ms_{};  // weighted time by limiter, indexed by metrics::Bound
};

void add_area(const chip::ChipSpec& chip, const metrics::Technology& technology, CellRow& row) {
  const metrics::AreaReport report = metrics::area_of(chip, technology);
  for (const metrics::AreaComponent& part : report.components) row.emplace_back(std::string(part.name), part.mm2);
  row.emplace_back("area_mm2", report.total_mm2());
}

/// A point that breaks a constraint keeps its metrics and leaves the front.
void apply_constraints(const SweepSpec& sweep, TrialRecord& record) {
  for (const Constraint& constraint : sweep.constraints) {
    const double value = cell_number(find_cell(record.metrics, constraint.metric), 0);
    if (constraint.at_most ? value <= constraint.limit : value >= constraint.limit) continue;
    record.state = TrialState::kInfeasible;
    record.reason = fmt::format("constraint: {} is not met by {}", constraint.text, value);
    return;
  }
}

}  // namespace

void WorkloadTotals::add(const GemmOutcome& outcome, int64_t count) {
  const auto times = static_cast<uint64_t>(count);
  cycles += outcome.cycles * count;
  vmem_peak_bytes = std::max(vmem_peak_bytes, outcome.vmem_bytes);
  const metrics::Counters& c = outcome.counters;
  counters.words += c.words * times;
  for (size_t e = 0; e < c.engines.size(); ++e) {
    counters.engines[e].instrs += c.engines[e].instrs * times;
    counters.engines[e].busy_cycles += c.engines[e].busy_cycles * times;
  }
  counters.hbm_read_bytes += c.hbm_read_bytes * times;
  counters.hbm_write_bytes += c.hbm_write_bytes * times;
  counters.hbm_bus_bytes += c.hbm_bus_bytes * times;
  counters.read_bursts += c.read_bursts * times;
  counters.write_bursts += c.write_bursts * times;
  counters.macs += c.macs * times;
}

std::string point_id(const SweepSpec& sweep, const PointConfig& config, TechnologyLibrary& technologies,
                     const std::string& tool_version) {
  std::string text;
  for (const std::string& name : parameter_names()) {
    text += fmt::format("{}={}\n", name, parameter_text(config.chip, config.knobs, name));
  }
  for (const Constraint& constraint : sweep.constraints) text += fmt::format("constraint {}\n", constraint.text);
  if (const auto technology = technologies.find(config.chip.technology); technology.ok()) text += (*technology)->text;
  std::string work;
  for (const SweepWorkload& entry : sweep.workloads) {
    work += fmt::format("{} {} {}\n", entry.name, entry.weight, ir::print(entry.workload));
  }
  return trial_id(text, work, tool_version);
}

TrialRecord evaluate_point(const SweepSpec& sweep, int64_t point, std::string id, GemmCache& cache,
                           TechnologyLibrary& technologies, const MemoryPeak& memory_peak) {
  const PointConfig config = config_at(sweep, point);
  TrialRecord record;
  record.id = std::move(id);
  record.point = point;
  const auto fail = [&record](TrialState state, std::string reason) {
    record.state = state;
    record.reason = std::move(reason);
    return record;
  };
  if (!config.infeasible.empty()) return fail(TrialState::kInfeasible, config.infeasible);
  const auto technology = technologies.find(config.chip.technology);
  if (!technology.ok()) return fail(TrialState::kFailed, reason_of(technology.diags()));
  const Result<double> peak = memory_peak(config.chip);
  if (!peak.ok()) return fail(TrialState::kInfeasible, reason_of(peak.diags()));

  PointEvaluation evaluation(sweep, config, *peak, cache, record);
  if (evaluation.run()) evaluation.add_metrics();
  else record.layers.clear();
  add_area(config.chip, **technology, record.metrics);
  if (record.state == TrialState::kComplete) apply_constraints(sweep, record);
  return record;
}

}  // namespace lockstep::sweep
