// The order in which a schedule visits its tiles, and how far a position is ahead of another.
//
//   step = one weight slice of one n tile: (m block, n block, k slice, n tile in block), last fastest
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/analysis/tiling.h"
#include "compiler/lower/code.h"

namespace lockstep::lower {

struct Position {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t tile_n = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// The position `steps` steps later; nothing beyond the last.
std::optional<Position> advance(const analysis::Tiling& tiling, Position at, int64_t steps);

/// The first step of the slice `slices` k slices later; nothing beyond the last.
std::optional<Position> advance_slices(const analysis::Tiling& tiling, Position at, int64_t slices);

/// Makes the code of one step. Addresses are written in the indices of `at`, so that the code of two steps that play
/// the same part is equal.
class StepEmitter {
 public:
  virtual ~StepEmitter() = default;
  virtual Code step(const Position& at) const = 0;
};

/// All steps in order as one rolled tree. `reach` is the largest number of steps or slices that a step's code looks
/// ahead: only the first index of a range and the last reach + 1 can differ from their neighbours.
Code roll_steps(const analysis::Tiling& tiling, const StepEmitter& emitter, int64_t reach);

}  // namespace lockstep::lower
