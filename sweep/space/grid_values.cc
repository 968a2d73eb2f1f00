#include "sweep/space/grid_values.h"

#include <fmt/format.h>

#include "hw/base/check.h"

namespace lockstep::sweep {

namespace {

int64_t count_values(const RangeSpec& range) {
  if (range.scale == Scale::kLinear) {
    const int64_t steps = (range.max - range.min) / range.step;
    return steps == INT64_MAX ? steps : steps + 1;  // saturated: no caller takes that many
  }
  int64_t count = 1;
  for (int64_t value = range.min; value <= range.max / 2; value *= 2) ++count;
  return count;
}

}  // namespace

std::string range_problem(const RangeSpec& range, int64_t max_values) {
  if (range.min < 0) return fmt::format("min must not be negative, got {}", range.min);
  if (range.min > range.max) return fmt::format("min {} is above max {}", range.min, range.max);
  if (range.scale == Scale::kLinear && range.step < 1) return fmt::format("step must be at least 1, got {}", range.step);
  if (range.scale == Scale::kLog2 && range.min < 1) return "a log2 scale needs min of at least 1";
  const int64_t count = count_values(range);
  if (count > max_values) return fmt::format("gives {} values, more than the limit of {}", count, max_values);
  return {};
}

std::vector<int64_t> range_values(const RangeSpec& range) {
  CHECK(range_problem(range, INT64_MAX).empty()) << range_problem(range, INT64_MAX);
  std::vector<int64_t> values;
  const int64_t count = count_values(range);
  int64_t value = range.min;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(value);
    if (i + 1 < count) value = range.scale == Scale::kLinear ? value + range.step : value * 2;
  }
  return values;
}

}  // namespace lockstep::sweep
