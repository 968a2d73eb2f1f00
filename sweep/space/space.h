// The points of a sweep as an indexable object: point index -> one value per axis, a pure function.
//
// Axes vary like digits of a number, the last axis fastest. An axis that follows another (`same_as`) has no digit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/source_loc.h"

namespace lockstep::sweep {

struct Axis {
  std::string name;                  // "chip.mxu.rows", "compiler.pipelining.buffers"
  std::vector<std::string> values;   // canonical texts; empty for a follower
  std::optional<size_t> same_as;     // index of the axis whose value this one takes
  SourceLoc loc;
};

class Space {
 public:
  /// A follower may name an axis before or behind it, but not another follower (CHECK).
  explicit Space(std::vector<Axis> axes);

  const std::vector<Axis>& axes() const { return axes_; }

  /// Product of the axes' sizes, 1 without axes, INT64_MAX when it does not fit 63 bits.
  int64_t points() const { return points_; }

  /// One text per axis, in axis order (0 <= point < points()).
  std::vector<std::string> values_at(int64_t point) const;

 private:
  std::vector<Axis> axes_;
  int64_t points_ = 1;
};

}  // namespace lockstep::sweep
