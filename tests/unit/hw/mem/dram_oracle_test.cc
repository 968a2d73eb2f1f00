// The DRAM class against an oracle that steps every tick and keeps no times, only countdowns and a queue.
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "hw/mem/dram.h"

namespace lockstep::mem {
namespace {

/// Written from MEM-3/6 of docs/timing.md. One call of step_cycle() is one core cycle of D ticks.
class TickOracle {
 public:
  explicit TickOracle(const DramConfig& config) : config_(config) {}

  struct Job {
    int id = 0;
    int columns_left = 0;
  };
  struct Outcome {
    int64_t released_visible = -1;  // first cycle boundary at or after the last column
    int64_t data_visible = -1;      // first cycle boundary at or after the data tick
  };

  bool slot_free_at_start() const { return held_ < config_.command_slots; }
  void grant() { ++held_this_cycle_; }
  void arrive(int64_t address, int bytes) {
    int columns = 0;
    int64_t previous = -1;
    for (int64_t byte = address; byte < address + bytes; ++byte) {
      if (byte / config_.access_bytes != previous) ++columns;
      previous = byte / config_.access_bytes;
    }
    jobs_.push_back({static_cast<int>(outcomes_.size()), columns});
    outcomes_.emplace_back();
  }

  void step_cycle() {
    for (int tick = 0; tick < config_.ticks_per_cycle; ++tick) step_tick(tick);
    // A slot whose last column lay on this cycle's first tick is seen free from the next cycle on; one whose last
    // column came later in the cycle only becomes visible at the next boundary, one cycle after that it is free.
    held_ += held_this_cycle_ - freed_on_boundary_ - freed_in_previous_;
    freed_in_previous_ = freed_inside_;
    held_this_cycle_ = freed_on_boundary_ = freed_inside_ = 0;
    ++cycle_;
  }

  int64_t cycle() const { return cycle_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  struct Flight {
    int id = 0;
    int ticks_left = 0;
  };

  void step_tick(int tick) {
    for (Flight& flight : flights_) {
      if (--flight.ticks_left == 0) outcomes_[static_cast<size_t>(flight.id)].data_visible = visible(tick);
    }
    while (!flights_.empty() && flights_.front().ticks_left <= 0) flights_.pop_front();
    if (cooldown_ > 0) --cooldown_;
    if (cooldown_ > 0 || jobs_.empty()) return;
    Job& job = jobs_.front();
    cooldown_ = config_.tCCD_ticks;
    if (--job.columns_left > 0) return;
    outcomes_[static_cast<size_t>(job.id)].released_visible = visible(tick);
    (tick == 0 ? freed_on_boundary_ : freed_inside_) += 1;
    flights_.push_back({job.id, config_.CL_ticks + config_.BL_ticks});
    jobs_.pop_front();
  }

  int64_t visible(int tick) const { return tick == 0 ? cycle_ : cycle_ + 1; }

  DramConfig config_;
  int64_t cycle_ = 0;
  int cooldown_ = 0;
  int held_ = 0;
  int held_this_cycle_ = 0;
  int freed_on_boundary_ = 0;
  int freed_inside_ = 0;
  int freed_in_previous_ = 0;
  std::deque<Job> jobs_;
  std::deque<Flight> flights_;
  std::vector<Outcome> outcomes_;
};

DramConfig random_config(std::mt19937_64& rng) {
  const auto pick = [&rng](int low, int high) {
    return low + static_cast<int>(rng() % static_cast<uint64_t>(high - low + 1));
  };
  DramConfig config;
  config.ticks_per_cycle = pick(0, 2) == 0 ? 1 : pick(1, 64);
  config.access_bytes = 16 << pick(0, 4);
  if (pick(0, 5) == 0) config.access_bytes = 96;
  config.stripe_bytes = 8192;
  config.command_slots = pick(1, 9);
  config.tCCD_ticks = pick(0, 2) == 0 ? pick(1, 3) : pick(1, 150);
  config.CL_ticks = pick(0, 4) == 0 ? pick(0, 2) : pick(0, 400);
  config.BL_ticks = config.tCCD_ticks;
  return config;
}

/// Drives both with random grants, arrival delays and sizes; returns the bursts compared.
int run_trial(uint64_t seed) {
  std::mt19937_64 rng(seed);
  const DramConfig config = random_config(rng);
  const int density = 1 + static_cast<int>(rng() % 100);
  Dram dram(config);
  TickOracle oracle(config);
  std::vector<Service> services;
  std::deque<int64_t> waiting;  // arrival cycles of granted bursts, in order
  constexpr int kBursts = 400;
  int granted = 0;
  while (services.size() < kBursts) {
    const int64_t cycle = oracle.cycle();
    EXPECT_EQ(dram.slot_free(0, cycle), oracle.slot_free_at_start()) << "seed " << seed << " cycle " << cycle;
    if (testing::Test::HasFailure()) return 0;
    while (!waiting.empty() && waiting.front() == cycle) {
      waiting.pop_front();
      const int bytes = 1 + static_cast<int>(rng() % 1024);
      const int64_t address = static_cast<int64_t>(rng() % (uint64_t{1} << 36));
      services.push_back(dram.arrive(cycle, Burst{.address = address, .bytes = bytes, .write = rng() % 2 == 0}));
      oracle.arrive(address, bytes);
    }
    if (granted < kBursts && oracle.slot_free_at_start() && static_cast<int>(rng() % 100) < density) {
      const int64_t arrival = cycle + 1 + static_cast<int64_t>(rng() % 4 == 0 ? rng() % 20 : 0);
      dram.take_slot(0, cycle);
      oracle.grant();
      waiting.push_back(waiting.empty() ? arrival : std::max(arrival, waiting.back()));
      ++granted;
    }
    oracle.step_cycle();
  }
  while (oracle.outcomes().back().data_visible < 0) oracle.step_cycle();
  for (size_t n = 0; n < services.size(); ++n) {
    EXPECT_EQ(services[n].release_cycle, oracle.outcomes()[n].released_visible) << "seed " << seed << " burst " << n;
    EXPECT_EQ(services[n].data_cycle, oracle.outcomes()[n].data_visible) << "seed " << seed << " burst " << n;
    if (testing::Test::HasFailure()) return 0;
  }
  return kBursts;
}

TEST(DramOracle, EqualsTheTickSteppedOracleOnRandomBursts) {
  int bursts = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    bursts += run_trial(seed);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GE(bursts, 100000);
  RecordProperty("bursts", bursts);
}

}  // namespace
}  // namespace lockstep::mem
