// The memory side of the TLM-2.0 socket: the same mem::Dram class that the fast model uses, plus the HBM contents.
//
// One SystemC nanosecond is one core cycle. A burst is one generic-payload transaction sent with nb_transport_fw in
// its arrival cycle (MEM-6); the target completes it early (TLM_COMPLETED) and annotates the data latency as the delay.
// The command-slot credit is not data and has its own interface.
#pragma once

#include "hw/mem/dram.h"
#include "hw/target/target.h"

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

namespace lockstep::sysc {

inline sc_core::sc_time cycles_to_time(int64_t cycles) {
  return sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS);
}

/// Carries what the generic payload cannot: whose row stripe a burst belongs to and whether it ends there (MEM-4), and
/// back what the DRAM class says about it beside its data time.
struct BurstExtension : tlm::tlm_extension<BurstExtension> {
  uint8_t queue = 0;
  bool close = false;
  mem::Service service;
  tlm::tlm_extension_base* clone() const override { return new BurstExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const BurstExtension&>(other); }
};

/// Command-slot credits of the channels (DMA-3), in cycles of the current run.
class SlotCreditIf : public virtual sc_core::sc_interface {
 public:
  virtual uint8_t free_slots(int64_t cycle) const = 0;  // bit c: channel c has a free slot at the start of `cycle`
  virtual void take_slot(int64_t address, int64_t cycle) = 0;
};

class DramModule : public sc_core::sc_module, public SlotCreditIf {
 public:
  tlm_utils::simple_target_socket<DramModule> socket;

  explicit DramModule(sc_core::sc_module_name name);

  /// Starts a run at cycle 0 = `start` with an idle memory that holds `image` (borrowed until the next call).
  void begin_run(const mem::DramConfig& config, target::MemoryImage* image, sc_core::sc_time start);

  uint8_t free_slots(int64_t cycle) const override;
  void take_slot(int64_t address, int64_t cycle) override;

 private:
  tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  mem::Dram dram_;
  target::MemoryImage* image_ = nullptr;
  sc_core::sc_time start_;
};

}  // namespace lockstep::sysc
