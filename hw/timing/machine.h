// The exact event-level model of the core.
//
// Time jumps from event to event; an event is the issue of a word or the grant of a burst. Dispatches need no
// event of their own (SequencerState), nor do posts: the moments of a word are known as soon as it issues (LD, ST:
// at its last grant), so a post is a future token and a waiting head knows in which cycle it will be satisfied.
//
//   sequencer --run ahead--> queue heads --next_issue_[slot]--+
//                                ^   tokens, planes           |--> earliest first --> issue or grant
//   arbiter --request_ready_[queue], command slots------------+
//
// Events of one cycle act only on later cycles ("at the start of cycle"), so their order inside a cycle is free,
// with one exception that the loop respects: an issue comes before an arbitration (DMA-2 with setup 0).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hw/isa/fault.h"
#include "hw/mem/fixed_divider.h"
#include "hw/target/target.h"
#include "hw/timing/loop_memo.h"
#include "hw/timing/machine_state.h"
#include "hw/timing/static_program.h"

namespace lockstep::timing {

class Machine {
 public:
  /// All must outlive the machine. Events are recorded only when `log` is given; iterations of loops are jumped over
  /// only when `memo` is given, and never together with a log.
  Machine(const StaticProgram& program, const MachineConfig& config, int64_t max_cycles, target::EventLog* log,
          LoopMemo* memo = nullptr);

  /// Runs from reset to HALT or to the first fault. Call once.
  void run();

  const std::optional<target::Fault>& fault() const { return fault_; }
  int64_t cycles() const { return cycles_; }
  const metrics::Counters& counters() const { return counters_; }
  /// Instructions issued and bursts granted.
  uint64_t events() const;

 private:
  // machine.cc: the main loop, issue, semaphores
  void issue(Slot slot, int64_t cycle);
  void issue_mxu(const StaticWord& word, int64_t cycle);
  void update_head(Slot slot);
  int64_t head_ready(Slot slot) const;
  int64_t tokens_ready(const isa::Wait& wait) const;
  void consume(const StaticWord& word, int64_t cycle);
  void add_posts_before(uint8_t sem, int64_t cycle);
  void retire(Slot slot, const QueuedWord& queued, int64_t issue, int64_t source_free, int64_t done, int64_t now);
  void note_fault(const char* code, uint32_t tag, int64_t cycle, std::string detail);
  void finish();

  // machine_sequencer.cc
  void run_sequencer();
  void resume_sequencer(Slot issued, int64_t cycle);
  bool has_place(Slot slot) const;
  void dispatch_engine_word(const StaticWord& word);
  void next_word(uint32_t pc);
  void open_loop(const StaticWord& word);
  void close_loop(const StaticWord& word);
  void dispatch_sync(const StaticWord& word);
  void stop_sequencer(isa::FaultCode code, uint32_t tag, std::string detail);

  // machine_dma.cc
  void issue_dma(const QueuedWord& queued, Slot slot, int64_t cycle);
  void issue_marker(const QueuedWord& queued, Slot slot, int64_t cycle);
  void push_element(DmaState& dma, int64_t end);
  void cut_request(DmaState& dma) const;
  bool next_request(DmaState& dma) const;
  int choose_queue(int64_t cycle);
  void run_grants(int64_t limit);
  bool grant(int64_t cycle);
  void finish_transfer(Slot slot, int64_t last_grant);
  mem::Service arrive(int64_t cycle, int64_t address, int64_t bytes, bool write);
  void send_store();
  int64_t command_slot_cycle();
  void update_next_grant();
  void record_burst(size_t queue, int64_t cycle, int64_t first_beat, int64_t last_beat);

  // machine_jump.cc
  void leave_boundary();
  void visit_boundary();
  void jump(const LoopInfo& loop, const Recurrence& found, const BoundaryTotals& now, int64_t periods);
  int64_t safe_periods(const LoopInfo& loop, const Recurrence& found, const BoundaryTotals& now);
  void shift_times(int64_t cycles);
  void shift_addresses(const LoopInfo& loop, int64_t iterations);
  void note_stripe_test(uint32_t pc, int64_t stripe);
  int64_t work() const { return static_cast<int64_t>(counters_.words + counters_.read_bursts + counters_.write_bursts); }

  // stuck.cc
  uint32_t stuck_tag() const;
  std::string stuck_text() const;
  std::string head_text(Slot slot) const;

  const StaticProgram& program_;
  const MachineConfig& config_;
  target::EventLog* log_;
  LoopMemo* memo_;
  mem::FixedDivider burst_divider_;
  mem::FixedDivider beat_divider_;

  MachineState state_;
  // Derived from the state, kept up to date: when each head issues and when each queue's request is eligible but
  // for the command slot; kNever = not known yet.
  std::array<int64_t, kSlotCount> next_issue_;
  std::array<int64_t, kDmaSlots> request_ready_;
  int64_t next_grant_ = kNever;

  int64_t last_event_ = 0;
  uint8_t boundary_level_ = 0;  // of the loop whose boundary the sequencer stands at
  int64_t stop_cycle_;  // events from here on do not happen: watchdog or an earlier fault of the sequencer
  bool halted_ = false;
  std::optional<target::Fault> fault_;
  int64_t cycles_ = 0;
  metrics::Counters counters_;
};

}  // namespace lockstep::timing
