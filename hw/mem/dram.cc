#include "hw/mem/dram.h"

namespace lockstep::mem {

namespace {

int exact_log2(int64_t value) {
  CHECK(value > 0 && (value & (value - 1)) == 0) << value << " is not a power of two";
  return __builtin_ctzll(static_cast<uint64_t>(value));
}

}  // namespace

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
    : config_(config), ticks_(config.ticks_per_cycle), access_(config.access_bytes),
      interleave_log2_(exact_log2(config.interleave_bytes)), stripe_log2_(exact_log2(config.stripe_bytes)),
      bank_log2_(config.banks == 0 ? 0 : exact_log2(config.banks)),
      act_span_(int64_t{config.bank_groups - 1} * config.tRRD_ticks),
      act_pitch_(std::max<int64_t>(int64_t{config.bank_groups} * config.tRRD_ticks, config.tFAW_ticks)),
      write_to_read_(std::max(config.tCCD_ticks, config.CWL_ticks + config.BL_ticks + config.tWTR_ticks)),
      read_to_write_(std::max(config.tCCD_ticks, config.tRTW_ticks)),
      write_recovery_(int64_t{config.CWL_ticks} + config.BL_ticks + config.tWR_ticks),
      channels_(static_cast<size_t>(config.channels)) {
  CHECK(config.command_slots >= 1);
  CHECK(config.tCCD_ticks >= 1);
  CHECK(exact_log2(config.channels) <= 3);
  // Else no burst would ever come before the next refresh.
  CHECK(config.tREFI_ticks == 0 ||
        config.tREFI_ticks > config.tRFC_ticks + act_span_ + std::max(config.tRCDrd_ticks, config.tRCDwr_ticks));
  for (Channel& channel : channels_) {
    channel.releases.resize(static_cast<size_t>(config.command_slots));
    channel.banks.resize(static_cast<size_t>(config.banks));
    if (config.tREFI_ticks > 0) channel.refresh_due = config.tREFI_ticks;
  }
}

/// MEM-4. Schedules a burst of columns over `length` ticks; returns the tick of the last one.
int64_t Dram::schedule(int64_t arrival, const Burst& burst, int64_t length) {
  Channel& c = channels_[static_cast<size_t>(burst.channel)];
  Queue& queue = queues_[burst.queue];
  const int64_t stripe = stripe_of(burst.address);
  const int64_t row = row_of(stripe);
  Bank& bank = c.banks[static_cast<size_t>(bank_of(stripe))];
  catch_up(c, arrival);
  if (queue.stripe != stripe) {
    close_rows(burst.queue, arrival);
    queue.stripe = stripe;
  }
  const int64_t bus = std::max(arrival, burst.write ? c.next_write : c.next_read);
  const int64_t act_to_column = act_span_ + (burst.write ? config_.tRCDwr_ticks : config_.tRCDrd_ticks);
  int64_t act = 0;
  int64_t first_column = 0;
  for (;;) {
    if (bank.row == row) {
      act = bank.act;
    } else {
      const int64_t ready = bank.row == kClosed ? bank.ready : std::max(arrival, bank.ready) + config_.tRP_ticks;
      act = std::max({arrival, ready, c.next_act});
    }
    first_column = std::max(bus, act + act_to_column);
    if (first_column < c.refresh_due) break;
    refresh(c);  // MEM-5: this burst and all after it wait
  }
  if (bank.row != row) {
    bank = {row, act, act + act_span_ + config_.tRAS_ticks, burst.queue};
    c.next_act = act + act_pitch_;
  }
  const int64_t last_column = first_column + length;
  bank.ready = std::max(bank.ready, last_column + (burst.write ? write_recovery_ : config_.tRTP_ticks));
  c.next_read = last_column + (burst.write ? write_to_read_ : config_.tCCD_ticks);
  c.next_write = last_column + (burst.write ? config_.tCCD_ticks : read_to_write_);
  if (burst.close) {
    close_rows(burst.queue, arrival);
    queue.stripe = -1;
  }
  return last_column;
}

/// MEM-5: the refresh that is due next, with all bursts scheduled so far before it.
void Dram::refresh(Channel& c) {
  int64_t start = c.refresh_due;
  for (const Bank& bank : c.banks) {
    start = std::max(start, bank.row == kClosed ? bank.ready : std::max(c.refresh_due, bank.ready) + config_.tRP_ticks);
  }
  for (Bank& bank : c.banks) bank = {kClosed, 0, start + config_.tRFC_ticks, 0};
  c.refresh_due += config_.tREFI_ticks;
  ++c.refreshes;
}

/// The refreshes due at or before `tick`. Behind the first one all banks are closed and ready together, and the k-th
/// of the rest starts at the later of its due tick and the end of the one before it.
void Dram::catch_up(Channel& c, int64_t tick) {
  if (c.refresh_due > tick) return;
  refresh(c);
  if (c.refresh_due > tick) return;
  const int64_t more = (tick - c.refresh_due) / config_.tREFI_ticks + 1;
  const int64_t last_due = c.refresh_due + (more - 1) * config_.tREFI_ticks;
  const int64_t start = std::max(last_due, c.banks.front().ready + (more - 1) * config_.tRFC_ticks);
  for (Bank& bank : c.banks) bank.ready = start + config_.tRFC_ticks;
  c.refresh_due = last_due + config_.tREFI_ticks;
  c.refreshes += more;
}

/// MEM-4: the queue leaves its stripe; the rows it opened there count as precharged with their last column.
void Dram::close_rows(uint8_t queue, int64_t tick) {
  const int64_t stripe = queues_[queue].stripe;
  if (stripe < 0) return;
  for (Channel& c : channels_) {
    catch_up(c, tick);
    Bank& bank = c.banks[static_cast<size_t>(bank_of(stripe))];
    if (bank.row != row_of(stripe) || bank.owner != queue) continue;
    bank.row = kClosed;
    bank.ready += config_.tRP_ticks;
  }
}

void Dram::append_canonical(int64_t cycle, std::vector<int64_t>& key) const {
  CHECK(config_.banks == 0);
  for (const Channel& c : channels_) {
    // The next arrival is one of cycle + 1 at the earliest; columns before its tick cannot delay it.
    const int64_t earliest = (cycle + 1) * config_.ticks_per_cycle;
    key.push_back(std::max<int64_t>(c.next_read - earliest, 0));
    key.push_back(c.held);
    // A release before `cycle` frees its slot for every grant to come.
    const size_t count_at = key.size();
    key.push_back(0);
    for (int k = 0; k < c.known; ++k) {
      const int64_t release = c.releases[static_cast<size_t>((c.first + k) % config_.command_slots)];
      if (release < cycle) continue;
      key.push_back(release - cycle);
      ++key[count_at];
    }
  }
}

void Dram::shift(int64_t cycles) {
  CHECK(config_.banks == 0);
  for (Channel& c : channels_) {
    c.next_read += cycles * config_.ticks_per_cycle;
    for (int64_t& release : c.releases) release += cycles;
  }
}

}  // namespace lockstep::mem
