#include "compiler/frontend/huggingface.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "compiler/frontend/config_fields.h"
#include "compiler/frontend/json_reader.h"
#include "compiler/frontend/workload_name.h"
#include "hw/base/file_io.h"
#include "hw/base/printable.h"

namespace lockstep::frontend {

namespace {

constexpr int64_t kMaxConfigBytes = int64_t{4} << 20;

struct Architecture {
  std::string_view class_name;
  std::string_view model_type;
  Family family;
};

constexpr Architecture kArchitectures[] = {
    {"LlamaForCausalLM", "llama", Family::kLlama},
    {"Qwen3ForCausalLM", "qwen3", Family::kQwen3},
    {"GPT2LMHeadModel", "gpt2", Family::kGpt2},
};

std::string supported_architectures() {
  std::string out;
  for (const Architecture& a : kArchitectures) out += fmt::format("{}{}", out.empty() ? "" : ", ", a.class_name);
  return out;
}

/// The numbers of a block, named as in the header's table.
struct BlockShape {
  int64_t hidden = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_dim = 0;
  int64_t mlp = 0;
  int64_t layers = 0;
  int64_t max_context = 0;
};

class ConfigReader {
 public:
  ConfigReader(const JsonNode& root, const std::string& file, DiagSink& sink) : root_(root), file_(file), sink_(sink) {}

  std::optional<Family> family() {
    const JsonMember* classes = root_.find("architectures");
    const JsonMember* type = root_.find("model_type");
    if (classes == nullptr && type == nullptr) {
      sink_.report(error("E1053", {file_, 0, 0}, "the config has neither 'architectures' nor 'model_type'"));
      return std::nullopt;
    }
    const JsonMember& named = classes != nullptr ? *classes : *type;
    const JsonNode& value = named.value;
    const bool is_list = value.kind == JsonNode::Kind::kArray && value.items.size() == 1;
    const JsonNode& word = is_list ? value.items.front() : value;
    for (const Architecture& a : kArchitectures) {
      const std::string_view wanted = classes != nullptr ? a.class_name : a.model_type;
      if (word.kind == JsonNode::Kind::kString && word.text == wanted) return consistent(a, type);
    }
    sink_.report(error("E1052", named.loc, fmt::format("architecture {} is not supported", describe(word)),
                       {"supported: " + supported_architectures()}));
    return std::nullopt;
  }

  void check_fields(Family family) {
    for (const JsonMember& member : root_.members) {
      const ConfigField* field = find_config_field(member.key, family);
      if (field == nullptr) {
        const std::string near = nearest_name(member.key, config_field_names(family));
        sink_.report(error("E1055", member.loc, fmt::format("unknown config field {} may change the mathematics", quote_text(member.key)),
                           near.empty() ? std::vector<std::string>{}
                                        : std::vector<std::string>{fmt::format("did you mean '{}'?", near)}));
      } else if (field->use == FieldUse::kMustBeOff && !is_off(member)) {
        not_built(member, field->why);
      } else if (field->use == FieldUse::kMustBeFull && !is_full(member.value)) {
        not_built(member, field->why);
      }
    }
  }

  BlockShape shape(Family family) {
    const bool gpt2 = family == Family::kGpt2;
    BlockShape s;
    s.hidden = required(gpt2 ? "n_embd" : "hidden_size");
    s.heads = required(gpt2 ? "n_head" : "num_attention_heads");
    s.layers = required(gpt2 ? "n_layer" : "num_hidden_layers");
    s.max_context = required(gpt2 ? "n_positions" : "max_position_embeddings");
    s.kv_heads = gpt2 ? s.heads : optional("num_key_value_heads").value_or(s.heads);
    s.mlp = gpt2 ? optional("n_inner").value_or(4 * s.hidden) : required("intermediate_size");
    const std::optional<int64_t> head_dim = gpt2 ? std::nullopt : optional("head_dim");
    if (sink_.has_errors()) return s;
    if (s.heads % s.kv_heads != 0) {
      wrong("num_key_value_heads", fmt::format("must divide num_attention_heads {}, got {}", s.heads, s.kv_heads));
    }
    if (!head_dim && s.hidden % s.heads != 0) {
      wrong(gpt2 ? "n_head" : "num_attention_heads",
            fmt::format("must divide the hidden size {} when head_dim is absent, got {}", s.hidden, s.heads));
    }
    s.head_dim = head_dim.value_or(s.hidden / s.heads);
    return s;
  }

