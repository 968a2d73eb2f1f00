// {min, max, step} and {min, max, scale: log2} as lists of whole numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::sweep {

enum class Scale : uint8_t { kLinear, kLog2 };

struct RangeSpec {
  int64_t min = 0;
  int64_t max = 0;
  int64_t step = 1;  // linear only
  Scale scale = Scale::kLinear;
};

/// Why the range has no grid ("min 8 is above max 4"); empty when it has one. `max_values` bounds the list.
std::string range_problem(const RangeSpec& range, int64_t max_values);

/// min, min + step ... <= max, or min, 2 min, 4 min ... <= max. CHECKs that there is no problem.
std::vector<int64_t> range_values(const RangeSpec& range);

}  // namespace lockstep::sweep
