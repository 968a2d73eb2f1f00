#include "hw/timing/machine_config.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::timing {

namespace {

class Checker {
 public:
  void not_built(bool bad, std::string message) { report("E0912", bad, std::move(message)); }

  void at_least(int value, int low, const char* field) {
    report("E0913", value < low, fmt::format("{} must be at least {}, got {}", field, low, value));
  }

  void report(const char* code, bool bad, std::string message) {
    if (bad) diags_.push_back(error(code, {}, std::move(message)));
  }

  std::vector<Diag>& diags() { return diags_; }

 private:
  std::vector<Diag> diags_;
};

void check_engines(const chip::ChipSpec& chip, Checker& check) {
  const chip::MxuSpec& mxu = chip.mxu;
  check.not_built(mxu.count != 1, fmt::format("mxu.count {} is not built; only 1 is", mxu.count));
  const int k_per_pe = mxu.k_per_pe.int8;
  check.not_built(k_per_pe != 1, fmt::format("mxu.k_per_pe.int8 {} is not built; only 1 is", k_per_pe));
  const int b = mxu.weight_load_rows;
  check.at_least(b, 1, "mxu.weight_load_rows");
  check.at_least(mxu.rows, 1, "mxu.rows");
  check.at_least(mxu.cols, 1, "mxu.cols");
  check.report("E0913", b >= 1 && (mxu.rows % b != 0 || mxu.cols % b != 0),
               fmt::format("mxu.weight_load_rows {} must divide mxu.rows {} and mxu.cols {}", b, mxu.rows, mxu.cols));
  check.at_least(mxu.acc_latency, 2, "mxu.acc_latency");
  check.at_least(chip.vmem.read_latency, 1, "vmem.read_latency");
  const int rows = chip.vpu.rows_per_cycle;
  check.report("E0913", rows != 1 && rows != 2 && rows != 4 && rows != 8,
               fmt::format("vpu.rows_per_cycle must be 1, 2, 4 or 8, got {}", rows));
  check.at_least(chip.vpu.latency.start, 0, "vpu.latency.start");
  check.at_least(chip.queue_depth.ld, 1, "queue_depth.ld");
  check.at_least(chip.queue_depth.st, 1, "queue_depth.st");
  check.at_least(chip.queue_depth.wld, 1, "queue_depth.wld");
  check.at_least(chip.queue_depth.mm, 1, "queue_depth.mm");
  check.at_least(chip.queue_depth.vx, 1, "queue_depth.vx");
}

void check_dma(const chip::ChipSpec& chip, Checker& check) {
  const chip::DmaSpec& dma = chip.dma;
  check.report("E0913", dma.load_queues != 1 && dma.load_queues != 2,
               fmt::format("dma.load_queues must be 1 or 2, got {}", dma.load_queues));
  const std::pair<int, const char*> sizes[] = {{dma.burst_bytes, "dma.burst_bytes"}, {dma.beat_bytes, "dma.beat_bytes"}};
  for (const auto& [bytes, field] : sizes) {
    check.report("E0913", bytes < 1 || bytes > mem::FixedDivider::kMaxDivisor,
                 fmt::format("{} must be in [1, {}], got {}", field, mem::FixedDivider::kMaxDivisor, bytes));
  }
  check.at_least(dma.setup_cycles, 0, "dma.setup_cycles");
  check.at_least(dma.max_outstanding, 1, "dma.max_outstanding");
  check.at_least(dma.quantum, 1, "dma.quantum");
}

}  // namespace

Result<MachineConfig> make_machine_config(const chip::ChipSpec& chip) {
  Checker check;
  check_engines(chip, check);
  check_dma(chip, check);
  Result<mem::DramConfig> dram = mem::make_dram_config(chip);
  if (!dram.ok()) check.diags().insert(check.diags().end(), dram.diags().begin(), dram.diags().end());
  if (!check.diags().empty()) return std::move(check.diags());

  MachineConfig config;
  config.row_blocks = chip.mxu.rows / chip.mxu.weight_load_rows;
  config.col_blocks = chip.mxu.cols / chip.mxu.weight_load_rows;
  config.read_latency = chip.vmem.read_latency;
  config.acc_latency = chip.mxu.acc_latency;
  const int interval = chip::issue_interval(chip);
  config.vx_start_cycles = chip.vpu.latency.start;
  config.vx_load_cycles = std::max(interval, chip.vpu.latency.load);
  config.vx_store_cycles = std::max(interval, chip.vpu.latency.store);
  config.load_queues = chip.dma.load_queues;
  config.burst_bytes = chip.dma.burst_bytes;
  config.beat_bytes = chip.dma.beat_bytes;
  config.setup_cycles = chip.dma.setup_cycles;
  config.max_outstanding = chip.dma.max_outstanding;
  config.quantum = chip.dma.quantum;
  const chip::QueueDepthSpec& depth = chip.queue_depth;
  config.queue_depth = {depth.ld, depth.ld, depth.st, depth.vx, depth.wld, depth.mm};
  config.dram = *dram;
  return config;
}

}  // namespace lockstep::timing
