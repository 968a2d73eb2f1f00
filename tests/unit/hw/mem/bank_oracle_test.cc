// The DRAM class against the tick-stepped oracle of bank_oracle.h on random bursts, for every preset, with the part's
// refresh, with refresh far more often than any part needs, and without.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <gtest/gtest.h>

#include "hw/chip/dram_preset.h"
#include "hw/mem/dram.h"
#include "tests/unit/hw/mem/bank_oracle.h"

namespace lockstep::mem::test {
namespace {

/// LOCKSTEP_DRAM_BURSTS: bursts per preset and kind of refresh.
int64_t bursts_to_run(int64_t otherwise) {
  const char* text = std::getenv("LOCKSTEP_DRAM_BURSTS");
  return text == nullptr ? otherwise : std::atoll(text);
}

enum class RefreshKind { kNone, kOfThePart, kFrequent };

class Trial {
 public:
  Trial(std::string_view preset, RefreshKind refresh, uint64_t seed)
      : rng_(seed), config_(make(preset, refresh)), dram_(config_), oracle_(config_), held_(static_cast<size_t>(config_.channels)),
        queues_(kQueues) {
    for (QueueTraffic& queue : queues_) queue.address = random_address();
    hot_rows_ = pick(1, 3) == 1;
    busy_percent_ = pick(1, 3) == 1 ? pick(1, 20) : 100;
    random_percent_ = pick(0, 2) * pick(0, 50);
  }

  /// Empty when both agree on every burst, slot and refresh.
  std::string run(int bursts) {
    while (static_cast<int>(services_.size()) < bursts) {
      const std::string wrong = step_cycle(bursts);
      if (!wrong.empty()) return wrong;
    }
    while (!all_done()) {
      oracle_.begin_cycle();
      oracle_.end_cycle();
    }
    for (size_t n = 0; n < services_.size(); ++n) {
      const BankOracle::Outcome& expected = oracle_.outcomes()[n];
      if (services_[n].release_cycle != expected.released || services_[n].data_cycle != expected.data) {
        return fmt::format("burst {}: class releases in {}, data in {}; oracle {}, {}", n, services_[n].release_cycle,
                           services_[n].data_cycle, expected.released, expected.data);
      }
    }
    return oracle_.late_column() ? "a column came after a refresh was due" : "";
  }

 private:
  struct QueueTraffic {
    int64_t address = 0;
    int64_t left = 0;  // bytes of the descriptor
    bool continues = false;
  };
  struct Pending {
    int64_t arrival = 0;
    Burst burst;
  };

  int pick(int low, int high) { return low + static_cast<int>(rng_() % static_cast<uint64_t>(high - low + 1)); }

  DramConfig make(std::string_view preset, RefreshKind refresh) {
    chip::ChipSpec chip;
    chip.clock_MHz = pick(300, 2000);
    chip.dram.preset = preset;
    chip.dram.channels = 1 << pick(0, 3);
    chip.dram.gang = 1 << pick(0, 4);
    chip.dram.command_slots = pick(1, 3) == 1 ? pick(1, 3) : pick(4, 16);
    chip.dram.ticks = pick(1, 4) == 1 ? pick(1, 8) : pick(1, 2);
    chip.dma.burst_bytes = 256 << pick(0, 4);
    DramConfig config = make_dram_config(chip).value();
    if (refresh == RefreshKind::kNone) config.tREFI_ticks = 0;
    if (refresh == RefreshKind::kFrequent) {
      config.tRFC_ticks = pick(1, config.tRFC_ticks);
      const int opening = 3 * config.tRRD_ticks + std::max(config.tRCDrd_ticks, config.tRCDwr_ticks);
      config.tREFI_ticks = config.tRFC_ticks + opening + pick(1, 400);
    }
    return config;
  }

  int64_t random_address() {
    const int64_t rows = hot_rows_ ? 2 : 64;
    const int64_t stripe = static_cast<int64_t>(rng_() % static_cast<uint64_t>(rows * config_.banks));
    const int64_t inside = static_cast<int64_t>(rng_() % static_cast<uint64_t>(config_.stripe_bytes / 32)) * 32;
    return stripe * config_.stripe_bytes + inside;
  }

  Burst next_burst(size_t q) {
    QueueTraffic& queue = queues_[q];
    if (queue.left == 0) {
      queue.left = 32 * pick(1, pick(1, 2) == 1 ? 8 : 2000);
      if (!queue.continues || pick(1, 4) == 1) queue.address = random_address();
      queue.continues = pick(1, 2) == 1;
    } else if (pick(1, 100) <= random_percent_) {
      queue.address = random_address();
    }
    const int64_t room = config_.interleave_bytes - queue.address % config_.interleave_bytes;
    Burst burst;
    burst.address = queue.address;
    burst.bytes = static_cast<int>(std::min(queue.left, room));
    burst.channel = oracle_.channel_of(burst.address);
    burst.queue = static_cast<uint8_t>(q);
    burst.write = q == 2;
    queue.address += burst.bytes;
    queue.left -= burst.bytes;
    burst.close = queue.left == 0 && !queue.continues;
    return burst;
  }

