// One line about one GEMM on one target: cycles beside the closed forms, both utilisations, the limiter.
#pragma once

#include <optional>
#include <string>

#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_spec.h"
#include "hw/metrics/counters.h"
#include "sweep/cli/result_table.h"

namespace lockstep::sweep {

/// SCALE-Sim's cycles for C[M,N] = A[M,K] x B[K,N] on an R x C array without memory stalls: its reported total.
/// Weight stationary: ceil(K/R) ceil(N/C) (M + 2R + C - 2) - 1. Output stationary: ceil(M/R) ceil(N/C) (K + R + C - 2) - 1.
int64_t scalesim_ws_cycles(const ir::Gemm& gemm, int rows, int cols);
int64_t scalesim_os_cycles(const ir::Gemm& gemm, int rows, int cols);

/// What a target said about one run.
struct TimedRun {
  int64_t cycles = 0;  // 0: the target has no time
  metrics::Counters counters;
};

/// The columns of `lockstep run`.
std::vector<std::string> gemm_report_columns();

/// A row of them; the last cell is `verdict`.
std::vector<Cell> gemm_report_row(const std::string& target, const pipeline::Compiled& compiled,
                                  const chip::ChipSpec& chip, double peak_bytes_per_cycle,
                                  const std::optional<TimedRun>& run, const std::string& verdict);

}  // namespace lockstep::sweep
