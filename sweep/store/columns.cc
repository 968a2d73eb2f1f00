#include "sweep/store/columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep::sweep {

namespace {

nlohmann::ordered_json table_json(const std::vector<Column>& columns) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Column& column : columns) {
    nlohmann::ordered_json entry = {
        {"name", column.name}, {"unit", column.unit}, {"sentence", column.sentence}, {"better", nullptr}};
    if (!column.better.empty()) entry["better"] = column.better;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

const std::vector<Column>& metric_columns() {
  static const std::vector<Column> kColumns = {
      {"latency_ms", "ms", "time of all workloads, each multiplied by its weight", "lower"},
      {"cycles", "cycles", "core cycles of all workloads, each counted once", "lower"},
      {"hbm_read_B", "B", "useful bytes read from HBM by all workloads", "lower"},
      {"hbm_write_B", "B", "useful bytes written to HBM by all workloads", "lower"},
      {"hbm_bus_B", "B", "bytes of the HBM column accesses made, padding included", "lower"},
      {"macs", "", "multiply-accumulates of all workloads, M x N x K of every GEMM", ""},
      {"mxu_busy_pct", "%", "share of cycles in which the matrix units are occupied by an instruction", "higher"},
      {"mxu_util_pct", "%", "multiply-accumulates done, of those the arrays could do in the same cycles", "higher"},
      {"hbm_util_pct", "%", "useful HBM bytes, of those the memory could move in the same cycles at its peak; at most 100", "higher"},
      {"hbm_peak_GBps", "GB/s", "HBM peak after rounding to core-clock ticks", "higher"},
      {"vmem_peak_KiB", "KiB", "largest VMEM use of any GEMM's schedule", "lower"},
      {"area_mac_mm2", "mm2", "area of the multiply-accumulate elements", "lower"},
      {"area_vmem_mm2", "mm2", "area of VMEM", "lower"},
      {"area_accumulator_mm2", "mm2", "area of the accumulators", "lower"},
      {"area_weight_port_mm2", "mm2", "area of the weight loading port (its coefficient is assumed)", "lower"},
      {"area_hbm_mm2", "mm2", "area of HBM PHY and controller", "lower"},
      {"area_mm2", "mm2", "sum of the area columns; vector unit, sequencer and DMA are not counted", "lower"},
      {"bound", "", "what limits most of the weighted time: compute, hbm, weight_load, vector, dispatch or latency", ""},
  };
  return kColumns;
}

const std::vector<Column>& verdict_columns() {
  static const std::vector<Column> kColumns = {
      {"state", "", "complete, infeasible or failed", ""},
      {"reason", "", "code and detail of an infeasible or failed point", ""},
      {"exact", "", "1 when the cycles are those of the RTL by contract, 0 when flagged as not exact", "higher"},
      {"pareto", "", "1 when no other complete point is better in every objective", "higher"},
      {"rtl_scope", "", "what ran on RTL: full = the whole schedule, reduced = its tile counts cut to at most 3 a loop", ""},
      {"rtl_cycles", "cycles", "cycles of the RTL over the programs of rtl_scope", ""},
      {"model_cycles_rtl_image", "cycles", "cycles of the model on the same program images; must equal rtl_cycles", ""},
      {"rtl_check", "", "equal when RTL gave the model's cycles and events and the bits of the functional reference", ""},
  };
  return kColumns;
}

const std::vector<Column>& layer_columns() {
  static const std::vector<Column> kColumns = {
      {"point", "", "index of the point in the space", ""},
      {"workload", "", "name of the workload", ""},
      {"op", "", "name of the GEMM", ""},
      {"m", "", "rows of the activations and the output", ""},
      {"n", "", "columns of the weights and the output", ""},
      {"k", "", "inner dimension", ""},
      {"count", "", "how often the workload runs it", ""},
      {"cycles", "cycles", "cycles of one run of it", "lower"},
      {"ideal_cycles", "cycles", "M x N x K divided by the multiply-accumulates per cycle, rounded up", ""},
      {"hbm_read_B", "B", "useful bytes one run reads from HBM", "lower"},
      {"hbm_write_B", "B", "useful bytes one run writes to HBM", "lower"},
      {"mxu_busy_pct", "%", "share of its cycles in which the matrix units are occupied", "higher"},
      {"mxu_util_pct", "%", "multiply-accumulates done, of those the arrays could do in its cycles", "higher"},
      {"hbm_util_pct", "%", "useful HBM bytes, of those the memory could move in its cycles; at most 100", "higher"},
      {"vmem_peak_KiB", "KiB", "VMEM its schedule uses", "lower"},
      {"tile_m", "", "rows of an output tile", ""},
      {"tile_n", "", "columns of an output tile", ""},
      {"tile_k", "", "depth of a tile", ""},
      {"buffers", "", "buffers per operand stream", ""},
      {"bound", "", "what limits it: compute, hbm, weight_load, vector, dispatch or latency", ""},
  };
  return kColumns;
}

Column workload_latency_column(const std::string& workload) {
  return {fmt::format("latency_{}_ms", workload), "ms", fmt::format("time of workload {}, run once", workload), "lower"};
}

std::vector<Column> result_columns(const std::vector<Column>& axes, const std::vector<std::string>& workloads) {
  std::vector<Column> columns = {{"point", "", "index of the point in the space, the last axis varies fastest", ""}};
  columns.insert(columns.end(), axes.begin(), axes.end());
  for (const std::string& workload : workloads) columns.push_back(workload_latency_column(workload));
  columns.insert(columns.end(), metric_columns().begin(), metric_columns().end());
  columns.insert(columns.end(), verdict_columns().begin(), verdict_columns().end());
  return columns;
}

std::string columns_json(const std::vector<Column>& results) {
  const nlohmann::ordered_json json = {{"results.csv", table_json(results)}, {"layers.csv", table_json(layer_columns())}};
  return json.dump(2) + "\n";
}

}  // namespace lockstep::sweep
