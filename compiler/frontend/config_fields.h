// The fields of Hugging Face config.json files that this compiler understands: one table. A field outside it is an
// error, because it may change the mathematics of the block and a silently wrong count is worse than a refusal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::frontend {

enum class Family : uint8_t { kLlama = 1, kQwen3 = 2, kGpt2 = 4 };

inline constexpr uint8_t kEveryFamily = 7;

enum class FieldUse : uint8_t {
  kShape,       // read: sets a dimension, a count or a limit
  kIrrelevant,  // does not change the GEMMs of a block, whatever its value
  kMustBeOff,   // null, false or absent; anything else is mathematics that is not built
  kMustBeFull,  // a list whose every entry is "full_attention"
};

struct ConfigField {
  std::string_view name;
  uint8_t families = kEveryFamily;
  FieldUse use = FieldUse::kIrrelevant;
  std::string_view why;
};

const std::vector<ConfigField>& config_fields();

/// nullptr when the family has no such field.
const ConfigField* find_config_field(std::string_view name, Family family);

std::vector<std::string> config_field_names(Family family);

}  // namespace lockstep::frontend
