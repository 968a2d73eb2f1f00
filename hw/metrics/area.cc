#include "hw/metrics/area.h"

#include <algorithm>

#include "hw/base/check.h"

namespace lockstep::metrics {

namespace {

constexpr double kUm2PerMm2 = 1e6;
constexpr double kMiB = 1024.0 * 1024.0;

/// Efficiency in percent of a bank of `bank_KiB`, piecewise linear in the size: no logarithm, so that the figure is the
/// same on every machine (NUM-2).
double bank_efficiency_percent(const Technology& technology, double bank_KiB) {
  const auto& table = technology.bank_efficiency;
  if (bank_KiB <= table.front().bank_KiB) return table.front().percent;
  for (size_t i = 1; i < table.size(); ++i) {
    if (bank_KiB > table[i].bank_KiB) continue;
    const BankEfficiency& low = table[i - 1];
    const BankEfficiency& high = table[i];
    const double t = (bank_KiB - low.bank_KiB) / (high.bank_KiB - low.bank_KiB);
    return low.percent + t * (high.percent - low.percent);
  }
  return table.back().percent;
}

double mac_mm2(const chip::ChipSpec& chip, const Technology& technology) {
  const double macs = static_cast<double>(chip.mxu.count) * chip.mxu.rows * chip.mxu.cols * chip.mxu.k_per_pe.int8;
  return macs * technology.mac_int8.value / kUm2PerMm2;
}

double vmem_mm2(const chip::ChipSpec& chip, const Technology& technology) {
  const auto bytes = static_cast<double>(chip::vmem_bytes(chip));
  return sram_mm2(technology, bytes, std::min(bytes, technology.vmem_bank_KiB.value * 1024.0));
}

double accumulator_mm2(const chip::ChipSpec& chip, const Technology& technology) {
  const double bytes = 4.0 * chip.mxu.cols * chip.mxu.acc_rows * chip.mxu.count;
  const double bank_bytes = std::min(bytes, technology.accumulator_bank_KiB.value * 1024.0);
  return technology.accumulator_port_factor.value * sram_mm2(technology, bytes, bank_bytes);
}

/// A WLD moves b rows of C int8 elements a cycle (MXU-4).
double weight_port_mm2(const chip::ChipSpec& chip, const Technology& technology) {
  const double bytes_per_cycle =
      static_cast<double>(chip.mxu.count) * chip.mxu.weight_load_rows * chip.mxu.cols * chip.mxu.k_per_pe.int8;
  return bytes_per_cycle * technology.weight_port_um2_per_byte.value / kUm2PerMm2;
}

double hbm_mm2(const chip::ChipSpec& chip, const Technology& technology) {
  const double GBps = chip::dram_bytes_per_cycle(chip) * chip.clock_MHz / 1000.0;
  return GBps / technology.hbm_stack_GBps.value * technology.hbm_stack_mm2.value;
}

}  // namespace

double sram_mm2(const Technology& technology, double bytes, double bank_bytes) {
  CHECK(!technology.bank_efficiency.empty()) << technology.name;
  const double reference_percent = technology.bank_efficiency.back().percent;
  const double percent = bank_efficiency_percent(technology, bank_bytes / 1024.0);
  return bytes / kMiB * technology.sram_mm2_per_MiB.value * (reference_percent / percent);
}

double AreaReport::total_mm2() const {
  double total = 0;
  for (const AreaComponent& component : components) total += component.mm2;
  return total;
}

AreaReport area_of(const chip::ChipSpec& chip, const Technology& technology) {
  return {{{
      {"area_mac_mm2", "multiply-accumulate elements of every MXU with their registers", mac_mm2(chip, technology)},
      {"area_vmem_mm2", "VMEM", vmem_mm2(chip, technology)},
      {"area_accumulator_mm2", "accumulators, in two-port banks", accumulator_mm2(chip, technology)},
      {"area_weight_port_mm2", "weight loading port, weight_load_rows x cols bytes a cycle",
       weight_port_mm2(chip, technology)},
      {"area_hbm_mm2", "HBM PHY and controller, in proportion to the peak bandwidth", hbm_mm2(chip, technology)},
  }}};
}

}  // namespace lockstep::metrics
