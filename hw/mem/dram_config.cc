#include "hw/mem/dram_config.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "hw/base/printable.h"
#include "hw/chip/dram_preset.h"
#include "hw/mem/fixed_divider.h"

namespace lockstep::mem {

namespace {

constexpr int kMaxTicksPerCycle = 64;            // MEM-3
constexpr double kAcceptedLoss = 0.001;          // MEM-3: a divisor that loses no more than this is good enough
constexpr int64_t kIdealStripeBytes = 8192;      // docs/timing.md, Memory
constexpr double kTickFuzz = 1e-9;               // a quotient this close to an integer is that integer
constexpr int kMaxChannels = 8;                  // MEM-1
constexpr int kMaxGang = 16;

bool is_power_of_two(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

/// Rounds up to whole ticks. 64 / 0.1 and the like are not representable; without the allowance a bandwidth that
/// divides exactly could lose a whole tick to the last bit of a double.
int64_t ceil_ticks(double ticks) { return static_cast<int64_t>(std::ceil(ticks - kTickFuzz)); }

/// tCCD in ticks when a cycle has `ticks_per_cycle` of them; a column takes at least one.
int64_t column_ticks(double column_cycles, int ticks_per_cycle) {
  return std::max<int64_t>(1, ceil_ticks(column_cycles * ticks_per_cycle));
}

/// Fraction of the bandwidth lost to rounding tCCD up.
double rounding_loss(double column_cycles, int ticks_per_cycle) {
  const double exact = column_cycles * ticks_per_cycle;
  return std::max(0.0, 1.0 - exact / static_cast<double>(column_ticks(column_cycles, ticks_per_cycle)));
}

/// MEM-3: the smallest divisor that loses at most 0.1 %, else the best one (the smallest of equals).
int choose_ticks(double column_cycles) {
  int best = 1;
  double best_loss = 2.0;
  for (int ticks = 1; ticks <= kMaxTicksPerCycle; ++ticks) {
    const double loss = rounding_loss(column_cycles, ticks);
    if (loss <= kAcceptedLoss) return ticks;
    if (loss < best_loss - kTickFuzz) {
      best = ticks;
      best_loss = loss;
    }
  }
  return best;
}

class Refusals {
 public:
  void refuse(bool bad, std::string message) {
    if (bad) diags.push_back(error("E0911", {}, std::move(message)));
  }
  std::vector<Diag> diags;
};

void check_ideal(const chip::DramSpec& dram, Refusals& out) {
  out.refuse(dram.channels != 1, fmt::format("dram.preset 'ideal' has one channel, got {}", dram.channels));
  out.refuse(dram.gang != 1, fmt::format("dram.preset 'ideal' has no gang, got {}", dram.gang));
  out.refuse(!(dram.bandwidth_GBps > 0), "dram.bandwidth_GBps must be positive");
  out.refuse(!(dram.latency_ns >= 0), "dram.latency_ns must not be negative");
  const int bytes = dram.access_bytes;
  out.refuse(bytes < 1 || bytes > FixedDivider::kMaxDivisor,
             fmt::format("dram.access_bytes must be in [1, {}], got {}", FixedDivider::kMaxDivisor, bytes));
}

void check_banked(const chip::ChipSpec& chip, const chip::DramPreset& preset, Refusals& out) {
  const chip::DramSpec& dram = chip.dram;
  out.refuse(!is_power_of_two(dram.channels) || dram.channels > kMaxChannels,
             fmt::format("dram.channels must be a power of two up to {}, got {}", kMaxChannels, dram.channels));
  out.refuse(!is_power_of_two(dram.gang) || dram.gang > kMaxGang,
             fmt::format("dram.gang must be a power of two up to {}, got {}", kMaxGang, dram.gang));
  const int64_t row = int64_t{preset.page_bytes} * preset.bank_groups * std::max(1, dram.gang);
  const int burst = chip.dma.burst_bytes;
  out.refuse(!is_power_of_two(burst) || burst > row,
             fmt::format("dma.burst_bytes must be a power of two of at most a DRAM row of {} bytes, got {}", row, burst));
}

void check_common(const chip::ChipSpec& chip, Refusals& out) {
  const chip::DramSpec& dram = chip.dram;
  out.refuse(chip.clock_MHz <= 0, "clock_MHz must be positive");
  out.refuse(dram.command_slots < 1, "dram.command_slots must be at least 1");
  out.refuse(dram.ticks < 0 || dram.ticks > kMaxTicksPerCycle,
             fmt::format("dram.ticks must be in [0, {}], got {}", kMaxTicksPerCycle, dram.ticks));
}

/// What both kinds share once the length of a column is known.
void resolve_rate(const chip::ChipSpec& chip, double column_cycles, DramConfig& config) {
  config.channels = chip.dram.channels;
  config.access_bytes = chip::dram_access_bytes(chip);
  config.command_slots = chip.dram.command_slots;
  config.ticks_per_cycle = chip.dram.ticks > 0 ? chip.dram.ticks : choose_ticks(column_cycles);
  config.nominal_bytes_per_cycle = chip::dram_bytes_per_cycle(chip);
  const int64_t tccd = std::min<int64_t>(column_ticks(column_cycles, config.ticks_per_cycle),
                                         std::numeric_limits<int>::max());
  config.tCCD_ticks = static_cast<int>(tccd);
  config.effective_bytes_per_cycle = static_cast<double>(config.channels) * config.access_bytes *
                                     config.ticks_per_cycle / static_cast<double>(tccd);
  config.rounding_loss_pct = 100.0 * rounding_loss(column_cycles, config.ticks_per_cycle);
}

Result<DramConfig> ideal_config(const chip::ChipSpec& chip) {
  DramConfig config;
  resolve_rate(chip, chip.dram.access_bytes / chip::dram_bytes_per_cycle(chip), config);
  const int64_t latency = ceil_ticks(chip.dram.latency_ns * chip.clock_MHz / 1000.0 * config.ticks_per_cycle);
  constexpr int64_t kMaxTicks = std::numeric_limits<int>::max() / 4;
  if (config.tCCD_ticks > kMaxTicks || latency > kMaxTicks) {
    return error("E0911", {}, fmt::format("dram timing does not fit: a column takes {} ticks, the latency is {} ticks",
                                          config.tCCD_ticks, latency));
  }
  config.stripe_bytes = kIdealStripeBytes;
  config.CL_ticks = static_cast<int>(latency);
  config.BL_ticks = config.tCCD_ticks;  // MEM-6: a column's data follow each other without a gap
  return config;
}

/// MEM-1..3. A timer of n clocks of the part is ceil(n * D * core clock / part clock) ticks, in integers.
DramConfig banked_config(const chip::ChipSpec& chip, const chip::DramPreset& preset) {
  DramConfig config;
  const chip::DramTimers& t = preset.timers;
  resolve_rate(chip, static_cast<double>(t.tCCD_S) * chip.clock_MHz / preset.clock_MHz, config);
  const auto ticks = [&](int clocks) {
    const int64_t scaled = int64_t{clocks} * chip.clock_MHz * config.ticks_per_cycle;
    return static_cast<int>((scaled + preset.clock_MHz - 1) / preset.clock_MHz);
  };
  config.bank_groups = preset.bank_groups;
  config.banks = preset.banks / preset.bank_groups;
  config.interleave_bytes = chip.dma.burst_bytes;
  config.row_bytes = int64_t{preset.page_bytes} * preset.bank_groups * chip.dram.gang;
  config.stripe_bytes = config.row_bytes * chip.dram.channels;
  config.tRCDrd_ticks = ticks(t.tRCDrd);
  config.tRCDwr_ticks = ticks(t.tRCDwr);
  config.tRP_ticks = ticks(t.tRP);
  config.tRAS_ticks = ticks(t.tRAS);
  config.tRTP_ticks = ticks(t.tRTP);
  config.tWR_ticks = ticks(t.tWR);
  config.tWTR_ticks = ticks(t.tWTR_S);
  config.tRTW_ticks = ticks(t.tRTW);
  config.tRRD_ticks = ticks(t.tRRD_S);
  config.tFAW_ticks = ticks(t.tFAW);
  config.CL_ticks = ticks(t.CL);
  config.CWL_ticks = ticks(t.CWL);
  config.BL_ticks = ticks(t.BL);
  config.tRFC_ticks = ticks(t.tRFC);
  config.tREFI_ticks = ticks(t.tREFI);
  return config;
}

}  // namespace

Result<DramConfig> make_dram_config(const chip::ChipSpec& chip) {
  Refusals refusals;
  const bool ideal = chip.dram.preset == "ideal";
  const chip::DramPreset* preset = chip::find_dram_preset(chip.dram.preset);
  if (!ideal && preset == nullptr) {
    return error("E0911", {}, fmt::format("dram.preset '{}' is unknown; there are {}", chip.dram.preset,
                                          join_choices(chip::dram_preset_names())));
  }
  if (ideal) check_ideal(chip.dram, refusals);
  else check_banked(chip, *preset, refusals);
  check_common(chip, refusals);
  if (!refusals.diags.empty()) return std::move(refusals.diags);
  return ideal ? ideal_config(chip) : banked_config(chip, *preset);
}

}  // namespace lockstep::mem
