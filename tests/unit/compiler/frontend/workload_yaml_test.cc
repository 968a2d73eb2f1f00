#include "compiler/frontend/workload_yaml.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::frontend {
namespace {

using ::testing::HasSubstr;

const std::string kLayers = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/workloads/layers/";

std::string errors_of(const std::string& text) {
  std::string out;
  const auto result = parse_workload(text, "w.yaml");
  for (const Diag& diag : result.diags()) out += format_diag(diag);
  return out;
}

TEST(WorkloadYaml, ShippedFilesLoad) {
  const auto peers = read_workload(kLayers + "peer_shapes.yaml");
  ASSERT_TRUE(peers.ok());
  EXPECT_EQ(peers->name, "peer_shapes");
  ASSERT_EQ(peers->gemms.size(), 15u);
  for (const ir::Gemm& g : peers->gemms) {
    EXPECT_EQ(g.name, fmt::format("m{}_n{}_k{}", g.m, g.n, g.k));
  }
  const auto large = read_workload(kLayers + "gemm_512_4096_4096.yaml");
  ASSERT_TRUE(large.ok());
  EXPECT_EQ(ir::total_macs(*large), int64_t{512} * 4096 * 4096);
}

TEST(WorkloadYaml, RepeatKeepsOneGemmWithACount) {
  const auto w = parse_workload("schema: lockstep/workload/v1\ngemms:\n  - {name: h, M: 4, N: 5, K: 6, repeat: 32}\n", "dir/my w.yaml");
  ASSERT_TRUE(w.ok());
  EXPECT_EQ(w->name, "my_w");
  ASSERT_EQ(w->gemms.size(), 1u);
  EXPECT_EQ(w->gemms[0].count, 32);
  EXPECT_EQ(w->gemms[0].loc, (SourceLoc{"dir/my w.yaml", 3, 5}));
}

TEST(WorkloadYaml, AllProblemsAreReportedAtOnceWithTheirPlaces) {
  const std::string text = errors_of(
      "schema: lockstep/workload/v1\n"
      "gemms:\n"
      "  - {name: a, M: 0, N: 5, K: 6}\n"
      "  - {name: b, M: 010, N: 5, k: 6}\n"
      "  - {name: c, M: x, N: 5, K: 6, repeat: true}\n"
      "  - 7\n"
      "layers: []\n");
  EXPECT_THAT(text, HasSubstr("w.yaml:3:18: error"));
  EXPECT_THAT(text, HasSubstr("w.yaml:4:18: error[E0210]"));
  EXPECT_THAT(text, HasSubstr("w.yaml:4:29: error[E0203]"));
  EXPECT_THAT(text, HasSubstr("w.yaml:5:18: error"));
  EXPECT_THAT(text, HasSubstr("w.yaml:5:41: error"));
  EXPECT_THAT(text, HasSubstr("w.yaml:6:5: error"));
  EXPECT_THAT(text, HasSubstr("w.yaml:7:1: error[E0203]"));
}

TEST(WorkloadYaml, RefusesWhatIsNotAWorkload) {
  EXPECT_THAT(errors_of("schema: lockstep/workload/v2\ngemms: [{name: a, M: 1, N: 1, K: 1}]\n"), HasSubstr("w.yaml:1:9: error[E0208]"));
  EXPECT_THAT(errors_of("gemms: [{name: a, M: 1, N: 1, K: 1}]\n"), HasSubstr("E0202"));
  EXPECT_THAT(errors_of("schema: lockstep/workload/v1\ngemms: []\n"), HasSubstr("w.yaml:2:8: error[E1006]"));
  EXPECT_THAT(errors_of(""), HasSubstr("E0105"));
  EXPECT_THAT(errors_of("schema: lockstep/workload/v1\ngemms: [{name: a, M: 1, N: 1, K: 131072}]\n"), HasSubstr("E1002"));
  EXPECT_THAT(errors_of("schema: lockstep/workload/v1\ngemms:\n - {name: a, M: 1, N: 1, K: 1}\n - {name: a, M: 1, N: 1, K: 1}\n"),
              HasSubstr("w.yaml:4:4: error[E1004]: two gemms are named 'a'"));
  EXPECT_THAT(errors_of("schema: lockstep/workload/v1\ngemms: [{name: a b, M: 1, N: 1, K: 1}]\n"), HasSubstr("E1004"));
}

}  // namespace
}  // namespace lockstep::frontend