  bool slot_free(size_t channel) const {
    const int64_t cycle = oracle_.cycle();
    const auto holds = [&](int id) {
      if (id >= static_cast<int>(oracle_.outcomes().size())) return true;
      const int64_t released = oracle_.outcomes()[static_cast<size_t>(id)].released;
      return released < 0 || released >= cycle;
    };
    return std::count_if(held_[channel].begin(), held_[channel].end(), holds) + in_flight_[channel] < config_.command_slots;
  }

  std::string step_cycle(int bursts) {
    const int64_t cycle = oracle_.cycle();
    for (size_t c = 0; c < held_.size(); ++c) {
      while (!held_[c].empty() && oracle_.outcomes()[static_cast<size_t>(held_[c].front())].released >= 0 &&
             oracle_.outcomes()[static_cast<size_t>(held_[c].front())].released < cycle) {
        held_[c].pop_front();
      }
      if (dram_.slot_free(static_cast<int>(c), cycle) != slot_free(c)) {
        return fmt::format("cycle {}: slots of channel {} differ", cycle, c);
      }
    }
    oracle_.begin_cycle();
    deliver(cycle);
    if (granted_ < bursts && cycle >= idle_until_ && pick(1, 100) <= busy_percent_) grant(cycle);
    oracle_.end_cycle();
    return {};
  }

  /// Arrivals of this cycle: the load of the last cycle's grant, then the store.
  void deliver(int64_t cycle) {
    for (std::deque<Pending>* pending : {&loads_, &stores_}) {
      while (!pending->empty() && pending->front().arrival == cycle) {
        const Burst& b = pending->front().burst;
        --in_flight_[static_cast<size_t>(b.channel)];
        held_[static_cast<size_t>(b.channel)].push_back(static_cast<int>(services_.size()));
        services_.push_back(dram_.arrive(cycle, b));
        oracle_.arrive({b.address, b.bytes, b.write, b.queue, b.close});
        pending->pop_front();
      }
    }
  }

  void grant(int64_t cycle) {
    const size_t q = static_cast<size_t>(pick(0, 9) < 6 ? last_queue_ : pick(0, 2));
    last_queue_ = static_cast<int>(q);
    if (!next_) next_ = next_burst(q);
    const Burst burst = *next_;
    const auto channel = static_cast<size_t>(burst.channel);
    if (!dram_.slot_free(burst.channel, cycle)) return;
    next_.reset();
    dram_.take_slot(burst.channel, cycle);
    ++in_flight_[channel];
    ++granted_;
    if (burst.write) {
      const int64_t arrival = std::max(cycle + pick(2, 12), stores_.empty() ? 0 : stores_.back().arrival + 1);
      stores_.push_back({arrival, burst});
    } else {
      loads_.push_back({cycle + 1, burst});
    }
    if (pick(1, 300) == 1) idle_until_ = cycle + pick(1, 4 * std::max(200, config_.tREFI_ticks / config_.ticks_per_cycle));
  }

  bool all_done() const {
    return std::all_of(oracle_.outcomes().begin(), oracle_.outcomes().end(),
                       [](const BankOracle::Outcome& outcome) { return outcome.released >= 0; });
  }

  std::mt19937_64 rng_;
  DramConfig config_;
  Dram dram_;
  BankOracle oracle_;
  std::vector<std::deque<int>> held_;
  std::array<int, 8> in_flight_{};
  std::vector<QueueTraffic> queues_;
  std::optional<Burst> next_;
  std::deque<Pending> loads_, stores_;
  std::vector<Service> services_;
  int granted_ = 0;
  int64_t idle_until_ = 0;
  int last_queue_ = 0;
  bool hot_rows_ = false;
  int busy_percent_ = 100;
  int random_percent_ = 0;
};

class BankOracleTest : public testing::TestWithParam<std::string> {
 protected:
  void compare(RefreshKind refresh, int64_t share = 1) {
    constexpr int kBurstsPerTrial = 500;
    const int64_t wanted = bursts_to_run(6'000) / share;
    int64_t bursts = 0;
    for (uint64_t seed = 1; bursts < wanted; ++seed, bursts += kBurstsPerTrial) {
      const std::string wrong = Trial(GetParam(), refresh, seed).run(kBurstsPerTrial);
      ASSERT_EQ(wrong, "") << "seed " << seed;
    }
    std::printf("%s: %lld bursts\n", GetParam().c_str(), static_cast<long long>(bursts));
  }
};

TEST_P(BankOracleTest, Mem4EqualsTheOracleWithoutRefresh) { compare(RefreshKind::kNone); }
TEST_P(BankOracleTest, Mem5EqualsTheOracleWithTheRefreshOfThePart) { compare(RefreshKind::kOfThePart); }
TEST_P(BankOracleTest, Mem5EqualsTheOracleWithFrequentRefresh) { compare(RefreshKind::kFrequent, 6); }

std::vector<std::string> presets() {
  std::vector<std::string> names = chip::dram_preset_names();
  names.erase(names.begin());  // ideal has its own oracle
  return names;
}

INSTANTIATE_TEST_SUITE_P(Presets, BankOracleTest, testing::ValuesIn(presets()),
                         [](const auto& preset) { return preset.param; });

}  // namespace
}  // namespace lockstep::mem::test
