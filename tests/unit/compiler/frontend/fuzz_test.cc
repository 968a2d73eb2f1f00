// No text, however broken, does more to a reader than produce diagnostics.
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compiler/frontend/huggingface.h"
#include "compiler/frontend/workload_yaml.h"
#include "compiler/ir/schedule.h"
#include "compiler/ir/text.h"
#include "hw/base/file_io.h"
#include "hw/base/rng.h"

namespace lockstep::frontend {
namespace {

constexpr uint64_t kSeed = 7;
constexpr int kMutants = 4000;

std::string shipped(const std::string& path) {
  return read_file(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/workloads/" + path, 1 << 20).value();
}

std::string mutate(std::string text, Rng& rng) {
  const int64_t edits = rng.between(1, 4);
  for (int64_t i = 0; i < edits && !text.empty(); ++i) {
    const size_t at = rng.below(text.size());
    const size_t length = std::min<size_t>(text.size() - at, rng.below(12));
    switch (rng.below(4)) {
      case 0: text[at] = static_cast<char>(rng.below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(rng.below(text.size()), length)); break;
      default: text.insert(at, std::vector<std::string>{"-1", "1e400", "\"", "{", "[", "null", "99999999999999999999", ": "}[rng.below(8)]);
    }
  }
  return text;
}

/// `read` gets the text and says whether it was accepted and how many diagnostics came.
template <typename Read>
void fuzz(const std::string& seed_text, Read read) {
  std::cout << "seed " << kSeed << "\n";
  Rng rng(kSeed);
  int refused = 0;
  for (int i = 0; i < kMutants; ++i) {
    const auto result = read(mutate(seed_text, rng));
    if (result.ok()) continue;
    ++refused;
    for (const Diag& diag : result.diags()) ASSERT_FALSE(format_diag(diag).empty());
  }
  EXPECT_GT(refused, kMutants / 10);
}

TEST(Fuzz, ModelJson) {
  for (const char* name : {"models/llama-3.1-8b.json", "models/gpt2.json"}) {
    fuzz(shipped(name), [](const std::string& text) { return parse_model(text, "m.json", {Phase::kPrefill, 1, 512, 0}); });
  }
}

TEST(Fuzz, WorkloadYaml) {
  fuzz(shipped("layers/peer_shapes.yaml"), [](const std::string& text) { return parse_workload(text, "w.yaml"); });
}

TEST(Fuzz, IrText) {
  const std::string text = ir::print(parse_workload(shipped("layers/peer_shapes.yaml"), "w.yaml").value());
  fuzz(text, [](const std::string& mutant) { return ir::parse(mutant, "x.lir"); });
}

TEST(Fuzz, ScheduleText) {
  fuzz(ir::print(ir::Schedule{512, 1, 4, ir::Activations::kStreamed, 3, 2, 2, 2}),
       [](const std::string& mutant) { return ir::parse_schedule(mutant, {}); });
}

}  // namespace
}  // namespace lockstep::frontend
