// Units of configuration numbers. A field stores its number in one unit; its text may carry any suffix of the
// same dimension: `vmem.size_KiB: 1MiB` stores 1024.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class Unit { kNone, kCycles, kBytes, kKiB, kGiB, kMHz, kGBps, kNs };

/// A suffix and its size in the field's unit, as numerator / denominator.
struct UnitSuffix {
  std::string_view name;
  int64_t numerator = 1;
  int64_t denominator = 1;
};

/// The suffixes a field stored in `unit` accepts; empty for kNone and kCycles.
const std::vector<UnitSuffix>& unit_suffixes(Unit unit);

/// The unit for prose: "bytes", "MHz", ...; empty for kNone.
std::string_view unit_name(Unit unit);

}  // namespace lockstep
