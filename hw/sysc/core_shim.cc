// Compiled once per chip against the Verilated model, whose port types depend on the chip's parameters.
#include <verilated.h>

#include "Vlk_core.h"

#include "hw/sysc/core_pins.h"

namespace lockstep::sysc {

namespace {

/// A port of any width, VlWide or plain integer; little endian, so byte 0 is bits 7:0.
template <typename Port>
std::span<uint8_t> wide(Port& port) {
  return {reinterpret_cast<uint8_t*>(&port), sizeof(port)};
}

class Shim : public VerilatedCore {
 public:
  Shim() : context_(new VerilatedContext), model_(new Vlk_core(context_.get(), "lk_core")) {}
  ~Shim() override { model_->final(); }
  void eval() override { model_->eval(); }
  CorePins pins() override {
    return {model_->clk_i, model_->rst_ni, model_->csr_fill_i, model_->imem_we_i, model_->reg_we_i,
            model_->start_i, model_->mem_slot_free_i, model_->gnt_valid_o, model_->gnt_engine_o, model_->gnt_close_o,
            model_->ld_valid_i, model_->ld_beat_o, model_->ld_last_o, model_->st_read_o,
            model_->st_read_last_o, model_->st_valid_o, model_->st_last_o, model_->ev_dispatch_valid_o,
            model_->ev_dispatch_engine_o, model_->ev_word_o, model_->ev_seq_done_o, model_->halted_o,
            model_->fault_valid_o, model_->dbg_wait_plane_o, model_->ev_issue_o, model_->ev_source_free_o,
            model_->ev_done_o, model_->ev_busy_o, model_->dbg_queue_nonempty_o, model_->dbg_wait_sem_o,
            model_->csr_setup_cycles_i, model_->csr_max_outstanding_i, model_->csr_quantum_i,
            model_->csr_depth_ld_i, model_->csr_depth_st_i, model_->csr_depth_wld_i, model_->csr_depth_mm_i,
            model_->csr_depth_vx_i, model_->csr_stripe_log2_i, model_->csr_channels_i, model_->csr_vx_start_i,
            model_->csr_vx_load_latency_i, model_->csr_vx_store_latency_i, model_->imem_addr_i,
            model_->reg_addr_i, model_->gnt_bytes_o, model_->st_bytes_o, model_->ev_dispatch_pc_o,
            model_->ev_dispatch_tag_o, model_->fault_code_o, model_->fault_tag_o, model_->dbg_pc_o,
            model_->csr_hbm_bytes_i, model_->reg_data_i, model_->gnt_addr_o, model_->ctr_macs_o,
            wide(model_->imem_data_i), wide(model_->ld_data0_i), wide(model_->ld_data1_i), wide(model_->st_data_o)};
  }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vlk_core> model_;
};

}  // namespace

std::unique_ptr<VerilatedCore> make_verilated_core() { return std::make_unique<Shim>(); }

}  // namespace lockstep::sysc
