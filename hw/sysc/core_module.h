// SystemC wrapper of the Verilated core: drives one clock, speaks TLM-2.0 to the memory, and records every event from
// the signal that acts (EVT-1).
//
// A cycle of the method, in the order that the timing contract needs:
//   inputs from effects of earlier cycles -> eval(clk=0) -> sample outputs -> arrivals of this cycle -> eval(clk=1)
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "hw/sysc/core_pins.h"
#include "hw/sysc/event_recorder.h"
#include "hw/sysc/worker.h"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

namespace lockstep::sysc {

class CoreModule : public sc_core::sc_module, public RunnableCore {
 public:
  tlm_utils::simple_initiator_socket<CoreModule> socket;
  sc_core::sc_port<SlotCreditIf> credit;

  explicit CoreModule(sc_core::sc_module_name name);

  void begin_run(const RunRequest& request) override;

  target::RunResult take_result() override;

 private:
  /// A burst that was granted; LD: then waits for its data and streams beats.
  struct LoadBurst {
    int64_t data_cycle = 0;
    size_t next_byte = 0;
    std::vector<uint8_t> data;
  };
  struct Grant {
    int64_t address = 0;
    int bytes = 0;
    unsigned engine = 0;  // LD0, LD1 or ST0, whose flat ids are the queue numbers of mem::Burst
    bool close = false;
  };

  void step();
  void drive_inputs();
  void sample_outputs();
  void handle_memory();
  void issue_loads();
  void accept_store_beat();
  void count_busy(uint32_t busy);
  bool finished();
  void load_image(const isa::Program& program);
  void apply_limits(const Limits& limits, uint8_t fill, int64_t hbm_bytes);
  void pulse_clock();
  mem::Service transact(const Grant& grant, uint8_t* data, bool write);
  void fault(std::string code, uint32_t tag, int64_t cycle, std::string detail);
  std::string describe_stall() const;

  std::unique_ptr<VerilatedCore> core_;
  CorePins pins_;
  sc_core::sc_event start_event_;
  tlm::tlm_generic_payload payload_;
  BurstExtension* extension_;  // owned by payload_

  int64_t cycle_ = 0;
  int64_t max_cycles_ = 0;
  uint64_t access_bytes_ = 0;
  int64_t last_progress_ = 0;  // last cycle in which something moved, or in which the memory will do what is scheduled
  bool running_ = false;
  std::unique_ptr<EventRecorder> events_;
  target::RunResult result_;
  std::array<std::deque<LoadBurst>, 2> loads_;
  std::deque<Grant> stores_;
  std::vector<Grant> granted_;      // LD grants of the previous cycle: they arrive now
  std::vector<uint8_t> store_data_; // beats of the store burst that is arriving
};

}  // namespace lockstep::sysc
