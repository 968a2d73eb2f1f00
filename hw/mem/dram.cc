#include "hw/mem/dram.h"

#include <cmath>

#include <fmt/format.h>

namespace lockstep::mem {

namespace {

constexpr int kMaxTicksPerCycle = 64;            // MEM-3
constexpr double kAcceptedLoss = 0.001;          // MEM-3: a divisor that loses no more than this is good enough
constexpr int64_t kIdealStripeBytes = 8192;      // docs/timing.md, Memory
constexpr double kTickFuzz = 1e-9;               // a quotient this close to an integer is that integer

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

std::vector<Diag> unusable(const chip::ChipSpec& chip) {
  std::vector<Diag> diags;
  const chip::DramSpec& dram = chip.dram;
  const auto refuse = [&](std::string message) { diags.push_back(error("E0911", {}, std::move(message))); };
  if (dram.preset != "ideal") {
    refuse(fmt::format("dram.preset '{}' is not built; only 'ideal' is", dram.preset));
    return diags;
  }
  if (dram.channels != 1) refuse(fmt::format("dram.preset 'ideal' has one channel, got {}", dram.channels));
  if (chip.clock_MHz <= 0) refuse("clock_MHz must be positive");
  if (!(dram.bandwidth_GBps > 0)) refuse("dram.bandwidth_GBps must be positive");
  if (!(dram.latency_ns >= 0)) refuse("dram.latency_ns must not be negative");
  if (dram.access_bytes < 1 || dram.access_bytes > FixedDivider::kMaxDivisor) {
    refuse(fmt::format("dram.access_bytes must be in [1, {}], got {}", FixedDivider::kMaxDivisor, dram.access_bytes));
  }
  if (dram.command_slots < 1) refuse("dram.command_slots must be at least 1");
  if (dram.ticks < 0 || dram.ticks > kMaxTicksPerCycle) {
    refuse(fmt::format("dram.ticks must be in [0, {}], got {}", kMaxTicksPerCycle, dram.ticks));
  }
  return diags;
}

}  // namespace

Result<DramConfig> make_dram_config(const chip::ChipSpec& chip) {
  std::vector<Diag> diags = unusable(chip);
  if (!diags.empty()) return diags;

  DramConfig config;
  config.nominal_bytes_per_cycle = chip::dram_bytes_per_cycle(chip);
  const double column_cycles = chip.dram.access_bytes / config.nominal_bytes_per_cycle;
  const int ticks = chip.dram.ticks > 0 ? chip.dram.ticks : choose_ticks(column_cycles);
  const int64_t tccd = column_ticks(column_cycles, ticks);
  const int64_t latency = ceil_ticks(chip.dram.latency_ns * chip.clock_MHz / 1000.0 * ticks);
  constexpr int64_t kMaxTicks = std::numeric_limits<int>::max() / 4;
  if (tccd > kMaxTicks || latency > kMaxTicks) {
    return error("E0911", {}, fmt::format("dram timing does not fit: a column takes {} ticks, the latency is {} ticks",
                                          tccd, latency));
  }
  config.ticks_per_cycle = ticks;
  config.channels = 1;
  config.access_bytes = chip.dram.access_bytes;
  config.stripe_bytes = kIdealStripeBytes;
  config.command_slots = chip.dram.command_slots;
  config.tCCD_ticks = static_cast<int>(tccd);
  config.CL_ticks = static_cast<int>(latency);
  config.BL_ticks = config.tCCD_ticks;  // MEM-6: a column's data follow each other without a gap
  config.effective_bytes_per_cycle = static_cast<double>(config.access_bytes) * ticks / static_cast<double>(tccd);
  config.rounding_loss_pct = 100.0 * rounding_loss(column_cycles, ticks);
  return config;
}

int64_t jitter_cycles(uint32_t seed, uint64_t arrival, int max_cycles) {
  // Two rounds of multiply and fold; any well-mixed function would do, it only has to stay the same.
  uint64_t word = (uint64_t{seed} + 1) * 0xD6E8FEB86659FD93u ^ arrival;
  for (int round = 0; round < 2; ++round) {
    word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93u;
  }
  word ^= word >> 32;
  return static_cast<int64_t>(word % (static_cast<uint64_t>(max_cycles) + 1));
}

Dram::Dram(const DramConfig& config)
    : config_(config), ticks_(config.ticks_per_cycle), access_(config.access_bytes), stripe_(config.stripe_bytes),
      channels_(static_cast<size_t>(config.channels)) {
  CHECK(config.command_slots >= 1);
  CHECK(config.tCCD_ticks >= 1);
  for (Channel& channel : channels_) channel.releases.resize(static_cast<size_t>(config.command_slots));
}

}  // namespace lockstep::mem