 private:
  std::optional<Family> consistent(const Architecture& a, const JsonMember* type) {
    if (type == nullptr || (type->value.kind == JsonNode::Kind::kString && type->value.text == a.model_type)) return a.family;
    sink_.report(error("E1054", type->loc, fmt::format("'model_type' must be '{}' for architecture {}, got {}", a.model_type,
                                                       a.class_name, describe(type->value))));
    return std::nullopt;
  }

  bool is_off(const JsonMember& member) const {
    if (member.value.kind == JsonNode::Kind::kNull) return true;
    if (member.value.kind == JsonNode::Kind::kBool) return !member.value.boolean;
    const JsonMember* use = root_.find("use_sliding_window");  // Qwen writes a width beside the switch that is off
    return member.key == "sliding_window" && use != nullptr && use->value.kind == JsonNode::Kind::kBool && !use->value.boolean;
  }

  static bool is_full(const JsonNode& value) {
    return value.kind == JsonNode::Kind::kArray &&
           std::all_of(value.items.begin(), value.items.end(), [](const JsonNode& item) {
             return item.kind == JsonNode::Kind::kString && item.text == "full_attention";
           });
  }

  void not_built(const JsonMember& member, std::string_view why) {
    sink_.report(error("E1056", member.loc, fmt::format("config field '{}' = {} asks for mathematics that is not built",
                                                        member.key, describe(member.value)),
                       {std::string(why)}));
  }

  void wrong(const char* key, const std::string& why) {
    const JsonMember* member = root_.find(key);
    const SourceLoc loc = member != nullptr ? member->loc : SourceLoc{file_, 0, 0};
    sink_.report(error("E1054", loc, fmt::format("config field '{}' {}", key, why)));
  }

  std::optional<int64_t> optional(const char* key) {
    const JsonMember* member = root_.find(key);
    if (member == nullptr || member->value.kind == JsonNode::Kind::kNull) return std::nullopt;
    if (member->value.kind != JsonNode::Kind::kInteger || member->value.integer < 1 || member->value.integer > ir::kMaxExtent) {
      wrong(key, fmt::format("must be a whole number in [1, {}], got {}", ir::kMaxExtent, describe(member->value)));
      return 1;  // keeps the other checks going; the sink has the error
    }
    return member->value.integer;
  }

  int64_t required(const char* key) {
    const std::optional<int64_t> value = optional(key);
    if (!value) sink_.report(error("E1053", {file_, 0, 0}, fmt::format("the config has no '{}'", key)));
    return value.value_or(1);
  }

