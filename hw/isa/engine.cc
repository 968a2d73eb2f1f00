#include "hw/isa/engine.h"

#include "hw/base/check.h"

namespace lockstep::isa {

std::string engine_name(EngineId id) {
  if (id == kSequencer) return "SEQ";
  CHECK(id < kEngineCount) << "engine id " << int{id};
  static constexpr std::array<const char*, kEngineCount> kNames = {
      "LD0", "LD1", "ST0", "VX0", "WLD0", "WLD1", "WLD2", "WLD3", "MM0", "MM1", "MM2", "MM3"};
  return kNames[id];
}

}  // namespace lockstep::isa
