// A Hugging Face config.json and a request to the GEMMs of one decoder block.
//
// With d = hidden size, H query heads, G key-value heads, h = head_dim, f = MLP width, T = batch * sequence:
//
//   Llama, Qwen3   q  T x Hh x d     k, v  T x Gh x d     o  T x d x Hh     gate, up  T x f x d     down  T x d x f
//   GPT-2          qkv T x 3d x d                         o  T x d x d      fc1       T x f x d     fc2   T x d x f
//   attention      prefill, per item and query head:      qk  sequence x context x h,   pv  sequence x h x context
//                  decode,  per item and key-value head:  qk  (H/G)    x context x h,   pv  (H/G)    x h x context
//
// (M x N x K.) Keys and values are the stationary operand. A causal mask is not exploited: the full rectangle is
// counted. Norms, rotary embedding, softmax and the language-model head are not GEMMs of the block.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/gemm.h"
#include "hw/base/result.h"

namespace lockstep::frontend {

enum class Phase : uint8_t { kPrefill, kDecode };

/// "prefill" or "decode".
std::optional<Phase> phase_of(std::string_view word);
const char* phase_name(Phase phase);

struct ModelRequest {
  Phase phase = Phase::kPrefill;
  int64_t batch = 1;     // independent sequences, >= 1
  int64_t sequence = 1;  // new tokens per sequence; decode: 1
  int64_t context = 0;   // keys each query reads = tokens in the cache after this step, the new ones included;
                         // 0 = sequence (prefill only); >= sequence
};

/// E1050 not JSON (with line and column), E1051 duplicate key, E1052 unsupported architecture, E1053 a field missing,
/// E1054 a field with a wrong value, E1055 a field that is not known not to change the mathematics,
/// E1056 a feature whose mathematics is not built, E1057 the request does not fit the model.
Result<ir::Workload> parse_model(std::string_view json, const std::string& file, const ModelRequest& request,
                                 const SourceLoc& request_loc = {});
Result<ir::Workload> read_model(const std::string& path, const ModelRequest& request, const SourceLoc& named_at = {},
                                const SourceLoc& request_loc = {});

}  // namespace lockstep::frontend
