#include "compiler/ir/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::ir {
namespace {

using ::testing::HasSubstr;

std::string errors_of(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += format_diag(diag);
  return out;
}

Gemm gemm(const char* name, int64_t m, int64_t n, int64_t k, int64_t count, SourceLoc loc) {
  Gemm g;
  g.name = name;
  g.m = m;
  g.n = n;
  g.k = k;
  g.count = count;
  g.loc = std::move(loc);
  return g;
}

TEST(IrText, PrintsAndParsesRoundTrip) {
  Workload w{"llama-3.1-8b.decode", 32, {gemm("q", 8, 4096, 4096, 1, {"a \"b\\.json", 3, 5}), gemm("qk.0", 4, 2048, 128, 64, {"m.json", 0, 0})}};
  const std::string text = print(w);
  const auto back = parse(text, "x.lir");
  ASSERT_TRUE(back.ok()) << errors_of(back.diags());
  EXPECT_EQ(*back, w);
  EXPECT_EQ(print(*back), text);
}

TEST(IrText, AGemmWithoutALocationIsLocatedAtItsOwnLine) {
  const auto w = parse("workload w { # comment\n  gemm a 1 x 2 x 3 : int8 -> int32\n}\n", "x.lir");
  ASSERT_TRUE(w.ok()) << errors_of(w.diags());
  EXPECT_EQ(w->gemms[0].loc, (SourceLoc{"x.lir", 2, 3}));
}

TEST(IrText, SyntaxErrorsSayWhatWasExpectedAndWhere) {
  const auto errors = [](const char* text) { return errors_of(parse(text, "x.lir").diags()); };
  EXPECT_EQ(errors("workload w {\n  gemm a 1 x 2 y 3 : int8 -> int32\n}\n"), "x.lir:2:16: error[E1010]: expected 'x', got 'y'\n");
  EXPECT_THAT(errors("workload w {"), HasSubstr("expected 'gemm', got the end of the file"));
  EXPECT_THAT(errors("workload w { gemm a 1 x 2 x 99999999999 : int8 -> int32 }"), HasSubstr("expected a number"));
  EXPECT_THAT(errors("workload w { gemm a 1 x 2 x 3 : int8 -> fp8 }"), HasSubstr("expected a type"));
  EXPECT_THAT(errors("workload w { gemm a 1 x 2 x 3 : int32 -> int32 }"), HasSubstr("E1005"));
  EXPECT_THAT(errors("workload w { gemm a 1 x 2 x 3 : int8 -> int32 loc \"unfinished\n }"), HasSubstr("E1010"));
  EXPECT_THAT(errors("workload w { } trailing"), HasSubstr("expected the end of the file"));
}

TEST(IrVerify, RefusesProductsThatOverflow) {
  DiagSink sink;
  verify(gemm("huge", kMaxExtent, kMaxExtent, kMaxReduction, 1, {}), sink);
  EXPECT_THAT(errors_of(sink.diags()), HasSubstr("E1003"));
}

}  // namespace
}  // namespace lockstep::ir
