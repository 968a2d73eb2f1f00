// Engine instances and their flat numbering, shared by programs, events, SYNC masks and traces.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace lockstep::isa {

enum class EngineKind : uint8_t { kLd, kSt, kVx, kWld, kMm };

/// Flat engine ids: LD0 0, LD1 1, ST0 2, VX0 3, WLD0..3 = 4..7, MM0..3 = 8..11. Bit e of a SYNC mask is engine e.
using EngineId = uint8_t;
inline constexpr int kEngineCount = 12;
inline constexpr EngineId kLd0 = 0;
inline constexpr EngineId kSt0 = 2;
inline constexpr EngineId kVx0 = 3;
inline constexpr EngineId kWld0 = 4;
inline constexpr EngineId kMm0 = 8;
inline constexpr EngineId kSequencer = 15;  // SYNC and HALT records only

inline constexpr EngineId engine_id(EngineKind kind, int unit) {
  constexpr std::array<EngineId, 5> kBase = {kLd0, kSt0, kVx0, kWld0, kMm0};
  return static_cast<EngineId>(kBase[static_cast<size_t>(kind)] + unit);
}

inline constexpr EngineKind engine_kind(EngineId id) {
  if (id < kSt0) return EngineKind::kLd;
  if (id == kSt0) return EngineKind::kSt;
  if (id == kVx0) return EngineKind::kVx;
  return id < kMm0 ? EngineKind::kWld : EngineKind::kMm;
}

/// "LD0", "ST0", "VX0", "WLD2", "MM0", "SEQ".
std::string engine_name(EngineId id);

}  // namespace lockstep::isa
