#include "sweep/cli/gemm_report.h"

#include "hw/metrics/utilization.h"

namespace lockstep::sweep {

namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

Cell count_cell(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

int64_t scalesim_ws_cycles(const ir::Gemm& gemm, int rows, int cols) {
  return ceil_div(gemm.k, rows) * ceil_div(gemm.n, cols) * (gemm.m + 2 * rows + cols - 2) - 1;
}

int64_t scalesim_os_cycles(const ir::Gemm& gemm, int rows, int cols) {
  return ceil_div(gemm.m, rows) * ceil_div(gemm.n, cols) * (gemm.k + rows + cols - 2) - 1;
}

std::vector<std::string> gemm_report_columns() {
  return {"op",           "target",       "m",        "n",          "k",            "count",       "cycles",
          "ideal_cycles", "scalesim_ws_cycles", "scalesim_os_cycles", "mxu_util_pct", "mxu_busy_pct", "hbm_util_pct",
          "hbm_read_B",   "hbm_write_B",  "bound",    "verdict"};
}

std::vector<Cell> gemm_report_row(const std::string& target, const pipeline::Compiled& compiled,
                                  const chip::ChipSpec& chip, double peak_bytes_per_cycle,
                                  const std::optional<TimedRun>& run, const std::string& verdict) {
  const ir::Gemm& gemm = compiled.gemm;
  std::vector<Cell> row = {gemm.name, target, gemm.m, gemm.n, gemm.k, gemm.count};
  const bool has_time = run && run->cycles > 0;
  row.push_back(has_time ? Cell{run->cycles} : Cell{});
  row.push_back(compiled.bounds.ideal_cycles);
  row.push_back(scalesim_ws_cycles(gemm, chip.mxu.rows, chip.mxu.cols));
  row.push_back(scalesim_os_cycles(gemm, chip.mxu.rows, chip.mxu.cols));
  if (has_time) {
    const metrics::Utilization use = metrics::utilization_of(chip, run->cycles, run->counters, peak_bytes_per_cycle);
    row.insert(row.end(), {use.mxu_util_pct, use.mxu_busy_pct, use.hbm_util_pct});
    row.insert(row.end(), {count_cell(run->counters.hbm_read_bytes), count_cell(run->counters.hbm_write_bytes)});
    row.push_back(std::string(metrics::bound_word(use.bound)));
  } else {
    row.insert(row.end(), 6, Cell{});
  }
  row.push_back(verdict);
  return row;
}

}  // namespace lockstep::sweep