  const JsonNode& root_;
  const std::string& file_;
  DiagSink& sink_;
};

void check_request(const ModelRequest& r, int64_t context, int64_t max_context, const SourceLoc& loc, DiagSink& sink) {
  const auto need = [&](bool holds, const std::string& message) {
    if (!holds) sink.report(error("E1057", loc, message));
  };
  const auto in_range = [](int64_t value) { return value >= 1 && value <= ir::kMaxExtent; };
  need(in_range(r.batch), fmt::format("batch must be in [1, {}], got {}", ir::kMaxExtent, r.batch));
  need(in_range(r.sequence), fmt::format("sequence must be in [1, {}], got {}", ir::kMaxExtent, r.sequence));
  if (r.phase == Phase::kDecode) {
    need(r.sequence == 1, fmt::format("decode makes one token per item: sequence must be 1, got {}", r.sequence));
    need(r.context != 0, "decode needs a context: the tokens each query attends to, its own included");
  }
  need(r.context == 0 || r.context >= r.sequence,
       fmt::format("context must be at least sequence ({}), got {}", r.sequence, r.context));
  need(context <= max_context, fmt::format("context {} exceeds the model's {} positions", context, max_context));
}

std::vector<ir::Gemm> block_gemms(Family family, const BlockShape& s, const ModelRequest& r, int64_t context) {
  const bool decode = r.phase == Phase::kDecode;
  const int64_t tokens = r.batch * r.sequence;
  const int64_t q_width = s.heads * s.head_dim;
  const int64_t kv_width = s.kv_heads * s.head_dim;
  // Decode: the query heads of one key-value head share its keys, so they are the rows of one product.
  const int64_t rows = decode ? s.heads / s.kv_heads : r.sequence;
  const int64_t products = r.batch * (decode ? s.kv_heads : s.heads);
  std::vector<ir::Gemm> out;
  const auto add = [&](const char* name, int64_t m, int64_t n, int64_t k, int64_t count = 1) {
    ir::Gemm& gemm = out.emplace_back();
    gemm.name = name;
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    gemm.count = count;
  };
  if (family == Family::kGpt2) {
    add("qkv", tokens, q_width + 2 * kv_width, s.hidden);
  } else {
    add("q", tokens, q_width, s.hidden);
    add("k", tokens, kv_width, s.hidden);
    add("v", tokens, kv_width, s.hidden);
  }
  add("qk", rows, context, s.head_dim, products);
  add("pv", rows, s.head_dim, context, products);
  add("o", tokens, s.hidden, q_width);
  if (family == Family::kGpt2) {
    add("fc1", tokens, s.mlp, s.hidden);
    add("fc2", tokens, s.hidden, s.mlp);
  } else {
    add("gate", tokens, s.mlp, s.hidden);
    add("up", tokens, s.mlp, s.hidden);
    add("down", tokens, s.hidden, s.mlp);
  }
  return out;
}

}  // namespace

std::optional<Phase> phase_of(std::string_view word) {
  if (word == "prefill") return Phase::kPrefill;
  if (word == "decode") return Phase::kDecode;
  return std::nullopt;
}

const char* phase_name(Phase phase) { return phase == Phase::kPrefill ? "prefill" : "decode"; }

Result<ir::Workload> parse_model(std::string_view json, const std::string& file, const ModelRequest& request,
                                 const SourceLoc& request_loc) {
  Result<JsonNode> root = parse_json(json, file);
  if (!root) return root.diags();
  if (root->kind != JsonNode::Kind::kObject) {
    return error("E1054", {file, 1, 1}, fmt::format("a config must be an object, got {}", describe(*root)));
  }
  DiagSink sink;
  ConfigReader reader(*root, file, sink);
  const std::optional<Family> family = reader.family();
  if (!family) return sink.diags();
  reader.check_fields(*family);
  const BlockShape shape = reader.shape(*family);
  if (sink.has_errors()) return sink.diags();
  const int64_t context = request.context == 0 ? request.sequence : request.context;
  check_request(request, context, shape.max_context, request_loc, sink);
  if (sink.has_errors()) return sink.diags();

  ir::Workload workload;
  workload.name = fmt::format("{}.{}", workload_name(file), phase_name(request.phase));
  workload.blocks = shape.layers;
  workload.gemms = block_gemms(*family, shape, request, context);
  for (ir::Gemm& gemm : workload.gemms) gemm.loc = {file, 0, 0};
  ir::verify(workload, sink);
  if (sink.has_errors()) return sink.diags();
  return workload;
}

Result<ir::Workload> read_model(const std::string& path, const ModelRequest& request, const SourceLoc& named_at,
                                const SourceLoc& request_loc) {
  const Result<std::string> text = read_file(path, kMaxConfigBytes, named_at);
  if (!text) return text.diags();
  return parse_model(*text, path, request, request_loc);
}

}  // namespace lockstep::frontend
