#include "compiler/pipeline/compile.h"

#include <algorithm>

#include "compiler/analysis/tiling.h"
#include "compiler/ir/integer_math.h"
#include "compiler/lower/gemm.h"
#include "compiler/passes/check_schedule.h"
#include "compiler/passes/choose_tiles.h"
#include "hw/base/check.h"
#include "hw/isa/verify.h"

namespace lockstep::pipeline {

namespace {

constexpr size_t kKeptSchedules = 16;      // tried in order until one fits the instruction memory
constexpr size_t kEstimatedSchedules = 4;  // compared by the estimator, when there is one
constexpr int64_t kReducedTrips = 3;

/// `total` cut down to at most kReducedTrips pieces of `piece`; a partial last piece stays partial.
int64_t reduced_extent(int64_t total, int64_t piece) {
  const int64_t count = ir::ceil_div(total, piece);
  return count <= kReducedTrips ? total : total - (count - kReducedTrips) * piece;
}

ir::Gemm reduced_gemm(ir::Gemm gemm, const analysis::Tiling& t) {
  gemm.m = reduced_extent(gemm.m, t.m.full);
  gemm.n = reduced_extent(gemm.n, t.n.full * t.cols);
  gemm.k = reduced_extent(gemm.k, t.k.full * t.rows);
  return gemm;
}

CompileOutcome lower_schedule(ir::Gemm gemm, const chip::ChipSpec& chip, const ir::Schedule& schedule, bool reduced) {
  analysis::Tiling tiling = analysis::resolve_tiling(gemm, chip, schedule);
  if (auto why = passes::check_schedule(tiling, chip)) return *why;
  if (reduced) {
    gemm = reduced_gemm(std::move(gemm), tiling);
    tiling = analysis::resolve_tiling(gemm, chip, schedule);
  }
  auto lowered = lower::lower_gemm(gemm.name, tiling, chip);
  if (auto* why = std::get_if<ir::Infeasible>(&lowered)) return std::move(*why);
  Compiled out;
  out.schedule = schedule;
  out.program = std::get<isa::Program>(std::move(lowered));
  const auto report = isa::verify(out.program, chip);  // what the verifier refuses here is a bug of the lowering
  CHECK(report.ok()) << gemm.name << " with " << ir::print(schedule) << ": " << report.diags().front().message;
  out.bounds = analysis::lower_bounds(gemm, chip);
  out.cost = analysis::CostModel(chip).estimate(tiling);
  out.gemm = std::move(gemm);
  out.vmem_bytes = tiling.vmem.bytes;
  out.candidates = 1;
  return out;
}

/// The first schedule that lowers; with an estimator, the fastest of the first few that do.
CompileOutcome lower_best(const ir::Gemm& gemm, const chip::ChipSpec& chip, const passes::TileChoice& choice,
                          analysis::LatencyEstimator* estimator) {
  std::optional<Compiled> best;
  std::optional<int64_t> best_cycles;
  std::optional<ir::Infeasible> first_misfit;
  size_t lowered = 0;
  for (const passes::RankedSchedule& candidate : choice.ranked) {
    CompileOutcome outcome = lower_schedule(gemm, chip, candidate.schedule, false);
    auto* compiled = std::get_if<Compiled>(&outcome);
    if (compiled == nullptr) {
      if (!first_misfit) first_misfit = std::get<ir::Infeasible>(std::move(outcome));
      continue;
    }
    const auto cycles = estimator == nullptr ? std::nullopt : estimator->cycles(compiled->program);
    if (!best || (cycles && (!best_cycles || *cycles < *best_cycles))) {
      best = std::move(*compiled);
      best_cycles = cycles;
    }
    if (estimator == nullptr || ++lowered == kEstimatedSchedules) break;
  }
  if (!best) return *first_misfit;
  best->candidates = choice.legal;
  return *std::move(best);
}

}  // namespace

Result<CompileOutcome> compile(const ir::Gemm& gemm, const chip::ChipSpec& chip, const Knobs& knobs, const CompileOptions& options) {
  DiagSink sink;
  ir::verify(gemm, sink);
  if (sink.has_errors()) return sink.diags();
  if (options.schedule) return lower_schedule(gemm, chip, *options.schedule, options.reduced);

  passes::TileRequest request;
  request.tm = knobs.tm;
  request.tn = knobs.tn;
  request.tk = knobs.tk;
  request.buffers = static_cast<int>(knobs.buffers);
  request.drain_overlap = knobs.drain_overlap;
  request.keep = kKeptSchedules;
  auto chosen = passes::choose_tiles(gemm, chip, request);
  if (auto* why = std::get_if<ir::Infeasible>(&chosen)) return CompileOutcome(std::move(*why));
  CompileOutcome full = lower_best(gemm, chip, std::get<passes::TileChoice>(chosen), options.estimator);
  const auto* compiled = std::get_if<Compiled>(&full);
  if (compiled == nullptr || !options.reduced) return full;
  return lower_schedule(gemm, chip, compiled->schedule, true);
}

}  // namespace lockstep::pipeline
