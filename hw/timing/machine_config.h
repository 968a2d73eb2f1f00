// The figures of a chip that decide time, resolved once per chip.
#pragma once

#include <array>
#include <cstdint>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/engine.h"
#include "hw/mem/dram.h"

namespace lockstep::timing {

/// The engines of a one-MXU core, densely numbered in the order of isa::EngineId, so that arrays over engines
/// are short. The three DMA queues come first: a slot below kDmaSlots is also the index of its DMA state and its
/// place in the arbiter's ring (DMA-3).
enum Slot : uint8_t { kSlotLd0, kSlotLd1, kSlotSt0, kSlotVx0, kSlotWld0, kSlotMm0, kSlotCount };
inline constexpr int kDmaSlots = 3;

inline constexpr std::array<isa::EngineId, kSlotCount> kSlotEngine = {
    isa::kLd0, isa::EngineId{isa::kLd0 + 1}, isa::kSt0, isa::kVx0, isa::kWld0, isa::kMm0};

struct MachineConfig {
  int64_t row_blocks = 0;  // R / b
  int64_t col_blocks = 0;  // C / b
  int64_t read_latency = 0;  // Lv
  int64_t acc_latency = 0;   // La

  int64_t vx_start_cycles = 0;  // T0 of VX-1
  int64_t vx_load_cycles = 0;   // ll
  int64_t vx_store_cycles = 0;  // ls

  int load_queues = 1;
  int64_t burst_bytes = 0;
  int64_t beat_bytes = 0;
  int64_t setup_cycles = 0;
  int max_outstanding = 0;
  int quantum = 0;
  std::array<int, kSlotCount> queue_depth{};

  mem::DramConfig dram;
};

/// Diags for chips that this model does not time (all of them at once).
Result<MachineConfig> make_machine_config(const chip::ChipSpec& chip);

}  // namespace lockstep::timing
