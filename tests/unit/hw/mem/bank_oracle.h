// A second reading of MEM-2..5 of docs/timing.md that steps every tick and asks of every command whether it may go now.
// It stores when commands did happen, never when they will. Shares only DramConfig with hw/mem.
//
// The one look into the future that the rules demand, whether a burst's first column comes before the next refresh is
// due, is answered by stepping a copy of the channel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "hw/mem/dram_config.h"

namespace lockstep::mem::test {

class BankOracle {
 public:
  struct Request {
    int64_t address = 0;
    int bytes = 0;
    bool write = false;
    int queue = 0;
    bool close = false;
  };
  struct Outcome {
    int64_t released = -1;  // cycles, -1 = not yet
    int64_t data = -1;
  };

  explicit BankOracle(const DramConfig& config) : config_(config), stripes_(3, -1) {
    Channel channel;
    channel.banks.resize(static_cast<size_t>(config.banks));
    channels_.assign(static_cast<size_t>(config.channels), channel);
  }

  int channel_of(int64_t address) const { return static_cast<int>(address / config_.interleave_bytes % config_.channels); }
  int64_t cycle() const { return now_ / config_.ticks_per_cycle; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }
  int64_t refreshes(int channel) const { return channels_[static_cast<size_t>(channel)].refreshed; }
  bool late_column() const { return late_column_; }

  /// Call once per cycle before the arrivals of that cycle.
  void begin_cycle() {
    for (Channel& channel : channels_) queue_due_refreshes(channel);
  }

  void arrive(const Request& request) {
    Channel& channel = channels_[static_cast<size_t>(channel_of(request.address))];
    const int64_t stripe = request.address / config_.row_bytes / config_.channels;
    if (stripes_[static_cast<size_t>(request.queue)] != stripe) leave(request.queue);
    stripes_[static_cast<size_t>(request.queue)] = stripe;
    Job job;
    job.id = static_cast<int>(outcomes_.size());
    job.write = request.write;
    job.bank = static_cast<size_t>(stripe % config_.banks);
    job.columns = static_cast<int>((request.address + request.bytes - 1) / config_.access_bytes -
                                   request.address / config_.access_bytes + 1);
    outcomes_.emplace_back();
    const int64_t row = stripe / config_.banks;
    plan(channel, job, row);
    while (config_.tREFI_ticks > 0 && first_column(channel, job) >= due(channel)) {
      queue_refresh(channel);
      plan(channel, job, row);
    }
    Plan& bank = channel.banks[job.bank].plan;
    if (job.kind != Kind::kHit) bank = {row, request.queue};
    channel.jobs.push_back(job);
    if (request.close) leave(request.queue);
    if (request.close) stripes_[static_cast<size_t>(request.queue)] = -1;
  }

  void end_cycle() {
    for (int tick = 0; tick < config_.ticks_per_cycle; ++tick, ++now_) {
      for (Channel& channel : channels_) {
        queue_due_refreshes(channel);
        step(channel, now_, true);
      }
    }
  }

 private:
  static constexpr int64_t kLongAgo = -(int64_t{1} << 40);
  enum class Kind { kHit, kBankClosed, kOtherRowOpen, kRefresh };

  struct Job {
    Kind kind = Kind::kHit;
    int id = 0;
    size_t bank = 0;
    bool write = false;
    int columns = 0;
    bool started = false;
    bool precharged = false;
    bool activated = false;
    int64_t due = 0;                 // refresh
    std::vector<bool> must_precharge;  // refresh: banks it finds open
  };
  struct Plan {  // what the bank holds once all queued jobs are through; row -1 = nothing
    int64_t row = -1;
    int owner = 0;
  };
  struct Bank {
    Plan plan;
    int64_t activated = kLongAgo, read = kLongAgo, written = kLongAgo, precharged = kLongAgo, refreshed = kLongAgo;
  };
  struct Channel {
    std::deque<Job> jobs;
    std::vector<Bank> banks;
    std::deque<int64_t> activates;  // of single banks, latest last
    int64_t column = kLongAgo, read = kLongAgo, written = kLongAgo;
    int64_t refreshes_queued = 0, refreshed = 0;
  };

  int64_t due(const Channel& channel) const { return (channel.refreshes_queued + 1) * config_.tREFI_ticks; }

  void queue_due_refreshes(Channel& channel) const {
    while (config_.tREFI_ticks > 0 && due(channel) <= now_) queue_refresh(channel);
  }

  void queue_refresh(Channel& channel) const {
    Job job;
    job.kind = Kind::kRefresh;
    job.due = due(channel);
    for (Bank& bank : channel.banks) {
      job.must_precharge.push_back(bank.plan.row >= 0);
      bank.plan = {};
    }
    channel.jobs.push_back(job);
    ++channel.refreshes_queued;
  }

  void plan(const Channel& channel, Job& job, int64_t row) const {
    const int64_t held = channel.banks[job.bank].plan.row;
    job.kind = held == row ? Kind::kHit : held < 0 ? Kind::kBankClosed : Kind::kOtherRowOpen;
  }

  void leave(int queue) {
    const int64_t stripe = stripes_[static_cast<size_t>(queue)];
    if (stripe < 0) return;
    for (Channel& channel : channels_) {
      Plan& held = channel.banks[static_cast<size_t>(stripe % config_.banks)].plan;
      if (held.row == stripe / config_.banks && held.owner == queue) held = {};
    }
  }

