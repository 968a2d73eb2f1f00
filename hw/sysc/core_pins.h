// The pins of a Verilated lk_core, by reference, so that only one small file per chip sees Verilator's types.
//
// Names and meaning are those of rtl/top/lk_core.sv.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lockstep::sysc {

struct CorePins {
  uint8_t &clk_i, &rst_ni, &csr_fill_i, &imem_we_i, &reg_we_i, &start_i, &mem_slot_free_i, &gnt_valid_o,
      &gnt_engine_o, &gnt_close_o, &ld_valid_i, &ld_beat_o, &ld_last_o, &st_read_o, &st_read_last_o, &st_valid_o,
      &st_last_o, &ev_dispatch_valid_o, &ev_dispatch_engine_o, &ev_word_o, &ev_seq_done_o, &halted_o,
      &fault_valid_o, &dbg_wait_plane_o;
  uint16_t &ev_issue_o, &ev_source_free_o, &ev_done_o, &ev_busy_o, &dbg_queue_nonempty_o, &dbg_wait_sem_o;
  uint32_t &csr_setup_cycles_i, &csr_max_outstanding_i, &csr_quantum_i, &csr_depth_ld_i, &csr_depth_st_i,
      &csr_depth_wld_i, &csr_depth_mm_i, &csr_depth_vx_i, &csr_stripe_log2_i, &csr_channels_i, &csr_vx_start_i,
      &csr_vx_load_latency_i, &csr_vx_store_latency_i, &imem_addr_i, &reg_addr_i, &gnt_bytes_o, &st_bytes_o,
      &ev_dispatch_pc_o, &ev_dispatch_tag_o, &fault_code_o, &fault_tag_o, &dbg_pc_o;
  uint64_t &csr_hbm_bytes_i, &reg_data_i, &gnt_addr_o, &ctr_macs_o;
  std::span<uint8_t> imem_data_i, ld_data0_i, ld_data1_i, st_data_o;
};

class VerilatedCore {
 public:
  virtual ~VerilatedCore() = default;
  virtual CorePins pins() = 0;
  virtual void eval() = 0;
};

/// The core that this worker was linked with.
std::unique_ptr<VerilatedCore> make_verilated_core();

}  // namespace lockstep::sysc
