#include "compiler/passes/choose_tiles.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "compiler/analysis/tiling.h"
#include "compiler/ir/integer_math.h"
#include "compiler/passes/check_schedule.h"

namespace lockstep::passes {

namespace {

using analysis::Tiling;
using ir::Activations;
using ir::Schedule;
using ir::ceil_div;
using ir::round_up;

/// Schedules whose estimates differ by less than 1 in this many are taken as equally fast.
constexpr int64_t kTieShare = 100;

/// Divides [1, total] evenly: the pieces of 1, 2, 3, 4, 6, 8, 12, ... cuts, in multiples of `quantum`, up to `limit`.
std::set<int64_t> even_pieces(int64_t total, int64_t quantum, int64_t limit) {
  std::set<int64_t> pieces;
  const auto add = [&](int64_t piece) {
    piece = piece >= total ? total : round_up(piece, quantum);
    if (piece <= limit) pieces.insert(piece);
  };
  for (int64_t cuts = 1; cuts <= total; cuts *= 2) {
    add(ceil_div(total, cuts));
    if (cuts > 1) add(ceil_div(total, cuts + cuts / 2));
  }
  for (int64_t piece = quantum; piece < total && piece <= limit; piece *= 2) add(piece);
  return pieces;
}

/// The largest `keep` values.
std::vector<int64_t> largest(const std::set<int64_t>& values, size_t keep) {
  std::vector<int64_t> out(values.rbegin(), values.rend());
  if (out.size() > keep) out.resize(keep);
  return out;
}

class Search {
 public:
  Search(const ir::Gemm& gemm, const chip::ChipSpec& chip, const TileRequest& request)
      : gemm_(gemm),
        chip_(chip),
        request_(request),
        cost_(chip),
        k_tiles_(ceil_div(gemm.k, chip.mxu.rows)),
        n_tiles_(ceil_div(gemm.n, chip.mxu.cols)) {}

  std::variant<TileChoice, ir::Infeasible> run() {
    for (int accumulator_buffers = request_.drain_overlap ? 2 : 1; accumulator_buffers >= 1; --accumulator_buffers) {
      const int64_t rows = chip_.mxu.acc_rows / accumulator_buffers;
      for (const int64_t tn : tile_n_candidates(rows)) {
        for (const int64_t tm : row_candidates(rows / tn)) consider_depths(tm, tn, accumulator_buffers);
      }
    }
    if (choice_.ranked.empty()) return why_nothing_fits();
    rank();
    if (choice_.ranked.size() > request_.keep) choice_.ranked.resize(request_.keep);
    return std::move(choice_);
  }

 private:
  /// Profitability: among the schedules within kTieShare of the fastest, the estimate cannot tell which is faster, so
  /// the one that moves fewer bytes comes first; then the rest by cycles.
  void rank() {
    int64_t best = INT64_MAX;
    for (const RankedSchedule& r : choice_.ranked) best = std::min(best, r.cost.cycles);
    const int64_t tied = best + best / kTieShare;
    const auto key = [tied](const RankedSchedule& r) {
      const Schedule& s = r.schedule;
      const bool slow = r.cost.cycles > tied;
      return std::tuple(slow, slow ? 0 : r.cost.hbm_read_bytes, r.cost.cycles, r.cost.hbm_read_bytes, s.tn,
                        s.activation_buffers, s.tk, s.tm);
    };
    std::stable_sort(choice_.ranked.begin(), choice_.ranked.end(),
                     [&](const RankedSchedule& a, const RankedSchedule& b) { return key(a) < key(b); });
  }

  std::vector<int64_t> tile_n_candidates(int64_t acc_rows) const {
    if (request_.tn > 0) return {std::min(request_.tn, n_tiles_)};
    return largest(even_pieces(n_tiles_, 1, std::max<int64_t>(1, acc_rows / analysis::output_row_pad(chip_))), 64);
  }

  std::vector<int64_t> row_candidates(int64_t acc_rows) const {
    if (request_.tm > 0) return {std::min(request_.tm, gemm_.m)};
    const int64_t pad = analysis::output_row_pad(chip_);
    std::set<int64_t> rows = even_pieces(gemm_.m, pad, acc_rows / pad * pad);
    if (acc_rows >= pad && acc_rows < gemm_.m) rows.insert(acc_rows / pad * pad);
    return largest(rows, 6);
  }

  void consider_depths(int64_t tm, int64_t tn, int accumulator_buffers) {
    const std::vector<int64_t> depths = request_.tk > 0
        ? std::vector<int64_t>{std::min(request_.tk, k_tiles_)}
        : largest(even_pieces(k_tiles_, analysis::slice_quantum(chip_), k_tiles_), 64);
    for (const int64_t tk : depths) {
      Schedule s;
      s.tm = tm;
      s.tn = tn;
      s.tk = tk;
      s.weight_buffers = request_.buffers;
      s.accumulator_buffers = accumulator_buffers;
      s.output_buffers = std::min(request_.buffers, 2);
      s.activations = Activations::kStreamed;
      s.activation_buffers = request_.buffers;
      consider(s);
      if (tn != 1) continue;
      s.activations = Activations::kResident;
      s.activation_buffers = 1;
      consider(s);
      if (tm >= gemm_.m || request_.buffers == 1) continue;
      s.activation_buffers = 2;
      consider(s);
    }
  }

  void consider(const Schedule& schedule) {
    const Tiling tiling = analysis::resolve_tiling(gemm_, chip_, schedule);
    if (auto why = check_schedule(tiling, chip_)) {
      ++choice_.pruned;
      if (!smallest_misfit_ || tiling.vmem.bytes < smallest_bytes_) {
        smallest_misfit_ = std::move(why);
        smallest_bytes_ = tiling.vmem.bytes;
      }
      return;
    }
    ++choice_.legal;
    choice_.ranked.push_back({schedule, cost_.estimate(tiling)});
  }

  ir::Infeasible why_nothing_fits() const {
    if (smallest_misfit_) return *smallest_misfit_;
    return {"acc_rows", "mxu.acc_rows holds no tile of outputs"};
  }

  const ir::Gemm& gemm_;
  const chip::ChipSpec& chip_;
  const TileRequest& request_;
  analysis::CostModel cost_;
  int64_t k_tiles_;
  int64_t n_tiles_;
  TileChoice choice_;
  std::optional<ir::Infeasible> smallest_misfit_;
  int64_t smallest_bytes_ = 0;
};

}  // namespace

std::variant<TileChoice, ir::Infeasible> choose_tiles(const ir::Gemm& gemm, const chip::ChipSpec& chip, const TileRequest& request) {
  return Search(gemm, chip, request).run();
}

}  // namespace lockstep::passes