  /// Steps a copy with the job behind all others; far from the next refresh any early tick will do.
  int64_t first_column(const Channel& channel, const Job& job) {
    const int64_t slow = config_.tRAS_ticks + config_.tRP_ticks + config_.tFAW_ticks + config_.CL_ticks +
                         config_.CWL_ticks + config_.tWR_ticks + 8 * config_.tRRD_ticks + config_.tRTW_ticks +
                         (config_.interleave_bytes / config_.access_bytes + 2) * config_.tCCD_ticks;
    const bool after_refresh = channel.refreshed < channel.refreshes_queued;
    if (!after_refresh && now_ + config_.tRFC_ticks + slow * static_cast<int64_t>(channel.jobs.size() + 1) < due(channel)) return now_;
    Channel copy = channel;
    copy.jobs.push_back(job);
    for (int64_t tick = now_;; ++tick) {
      step(copy, tick, false);
      if (copy.jobs.empty() || copy.jobs.back().started) return tick;
    }
  }

  bool may_precharge(const Bank& bank, int64_t t) const {
    return t >= bank.activated + (config_.bank_groups - 1) * config_.tRRD_ticks + config_.tRAS_ticks &&
           t >= bank.read + config_.tRTP_ticks &&
           t >= bank.written + config_.CWL_ticks + config_.BL_ticks + config_.tWR_ticks;
  }
  bool is_idle(const Bank& bank, bool explicitly, int64_t t) const {
    if (t < bank.refreshed + config_.tRFC_ticks) return false;
    return explicitly ? t >= bank.precharged + config_.tRP_ticks : may_precharge(bank, t - config_.tRP_ticks);
  }

  void step(Channel& channel, int64_t t, bool real) {
    step_refresh(channel, t);
    step_columns(channel, t, real);
    bool in_order = true;
    for (size_t n = 0; n < channel.jobs.size() && channel.jobs[n].kind != Kind::kRefresh; ++n) {
      Job& job = channel.jobs[n];
      if (job.kind == Kind::kHit || job.activated) continue;
      const auto same_bank = [&](const Job& other) { return other.bank == job.bank; };
      const auto here = channel.jobs.begin() + static_cast<std::ptrdiff_t>(n);
      Bank& bank = channel.banks[job.bank];
      const bool free = std::none_of(channel.jobs.begin(), here, same_bank);
      if (free && job.kind == Kind::kOtherRowOpen && !job.precharged && may_precharge(bank, t)) {
        job.precharged = true;
        bank.precharged = t;
      }
      const bool ready = job.kind == Kind::kBankClosed || job.precharged;
      if (in_order && free && ready && is_idle(bank, job.precharged, t) && may_activate(channel, t)) {
        job.activated = true;
        bank.activated = t;
        for (int g = 0; g < config_.bank_groups; ++g) channel.activates.push_back(t + g * config_.tRRD_ticks);
        while (channel.activates.size() > 4) channel.activates.pop_front();
      }
      in_order = in_order && job.activated;
    }
  }

  bool may_activate(const Channel& channel, int64_t t) const {
    if (channel.activates.empty()) return true;
    return t >= channel.activates.back() + config_.tRRD_ticks &&
           (channel.activates.size() < 4 || t >= channel.activates.front() + config_.tFAW_ticks);
  }

  void step_refresh(Channel& channel, int64_t t) const {
    if (channel.jobs.empty() || channel.jobs.front().kind != Kind::kRefresh || t < channel.jobs.front().due) return;
    Job& job = channel.jobs.front();
    bool all_idle = true;
    for (size_t n = 0; n < channel.banks.size(); ++n) {
      Bank& bank = channel.banks[n];
      if (job.must_precharge[n] && bank.precharged < std::max(bank.activated, job.due) && may_precharge(bank, t)) {
        bank.precharged = t;
      }
      const bool waits = job.must_precharge[n] && bank.precharged < std::max(bank.activated, job.due);
      all_idle = all_idle && !waits && is_idle(bank, job.must_precharge[n], t);
    }
    if (!all_idle) return;
    for (Bank& bank : channel.banks) bank.refreshed = t;
    ++channel.refreshed;
    channel.jobs.pop_front();
  }

  void step_columns(Channel& channel, int64_t t, bool real) {
    if (channel.jobs.empty()) return;
    Job& job = channel.jobs.front();
    if (job.kind == Kind::kRefresh || (job.kind != Kind::kHit && !job.activated)) return;
    Bank& bank = channel.banks[job.bank];
    const int opening = (config_.bank_groups - 1) * config_.tRRD_ticks +
                        (job.write ? config_.tRCDwr_ticks : config_.tRCDrd_ticks);
    const int64_t turned = job.write ? channel.read + config_.tRTW_ticks
                                     : channel.written + config_.CWL_ticks + config_.BL_ticks + config_.tWTR_ticks;
    if (t < bank.activated + opening || t < channel.column + config_.tCCD_ticks || t < turned) return;
    if (real && !job.started && config_.tREFI_ticks > 0 && t >= due(channel)) late_column_ = true;
    job.started = true;
    (job.write ? bank.written : bank.read) = (job.write ? channel.written : channel.read) = channel.column = t;
    if (--job.columns > 0) return;
    const auto visible = [this](int64_t tick) { return (tick + config_.ticks_per_cycle - 1) / config_.ticks_per_cycle; };
    if (real) outcomes_[static_cast<size_t>(job.id)] = {visible(t), visible(t + config_.CL_ticks + config_.BL_ticks)};
    channel.jobs.pop_front();
  }

  DramConfig config_;
  int64_t now_ = 0;
  bool late_column_ = false;
  std::vector<int64_t> stripes_;
  std::vector<Channel> channels_;
  std::vector<Outcome> outcomes_;
};

}  // namespace lockstep::mem::test
