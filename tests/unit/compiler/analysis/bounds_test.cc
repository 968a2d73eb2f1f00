#include "compiler/analysis/bounds.h"

#include <gtest/gtest.h>

#include "tests/unit/compiler/test_chips.h"

namespace lockstep::analysis {
namespace {

using compiler_test::edge8;
using compiler_test::tpu128;

ir::Gemm gemm(int64_t m, int64_t n, int64_t k) {
  ir::Gemm g;
  g.name.assign(1, 'g');
  g.m = m;
  g.n = n;
  g.k = k;
  return g;
}

TEST(Bounds, AreTheClosedForms) {
  const Bounds b = lower_bounds(gemm(512, 4096, 4096), tpu128());
  EXPECT_EQ(b.ideal_cycles, 524288);
  EXPECT_EQ(b.compute_cycles, 524288);
  EXPECT_EQ(b.weight_load_cycles, 32 * 32 * 16);
  EXPECT_STREQ(b.limiter(), "compute");
  const Bounds decode = lower_bounds(gemm(1, 129, 129), edge8());
  EXPECT_EQ(decode.compute_cycles, 17 * 17);
  EXPECT_EQ(decode.weight_load_cycles, 17 * 17 * 4);
  EXPECT_EQ(decode.hbm_cycles, (129 + 129 * 129 + 4 * 129 + 7) / 8);
  EXPECT_STREQ(decode.limiter(), "hbm");
}

}  // namespace
}  // namespace lockstep::analysis
