// Division of non-negative integers by a divisor that is known only at run time but never changes.
// Half a dozen divisions per burst were the dearest arithmetic of the fast model; a multiplication by the rounded-up
// reciprocal takes a fraction of the time.
#pragma once

#include <cstdint>

#include "hw/base/check.h"

namespace lockstep::mem {

class FixedDivider {
 public:
  static constexpr int64_t kMaxDivisor = int64_t{1} << 16;
  static constexpr int64_t kMaxDividend = int64_t{1} << 47;

  /// With M = ceil(2^63 / d) and e = M * d - 2^63 < d, floor(x * M / 2^63) = floor(x / d) as long as x * e < 2^63:
  /// exact for every dividend below kMaxDividend. Powers of two have e = 0.
  explicit FixedDivider(int64_t divisor) : divisor_(divisor) {
    CHECK(divisor >= 1 && divisor <= kMaxDivisor) << divisor;
    const auto d = static_cast<uint64_t>(divisor);
    reciprocal_ = (kOne + d - 1) / d;
  }

  int64_t divisor() const { return divisor_; }

  /// floor(dividend / divisor), 0 <= dividend < kMaxDividend.
  int64_t floor(int64_t dividend) const {
    // Through uint64_t: widening a signed dividend would multiply its sign, too.
    return static_cast<int64_t>(static_cast<Wide>(static_cast<uint64_t>(dividend)) * reciprocal_ >> 63);
  }

  /// ceil(dividend / divisor).
  int64_t ceil(int64_t dividend) const { return floor(dividend + divisor_ - 1); }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr uint64_t kOne = uint64_t{1} << 63;

  int64_t divisor_;
  uint64_t reciprocal_ = 0;
};

}  // namespace lockstep::mem
