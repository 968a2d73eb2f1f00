// Bench of lk_core: one clock, a memory whose latency and command slots the test chooses, and every event taken from the
// strobe that acts (EVT-1). It shares nothing with the SystemC wrapper, so that the two check each other.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hw/isa/program.h"
#include "hw/target/event.h"

#ifndef CORE_MODEL
#error "CORE_MODEL names the Verilated class"
#endif
class CORE_MODEL;
class VerilatedContext;

namespace lockstep::rtl_test {

/// Limits of edge8's presets; a test changes what it is about.
struct Limits {
  int setup_cycles = 4;
  int max_outstanding = 64;
  int quantum = 16;
  int depth = 4;  // of every queue
  int stripe_log2 = 13;
  int vx_start = 4;
  int vx_load_latency = 3;
  int vx_store_latency = 1;
  uint8_t fill = 0;
};

/// The memory as the test wants it. `latency(n)`: cycles from the arrival of load burst n to its data cycle.
/// `slot_free(t)`: whether a command slot is offered in cycle t.
struct MemoryBehaviour {
  std::function<int64_t(uint64_t)> latency = [](uint64_t) { return int64_t{20}; };
  std::function<bool(int64_t)> slot_free = [](int64_t) { return true; };
};

struct Grant {
  int64_t cycle = 0;
  int engine = 0;
  int64_t address = 0;
  int bytes = 0;
  friend bool operator==(const Grant&, const Grant&) = default;
};

struct RunLog {
  target::EventLog events;
  std::vector<Grant> grants;
  std::array<uint64_t, isa::kEngineCount> busy_cycles{};
  int64_t cycles = -1;  // done(HALT) + 1, or -1 when the run did not halt
  int fault_code = 0;
  uint32_t fault_tag = 0;
  int64_t fault_cycle = -1;
  uint64_t macs = 0;
};

/// A program with no base registers, rings of modulus 1 and no tokens.
inline isa::Program program_of(std::vector<isa::Instr> code) {
  isa::Program program;
  program.code = std::move(code);
  return program;
}

class CoreBench {
 public:
  CoreBench();
  ~CoreBench();

  Limits limits;
  MemoryBehaviour behaviour;
  std::vector<uint8_t> memory = std::vector<uint8_t>(1 << 16);

  /// Resets, loads and runs until HALT, a fault or `max_cycles`.
  RunLog run(const isa::Program& program, int64_t max_cycles = 200'000);
  RunLog run(const std::vector<isa::Instr>& code) { return run(program_of(code)); }

  /// As run(), but leaves the machine in the middle of it after `cycles`.
  void run_partly(const isa::Program& program, int64_t cycles);

 private:
  struct LoadBurst {
    int64_t data_cycle;
    std::vector<uint8_t> data;
    size_t next = 0;
  };

  void pulse();
  void begin(const isa::Program& program);
  void drive(int64_t cycle);
  void sample(int64_t cycle, RunLog& log);
  void sample_memory(int64_t cycle, RunLog& log);
  bool step(int64_t cycle, RunLog& log);  // false when the run is over

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<CORE_MODEL> core_;
  std::array<std::deque<LoadBurst>, 2> loads_;
  std::deque<Grant> arriving_;  // LD grants of the previous cycle
  std::deque<Grant> stores_;
  std::vector<uint8_t> store_data_;
  uint64_t loads_seen_ = 0;
  std::array<size_t, isa::kEngineCount + 1> next_issue_{}, next_source_free_{}, next_done_{};
  std::array<size_t, isa::kEngineCount> next_burst_{};
};

/// The word's bits, least significant 32 bits first; fields are not range-checked, so that a test can send bad words.
std::vector<uint32_t> pack_word(const isa::Instr& instr);

}  // namespace lockstep::rtl_test
