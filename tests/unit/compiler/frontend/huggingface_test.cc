#include "compiler/frontend/huggingface.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/base/file_io.h"

namespace lockstep::frontend {
namespace {

using ::testing::HasSubstr;

const std::string kModels = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/workloads/models/";

std::vector<std::string> shapes(const ir::Workload& workload) {
  std::vector<std::string> out;
  for (const ir::Gemm& g : workload.gemms) out.push_back(fmt::format("{} {}x{}x{} *{}", g.name, g.m, g.n, g.k, g.count));
  return out;
}

std::string errors_of(const Result<ir::Workload>& result) {
  std::string out;
  for (const Diag& diag : result.diags()) out += format_diag(diag);
  return out;
}

/// The Llama file with one piece of text replaced.
Result<ir::Workload> llama_with(const std::string& from, const std::string& to, const ModelRequest& request = {}) {
  std::string text = read_file(kModels + "llama-3.1-8b.json", 1 << 20).value();
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return parse_model(text, "m.json", request, {"s.yaml", 7, 9});
}

TEST(HuggingFace, LlamaPrefillIsTheBlockOfThePaper) {
  const auto w = read_model(kModels + "llama-3.1-8b.json", {Phase::kPrefill, 1, 512, 0});
  ASSERT_TRUE(w.ok()) << errors_of(w);
  EXPECT_EQ(w->name, "llama-3.1-8b.prefill");
  EXPECT_EQ(w->blocks, 32);
  EXPECT_EQ(shapes(*w), (std::vector<std::string>{
                            "q 512x4096x4096 *1", "k 512x1024x4096 *1", "v 512x1024x4096 *1", "qk 512x512x128 *32",
                            "pv 512x128x512 *32", "o 512x4096x4096 *1", "gate 512x14336x4096 *1",
                            "up 512x14336x4096 *1", "down 512x4096x14336 *1"}));
}

TEST(HuggingFace, LlamaDecodeGroupsTheQueryHeadsOfAKeyValueHead) {
  const auto w = read_model(kModels + "llama-3.1-8b.json", {Phase::kDecode, 8, 1, 2048});
  ASSERT_TRUE(w.ok()) << errors_of(w);
  EXPECT_EQ(shapes(*w), (std::vector<std::string>{
                            "q 8x4096x4096 *1", "k 8x1024x4096 *1", "v 8x1024x4096 *1", "qk 4x2048x128 *64",
                            "pv 4x128x2048 *64", "o 8x4096x4096 *1", "gate 8x14336x4096 *1", "up 8x14336x4096 *1",
                            "down 8x4096x14336 *1"}));
}

TEST(HuggingFace, QwenQueryWidthIsNotTheHiddenSize) {
  const auto w = read_model(kModels + "qwen3-0.6b.json", {Phase::kPrefill, 2, 100, 300});
  ASSERT_TRUE(w.ok()) << errors_of(w);
  EXPECT_EQ(shapes(*w), (std::vector<std::string>{
                            "q 200x2048x1024 *1", "k 200x1024x1024 *1", "v 200x1024x1024 *1", "qk 100x300x128 *32",
                            "pv 100x128x300 *32", "o 200x1024x2048 *1", "gate 200x3072x1024 *1", "up 200x3072x1024 *1",
                            "down 200x1024x3072 *1"}));
}

TEST(HuggingFace, Gpt2HasFusedQkvAndAPlainMlp) {
  const auto w = read_model(kModels + "gpt2.json", {Phase::kPrefill, 1, 512, 0});
  ASSERT_TRUE(w.ok()) << errors_of(w);
  EXPECT_EQ(w->blocks, 12);
  EXPECT_EQ(shapes(*w), (std::vector<std::string>{"qkv 512x2304x768 *1", "qk 512x512x64 *12", "pv 512x64x512 *12",
                                                  "o 512x768x768 *1", "fc1 512x3072x768 *1", "fc2 512x768x3072 *1"}));
}

/// Multiply-adds of a block by counting weights and attention positions, not by walking the GEMM list.
TEST(HuggingFace, MultiplyAddsAreConserved) {
  const int64_t weights = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336;
  for (const int64_t batch : {1, 3}) {
    const auto prefill = read_model(kModels + "llama-3.1-8b.json", {Phase::kPrefill, batch, 200, 500});
    ASSERT_TRUE(prefill.ok()) << errors_of(prefill);
    EXPECT_EQ(ir::total_macs(*prefill), batch * 200 * weights + batch * 200 * 500 * 2 * 4096);
    const auto decode = read_model(kModels + "llama-3.1-8b.json", {Phase::kDecode, batch, 1, 999});
    ASSERT_TRUE(decode.ok()) << errors_of(decode);
    EXPECT_EQ(ir::total_macs(*decode), batch * weights + batch * 999 * 2 * 4096);
  }
}

TEST(HuggingFace, UnknownFieldIsNamedWithItsPlaceAndNeighbour) {
  EXPECT_EQ(errors_of(llama_with("\"mlp_bias\"", "\"mlp_bia\"")),
            "m.json:12:3: error[E1055]: unknown config field 'mlp_bia' may change the mathematics\n"
            "  note: did you mean 'mlp_bias'?\n");
}

TEST(HuggingFace, ReportsEveryFieldProblemAtOnce) {
  const std::string text = errors_of(llama_with("\"attention_bias\": false,", "\"qk_norm\": 1, \"query_pre_attn\": 2, \"sliding_window\": 4096,"));
  EXPECT_THAT(text, HasSubstr("'qk_norm'"));
  EXPECT_THAT(text, HasSubstr("'query_pre_attn'"));
  EXPECT_THAT(text, HasSubstr("error[E1056]: config field 'sliding_window' = 4096 asks for mathematics that is not built"));
}

TEST(HuggingFace, UnsupportedArchitectureListsWhatIsSupported) {
  EXPECT_EQ(errors_of(llama_with("LlamaForCausalLM", "MambaForCausalLM")),
            "m.json:2:3: error[E1052]: architecture 'MambaForCausalLM' is not supported\n"
            "  note: supported: LlamaForCausalLM, Qwen3ForCausalLM, GPT2LMHeadModel\n");
  EXPECT_THAT(errors_of(llama_with("\"model_type\": \"llama\"", "\"model_type\": \"mistral\"")), HasSubstr("'model_type' must be 'llama'"));
}

TEST(HuggingFace, WrongValuesAreRefused) {
  EXPECT_THAT(errors_of(llama_with("\"hidden_size\": 4096", "\"hidden_size\": -1")), HasSubstr("m.json:8:3: error[E1054]"));
  EXPECT_THAT(errors_of(llama_with("\"hidden_size\": 4096", "\"hidden_size\": 4096.5")), HasSubstr("got 4096.5"));
  EXPECT_THAT(errors_of(llama_with("\"hidden_size\": 4096", "\"hidden_size\": \"4096\"")), HasSubstr("got '4096'"));
  EXPECT_THAT(errors_of(llama_with("\"hidden_size\": 4096,", "")), HasSubstr("the config has no 'hidden_size'"));
  EXPECT_THAT(errors_of(llama_with("\"num_key_value_heads\": 8", "\"num_key_value_heads\": 5")), HasSubstr("must divide num_attention_heads 32"));
  EXPECT_THAT(errors_of(llama_with("\"num_attention_heads\": 32", "\"num_attention_heads\": 24")), HasSubstr("must divide the hidden size 4096"));
  EXPECT_THAT(errors_of(llama_with("\"hidden_size\": 4096", "\"hidden_size\": 99999999999999999999")), HasSubstr("E1054"));
}

TEST(HuggingFace, RequestsThatDoNotFitTheModelAreRefused) {
  const auto request = [](const ModelRequest& r) { return errors_of(read_model(kModels + "gpt2.json", r, {}, {"s.yaml", 7, 9})); };
  EXPECT_EQ(request({Phase::kPrefill, 1, 1025, 0}), "s.yaml:7:9: error[E1057]: context 1025 exceeds the model's 1024 positions\n");
  EXPECT_THAT(request({Phase::kDecode, 1, 2, 8}), HasSubstr("sequence must be 1, got 2"));
  EXPECT_THAT(request({Phase::kDecode, 1, 1, 0}), HasSubstr("decode needs a context"));
  EXPECT_THAT(request({Phase::kPrefill, 0, 8, 0}), HasSubstr("batch must be in"));
  EXPECT_THAT(request({Phase::kPrefill, 1, 8, 4}), HasSubstr("context must be at least sequence (8), got 4"));
}

TEST(HuggingFace, MalformedJsonHasLineAndColumn) {
  const auto parse = [](const std::string& text) { return errors_of(parse_model(text, "m.json", {})); };
  EXPECT_THAT(parse("{\n  \"a\": 1,\n  }"), HasSubstr("m.json:3:3: error[E1050]: not valid JSON: syntax error"));
  EXPECT_THAT(parse(""), HasSubstr("m.json:1:1: error[E1050]"));
  EXPECT_THAT(parse("{\"a\": 1e999}"), HasSubstr("error[E1050]"));
  EXPECT_THAT(parse("{\"a\": \"\xff\xfe\"}"), HasSubstr("error[E1050]"));
  EXPECT_THAT(parse(std::string("\0\x01\x02", 3)), HasSubstr("error[E1050]"));
  EXPECT_THAT(parse(std::string(100000, '[')), HasSubstr("nested deeper than 32 levels"));
  EXPECT_THAT(parse("[1]"), HasSubstr("a config must be an object, got a list"));
  EXPECT_THAT(parse("{\"x\\\"y\": 1,\n \"x\\\"y\": 2}"), HasSubstr("m.json:2:2: error[E1051]: duplicate key"));
}

TEST(HuggingFace, MissingFileIsAnError) {
  EXPECT_THAT(errors_of(read_model("/nonexistent/m.json", {})), HasSubstr("E0101"));
}

}  // namespace
}  // namespace lockstep::frontend
