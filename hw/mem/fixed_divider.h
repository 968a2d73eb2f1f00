// Division of non-negative integers by a divisor that is known only at run time but never changes.
// Three divisions per burst are the dearest arithmetic of the fast model; a multiplication by the rounded-up
// reciprocal takes a quarter of the time.
#pragma once

#include <bit>
#include <cstdint>

#include "hw/base/check.h"

namespace lockstep::mem {

class FixedDivider {
 public:
  /// Exact for every dividend below 2^40 * 2^8 when divisor <= 2^16: with M = ceil(2^64 / d) and
  /// e = M * d - 2^64 < d, floor(x * M / 2^64) = floor(x / d) as long as x * e < 2^64.
  explicit FixedDivider(int64_t divisor) : divisor_(divisor) {
    CHECK(divisor >= 1 && divisor <= kMaxDivisor) << divisor;
    shift_ = std::countr_zero(static_cast<uint64_t>(divisor));
    power_of_two_ = std::has_single_bit(static_cast<uint64_t>(divisor));
    if (!power_of_two_) reciprocal_ = UINT64_MAX / static_cast<uint64_t>(divisor) + 1;
  }

  static constexpr int64_t kMaxDivisor = int64_t{1} << 16;
  static constexpr int64_t kMaxDividend = int64_t{1} << 48;

  int64_t divisor() const { return divisor_; }

  /// floor(dividend / divisor), 0 <= dividend < kMaxDividend.
  int64_t floor(int64_t dividend) const {
    if (power_of_two_) return dividend >> shift_;
    return static_cast<int64_t>((static_cast<Wide>(dividend) * reciprocal_) >> 64);
  }

  /// ceil(dividend / divisor).
  int64_t ceil(int64_t dividend) const { return floor(dividend + divisor_ - 1); }

 private:
  __extension__ using Wide = unsigned __int128;

  int64_t divisor_;
  int shift_ = 0;
  bool power_of_two_ = false;
  uint64_t reciprocal_ = 0;
};

}  // namespace lockstep::mem
