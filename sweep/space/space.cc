#include "sweep/space/space.h"

#include <limits>

#include "hw/base/check.h"

namespace lockstep::sweep {

Space::Space(std::vector<Axis> axes) : axes_(std::move(axes)) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const Axis& axis : axes_) {
    if (axis.same_as) {
      CHECK(*axis.same_as < axes_.size() && !axes_[*axis.same_as].same_as) << axis.name;
      continue;
    }
    CHECK(!axis.values.empty()) << axis.name;
    const auto size = static_cast<int64_t>(axis.values.size());
    points_ = points_ > kMax / size ? kMax : points_ * size;
  }
}

std::vector<std::string> Space::values_at(int64_t point) const {
  CHECK(point >= 0 && point < points_) << point << " of " << points_;
  std::vector<std::string> values(axes_.size());
  for (size_t i = axes_.size(); i-- > 0;) {
    if (axes_[i].same_as) continue;
    const auto size = static_cast<int64_t>(axes_[i].values.size());
    values[i] = axes_[i].values[static_cast<size_t>(point % size)];
    point /= size;
  }
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].same_as) values[i] = values[*axes_[i].same_as];
  }
  return values;
}

}  // namespace lockstep::sweep
