#include "sweep/cli/gemm_report.h"

#include <gtest/gtest.h>

#include "sweep/cli/result_table.h"

namespace lockstep::sweep {
namespace {

ir::Gemm gemm(int64_t m, int64_t k, int64_t n) {
  ir::Gemm g;
  g.m = m;
  g.k = k;
  g.n = n;
  return g;
}

// Published cycles of SCALE-Sim for GPT-2 small and Llama-3-8B layers, 512 tokens.
TEST(ScaleSim, WeightStationaryFormGivesItsReportedCycles) {
  EXPECT_EQ(scalesim_ws_cycles(gemm(512, 768, 2304), 128, 128), 96551);
  EXPECT_EQ(scalesim_ws_cycles(gemm(512, 64, 512), 32, 32), 19391);
  EXPECT_EQ(scalesim_ws_cycles(gemm(512, 4096, 4096), 128, 128), 915455);
  EXPECT_EQ(scalesim_ws_cycles(gemm(512, 14336, 4096), 32, 32), 34750463);
}

TEST(ScaleSim, OutputStationaryFormGivesItsReportedCycles) {
  EXPECT_EQ(scalesim_os_cycles(gemm(512, 768, 2304), 128, 128), 73583);
  EXPECT_EQ(scalesim_os_cycles(gemm(512, 64, 512), 128, 128), 5087);
  EXPECT_EQ(scalesim_os_cycles(gemm(512, 4096, 4096), 32, 32), 8515583);
}

TEST(ResultTable, CsvIsExactAndTextIsShort) {
  const ResultTable table{{"name", "x"}, {{std::string("a"), 1.0 / 3}, {std::string("b,c"), Cell{}}}};
  EXPECT_EQ(render(table, Format::kCsv), "name,x\na,0.3333333333333333\n\"b,c\",\n");
  EXPECT_EQ(render(table, Format::kText), "name       x\na     0.3333\nb,c\n");
  EXPECT_NE(render(table, Format::kJson).find("\"x\": null"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::sweep
