// One GEMM to one program: choose a schedule, lower it, record what was decided.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "compiler/analysis/bounds.h"
#include "compiler/analysis/cost.h"
#include "compiler/analysis/latency_estimator.h"
#include "compiler/ir/gemm.h"
#include "compiler/ir/infeasible.h"
#include "compiler/ir/schedule.h"
#include "compiler/pipeline/knobs.h"
#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::pipeline {

struct Compiled {
  ir::Gemm gemm;              // what the program computes: the request, or its reduced form
  ir::Schedule schedule;      // replays with CompileOptions::schedule
  isa::Program program;       // one of gemm.count products
  analysis::Bounds bounds;    // of `gemm`
  analysis::Cost cost;        // the analytic estimate the choice was made by
  int64_t vmem_bytes = 0;     // VMEM the program addresses
  int64_t candidates = 0;     // legal schedules that were compared
};

struct CompileOptions {
  /// Pinned schedule; it must be legal, else Infeasible. Knobs that choose tiles are then not looked at.
  std::optional<ir::Schedule> schedule;
  /// Same schedule, but each tile loop runs at most 3 times (first, middle, last): for slow targets. The program
  /// computes a smaller product, in Compiled::gemm.
  bool reduced = false;
  /// When given, the best few schedules by analytic cost are lowered and the fastest by this estimate is taken.
  analysis::LatencyEstimator* estimator = nullptr;
};

using CompileOutcome = std::variant<Compiled, ir::Infeasible>;

/// A Diag only for a gemm that ir::verify refuses or a knob that is not built; what does not fit is Infeasible.
Result<CompileOutcome> compile(const ir::Gemm& gemm, const chip::ChipSpec& chip, const Knobs& knobs,
                               const CompileOptions& options = {});

}  // namespace lockstep::pipeline
