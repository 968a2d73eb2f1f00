// A second reading of docs/timing.md: the whole core as registers, queues and down-counters, advanced one cycle at
// a time. It is slow and says so; it exists to be compared with the event model. It shares no code with hw/timing;
// the DRAM class is shared, as it is with RTL (it has its own oracle in tests/unit/hw/mem).
//
// A cycle has three parts: what is visible at its start is frozen; every unit decides on that; then the decisions
// take effect, to be seen in the next cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/mem/dram.h"
#include "hw/target/target.h"

namespace lockstep::timing::stepped {

struct Outcome {
  bool halted = false;
  std::string fault;  // code; empty = none
  int64_t fault_cycle = -1;
  uint32_t fault_tag = 0;
  int64_t cycles = 0;
  metrics::Counters counters;
  target::EventLog log;
};

class SteppedReference {
 public:
  SteppedReference(const chip::ChipSpec& chip, const isa::Program& program, const target::RunOptions& options);
  Outcome run(int64_t max_cycles);

 private:
  /// A word between its dispatch and its done event; `record` is filled as its events happen.
  struct Word {
    const isa::Instr* instr = nullptr;
    size_t record = 0;  // index in the engine's log
    int64_t dispatch = 0;
    uint32_t pc = 0;
    int64_t hbm_address = 0;
  };

  /// An event some cycles away. Fires at the end of the cycle in which `left` is 0.
  struct Timer {
    int64_t left = 0;
    Word word;
    isa::PostWhen moment = isa::PostWhen::kDone;
  };

  struct Request {
    int64_t address = 0;
    int bytes = 0;
  };

  /// A burst or a marker in its queue's order.
  struct Element {
    bool marker = false;
    Request request;
    int beats_left = 0;
    bool data_here = false;     // LD: visible since an earlier cycle; ST and markers: always
    int64_t data_wait = -1;     // LD: cycles until the data is visible, -1 = not arrived at the memory
    bool fresh = true;          // entered the order in this cycle
    bool last_of_word = false;
    Word word;
    size_t record = 0;
    bool started = false;
  };

  struct StoreTravel {  // VMEM read pipeline and the way to the channel
    int64_t left = 0;
    Element element;
  };

  struct Engine {
    std::deque<Word> queue;
    size_t size_at_start = 0;
    int64_t busy_left = 0;
    int outstanding = 0;  // dispatched words whose done event has not happened
    // VX
    int64_t vx_iterations_left = 0;
    enum class Phase { kIdle, kStart, kLoad, kStore } phase = Phase::kIdle;
    int64_t phase_left = 0;
    Word vx_word;
    // LD and ST
    bool transferring = false;
    Word transfer;
    int64_t transfer_cycles = 0;
    int64_t setup_left = 0;
    std::deque<Request> requests;
    std::deque<Element> order;   // elements that have not had their last beat
    std::deque<StoreTravel> travel;
    std::optional<size_t> arriving;  // LD: granted in the previous cycle
    int window_used = 0;             // elements between grant and end, as visible at the start of the cycle
    int window_entering = 0;
    int window_leaving = 0;
  };

  // The parts of a cycle, in order.
  void freeze();
  void arrivals();
  void issue_engines();
  void arbitrate();
  void dispatch();
  void advance_vx();
  void advance_beats();
  void fire_timers();
  void take_effect();

  bool may_issue(const Engine& engine, const Word& word) const;
  void issue(isa::EngineId id);
  void issue_dma(isa::EngineId id, const Word& word);
  void issue_vx(const Word& word);
  void schedule(const Word& word, isa::PostWhen moment, int64_t cycles_from_now);
  void happen(const Word& word, isa::PostWhen moment);
  void end_element(Engine& engine, const Element& element);
  std::deque<Request> cut(const isa::DmaBody& body, int64_t address) const;
  bool eligible(isa::EngineId id) const;
  void grant(isa::EngineId id);
  void dispatch_word(const isa::Instr& instr);
  void dispatch_control(const isa::Instr& instr);
  void fail(const char* code, uint32_t tag);

  chip::ChipSpec chip_;
  const isa::Program& program_;
  mem::Dram dram_;
  int64_t now_ = 0;
  Outcome out_;

  std::array<Engine, isa::kEngineCount> engines_;
  std::array<int, isa::kSemaphores> tokens_{};       // as visible at the start of the cycle
  std::array<int, isa::kSemaphores> token_change_{};
  std::array<uint32_t, isa::kSemaphores> last_post_tag_{};
  bool plane_pending_ = false;
  bool plane_next_ = false;
  std::vector<Timer> timers_;
  bool slot_free_ = true;

  int holder_ = -1;  // position in the ring LD0, LD1, ST0
  int quantum_ = 0;
  int64_t holder_stripe_ = 0;

  uint32_t pc_ = 0;
  std::array<int64_t, isa::kLoopLevels> index_{};
  std::array<int64_t, isa::kLoopLevels> trip_{};
  std::array<uint32_t, isa::kLoopLevels> body_{};
  bool in_sync_ = false;
  int64_t sync_reached_ = 0;
};

}  // namespace lockstep::timing::stepped
