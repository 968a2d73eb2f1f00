#include "hw/mem/fixed_divider.h"

#include <random>

#include <gtest/gtest.h>

namespace lockstep::mem {
namespace {

TEST(FixedDivider, EqualsTheDivideInstructionAroundMultiplesAndAtTheEnds) {
  std::mt19937_64 rng(20);
  for (int64_t divisor : {1, 2, 3, 5, 7, 9, 48, 63, 64, 96, 100, 1000, 1952, 65535, 65536}) {
    const FixedDivider divider(divisor);
    const int64_t top = FixedDivider::kMaxDividend - divisor;
    for (int trial = 0; trial < 2000; ++trial) {
      const int64_t multiple = static_cast<int64_t>(rng() % static_cast<uint64_t>(top)) / divisor * divisor;
      for (int64_t x : {multiple, multiple + 1, multiple + divisor - 1, multiple > 0 ? multiple - 1 : 0, top}) {
        ASSERT_EQ(divider.floor(x), x / divisor) << x << " / " << divisor;
        ASSERT_EQ(divider.ceil(x), (x + divisor - 1) / divisor) << x << " / " << divisor;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::mem
