#include "compiler/lower/steps.h"

#include <algorithm>
#include <array>
#include <set>

#include "hw/base/check.h"

namespace lockstep::lower {

namespace {

constexpr std::array<Dim, 4> kStepDims = {Dim::kM, Dim::kN, Dim::kK, Dim::kTileN};

int64_t extent(const analysis::Tiling& t, Dim dim, const Position& at) {
  switch (dim) {
    case Dim::kM: return t.m.count;
    case Dim::kN: return t.n.count;
    case Dim::kK: return t.k.count;
    default: return t.n.extent(at.n);
  }
}

int64_t& coordinate(Position& at, Dim dim) {
  switch (dim) {
    case Dim::kM: return at.m;
    case Dim::kN: return at.n;
    case Dim::kK: return at.k;
    default: return at.tile_n;
  }
}

bool next_slice(const analysis::Tiling& t, Position& at) {
  at.tile_n = 0;
  if (++at.k < t.k.count) return true;
  at.k = 0;
  if (++at.n < t.n.count) return true;
  at.n = 0;
  return ++at.m < t.m.count;
}

class Roller {
 public:
  Roller(const analysis::Tiling& tiling, const StepEmitter& emitter, int64_t reach)
      : tiling_(tiling), emitter_(emitter), reach_(reach) {}

  Code roll(size_t depth, Position at) const {
    if (depth == kStepDims.size()) return emitter_.step(at);
    const Dim dim = kStepDims[depth];
    const int64_t size = extent(tiling_, dim, at);
    std::set<int64_t> cuts = {0, std::min<int64_t>(1, size)};
    for (int64_t i = std::max<int64_t>(0, size - reach_ - 1); i <= size; ++i) cuts.insert(i);
    Code code;
    for (auto begin = cuts.begin(); std::next(begin) != cuts.end(); ++begin) {
      coordinate(at, dim) = *begin;
      append_range(code, dim, *begin, *std::next(begin), roll(depth + 1, at));
    }
    return code;
  }

 private:
  const analysis::Tiling& tiling_;
  const StepEmitter& emitter_;
  int64_t reach_;
};

}  // namespace

std::optional<Position> advance(const analysis::Tiling& tiling, Position at, int64_t steps) {
  for (int64_t i = 0; i < steps; ++i) {
    if (++at.tile_n < tiling.n.extent(at.n)) continue;
    if (!next_slice(tiling, at)) return std::nullopt;
  }
  return at;
}

std::optional<Position> advance_slices(const analysis::Tiling& tiling, Position at, int64_t slices) {
  at.tile_n = 0;
  for (int64_t i = 0; i < slices; ++i) {
    if (!next_slice(tiling, at)) return std::nullopt;
  }
  return at;
}

Code roll_steps(const analysis::Tiling& tiling, const StepEmitter& emitter, int64_t reach) {
  CHECK(reach >= 0) << reach;
  return Roller(tiling, emitter, reach).roll(0, {});
}

}  // namespace lockstep::lower
