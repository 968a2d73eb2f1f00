#include "compiler/frontend/config_fields.h"

namespace lockstep::frontend {

namespace {

constexpr uint8_t kLlama = static_cast<uint8_t>(Family::kLlama);
constexpr uint8_t kQwen3 = static_cast<uint8_t>(Family::kQwen3);
constexpr uint8_t kGpt2 = static_cast<uint8_t>(Family::kGpt2);
constexpr uint8_t kGated = kLlama | kQwen3;

constexpr std::string_view kBias = "adds a vector to a GEMM's output, no GEMM of its own";
constexpr std::string_view kElementwise = "elementwise, no GEMM";
constexpr std::string_view kRotary = "rotary embedding is elementwise";
constexpr std::string_view kHead = "outside the decoder block";
constexpr std::string_view kTraining = "training only";
constexpr std::string_view kToken = "token number";
constexpr std::string_view kSoftware = "software bookkeeping";
constexpr std::string_view kWindow = "a window limits the keys a query reads";

}  // namespace

const std::vector<ConfigField>& config_fields() {
  using enum FieldUse;
  static const std::vector<ConfigField> kFields = {
      {"architectures", kEveryFamily, kShape, "selects the family"},
      {"model_type", kEveryFamily, kShape, "selects the family when architectures is absent"},
      {"hidden_size", kGated, kShape, "d"},
      {"intermediate_size", kGated, kShape, "f"},
      {"num_attention_heads", kGated, kShape, "H"},
      {"num_key_value_heads", kGated, kShape, "G; absent: H"},
      {"head_dim", kGated, kShape, "h; absent: d / H"},
      {"num_hidden_layers", kGated, kShape, "blocks of the model"},
      {"max_position_embeddings", kGated, kShape, "largest context"},
      {"n_embd", kGpt2, kShape, "d"},
      {"n_inner", kGpt2, kShape, "f; absent or null: 4 d"},
      {"n_head", kGpt2, kShape, "H"},
      {"n_layer", kGpt2, kShape, "blocks of the model"},
      {"n_positions", kGpt2, kShape, "largest context"},
      {"n_ctx", kGpt2, kIrrelevant, "older spelling of n_positions"},

      {"sliding_window", kGated, kMustBeOff, kWindow},
      {"use_sliding_window", kGated, kMustBeOff, kWindow},
      {"layer_types", kQwen3, kMustBeFull, kWindow},
      {"add_cross_attention", kEveryFamily, kMustBeOff, "adds attention to an encoder"},
      {"is_encoder_decoder", kEveryFamily, kMustBeOff, "adds attention to an encoder"},
      {"quantization_config", kEveryFamily, kMustBeOff, "weights of other types than int8"},

      {"max_window_layers", kQwen3, kIrrelevant, "only with a sliding window"},
      {"attention_bias", kGated, kIrrelevant, kBias},
      {"mlp_bias", kLlama, kIrrelevant, kBias},
      {"hidden_act", kGated, kIrrelevant, kElementwise},
      {"activation_function", kGpt2, kIrrelevant, kElementwise},
      {"rms_norm_eps", kGated, kIrrelevant, kElementwise},
      {"layer_norm_epsilon", kGpt2, kIrrelevant, kElementwise},
      {"rope_theta", kGated, kIrrelevant, kRotary},
      {"rope_scaling", kGated, kIrrelevant, kRotary},
      {"rope_parameters", kGated, kIrrelevant, kRotary},
      {"scale_attn_weights", kGpt2, kIrrelevant, kElementwise},
      {"scale_attn_by_inverse_layer_idx", kGpt2, kIrrelevant, kElementwise},
      {"reorder_and_upcast_attn", kGpt2, kIrrelevant, "order of the scores' arithmetic; scores are exact here"},
      {"vocab_size", kEveryFamily, kIrrelevant, kHead},
      {"tie_word_embeddings", kEveryFamily, kIrrelevant, kHead},
      {"summary_activation", kGpt2, kIrrelevant, kHead},
      {"summary_first_dropout", kGpt2, kIrrelevant, kHead},
      {"summary_proj_to_labels", kGpt2, kIrrelevant, kHead},
      {"summary_type", kGpt2, kIrrelevant, kHead},
      {"summary_use_proj", kGpt2, kIrrelevant, kHead},
      {"task_specific_params", kEveryFamily, kIrrelevant, "text generation settings"},
      {"attention_dropout", kGated, kIrrelevant, kTraining},
      {"attn_pdrop", kGpt2, kIrrelevant, kTraining},
      {"embd_pdrop", kGpt2, kIrrelevant, kTraining},
      {"resid_pdrop", kGpt2, kIrrelevant, kTraining},
      {"initializer_range", kEveryFamily, kIrrelevant, kTraining},
      {"pretraining_tp", kLlama, kIrrelevant, kTraining},
      {"bos_token_id", kEveryFamily, kIrrelevant, kToken},
      {"eos_token_id", kEveryFamily, kIrrelevant, kToken},
      {"pad_token_id", kEveryFamily, kIrrelevant, kToken},
      {"torch_dtype", kEveryFamily, kIrrelevant, "type of the checkpoint; the block is compiled as int8"},
      {"dtype", kEveryFamily, kIrrelevant, "type of the checkpoint; the block is compiled as int8"},
      {"transformers_version", kEveryFamily, kIrrelevant, kSoftware},
      {"use_cache", kEveryFamily, kIrrelevant, kSoftware},
      {"_name_or_path", kEveryFamily, kIrrelevant, kSoftware},
  };
  return kFields;
}

const ConfigField* find_config_field(std::string_view name, Family family) {
  for (const ConfigField& field : config_fields()) {
    if (field.name == name && (field.families & static_cast<uint8_t>(family)) != 0) return &field;
  }
  return nullptr;
}

std::vector<std::string> config_field_names(Family family) {
  std::vector<std::string> names;
  for (const ConfigField& field : config_fields()) {
    if ((field.families & static_cast<uint8_t>(family)) != 0) names.emplace_back(field.name);
  }
  return names;
}

}  // namespace lockstep::frontend
