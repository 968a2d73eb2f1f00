// choose_tiles: enumerate the legal schedules of a GEMM on a chip and rank them by analytic cost.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "compiler/analysis/cost.h"
#include "compiler/ir/gemm.h"
#include "compiler/ir/infeasible.h"
#include "compiler/ir/schedule.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::passes {

/// What the caller fixes; 0 = free.
struct TileRequest {
  int64_t tm = 0;
  int64_t tn = 0;
  int64_t tk = 0;
  int buffers = 3;            // slots of each streamed operand
  bool drain_overlap = true;  // also try two accumulator buffers
  size_t keep = 16;           // schedules returned
};

struct RankedSchedule {
  ir::Schedule schedule;
  analysis::Cost cost;
};

struct TileChoice {
  std::vector<RankedSchedule> ranked;  // best first, at least one
  int64_t legal = 0;                   // schedules compared
  int64_t pruned = 0;                  // schedules that did not fit
};

/// Deterministic. When nothing fits: why the smallest candidate does not.
std::variant<TileChoice, ir::Infeasible> choose_tiles(const ir::Gemm& gemm, const chip::ChipSpec& chip, const TileRequest& request);

}  // namespace lockstep::passes
