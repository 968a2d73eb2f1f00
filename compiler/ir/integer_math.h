// Exact whole-number arithmetic of tile counts and byte counts.
#pragma once

#include <cstdint>

namespace lockstep::ir {

/// Smallest integer >= a / b, for a >= 0 and b > 0.
constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// Smallest multiple of b that is >= a, for a >= 0 and b > 0.
constexpr int64_t round_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }

}  // namespace lockstep::ir
