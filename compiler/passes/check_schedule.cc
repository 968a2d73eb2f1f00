#include "compiler/passes/check_schedule.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/isa/program.h"

namespace lockstep::passes {

namespace {

std::optional<ir::Infeasible> check_extents(const analysis::Tiling& t, const chip::ChipSpec& chip) {
  const ir::Schedule& s = t.schedule;
  const int64_t quantum = analysis::slice_quantum(chip);
  if (t.k.count > 1 && t.k.full % quantum != 0) {
    return ir::Infeasible{"tile", fmt::format("tk = {} must be a multiple of {}: {} array rows of int8 against granules of {} B",
                                              s.tk, quantum, t.rows, chip.dma.granule_bytes)};
  }
  if (t.m.count > 1 && t.m.full % t.row_pad != 0) {
    return ir::Infeasible{"tile", fmt::format("tm = {} must be a multiple of {}: output rows of {} B against granules of {} B",
                                              s.tm, t.row_pad, t.cols * 4, chip.dma.granule_bytes)};
  }
  if (t.resident() && t.n.full != 1) {
    return ir::Infeasible{"tile", fmt::format("tn = {} must be 1 when activations stay resident", s.tn)};
  }
  const int most = std::max({s.weight_buffers, s.activation_buffers, s.accumulator_buffers, s.output_buffers});
  if (most > isa::kRingMaxModulus) {
    return ir::Infeasible{"ring", fmt::format("{} buffers of one operand; a ring counts to {}", most, isa::kRingMaxModulus)};
  }
  return std::nullopt;
}

std::optional<ir::Infeasible> check_memories(const analysis::Tiling& t, const chip::ChipSpec& chip) {
  if (t.accumulator_rows > chip.mxu.acc_rows) {
    return ir::Infeasible{"acc_rows", fmt::format("{} buffers x {} n tiles x {} rows = {} accumulator rows, mxu.acc_rows is {}",
                                                  t.schedule.accumulator_buffers, t.n.full,
                                                  t.accumulator_rows / (t.schedule.accumulator_buffers * t.n.full),
                                                  t.accumulator_rows, chip.mxu.acc_rows)};
  }
  if (t.vmem.bytes > chip::vmem_bytes(chip)) {
    return ir::Infeasible{"vmem", fmt::format("{}, vmem has {} B", analysis::vmem_breakdown(t), chip::vmem_bytes(chip))};
  }
  const double hbm_bytes = chip.dram.size_GiB * 1073741824.0;
  if (hbm_bytes > 0 && static_cast<double>(t.hbm.bytes) > hbm_bytes) {
    return ir::Infeasible{"hbm", fmt::format("activations {} B + weights {} B + outputs {} B = {} B, dram.size_GiB is {}",
                                             t.hbm.weights - t.hbm.activations, t.hbm.outputs - t.hbm.weights,
                                             t.hbm.bytes - t.hbm.outputs, t.hbm.bytes, chip.dram.size_GiB)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ir::Infeasible> check_schedule(const analysis::Tiling& t, const chip::ChipSpec& chip) {
  if (chip.mxu.count != 1 || chip.mxu.k_per_pe.int8 != 1) {
    return ir::Infeasible{"mxu", fmt::format("mxu.count {} and k_per_pe.int8 {}: only one matrix unit with one product per PE is built",
                                             chip.mxu.count, chip.mxu.k_per_pe.int8)};
  }
  if (auto why = check_extents(t, chip)) return why;
  const int64_t slices = t.schedule.activation_buffers * (t.resident() ? t.k.count : 1);
  if (slices > isa::kSemaphoreMax) {
    return ir::Infeasible{"semaphore", fmt::format("{} resident slices of activations; a semaphore counts to {}", slices, isa::kSemaphoreMax)};
  }
  return check_memories(t, chip);
}

}  // namespace lockstep::passes
