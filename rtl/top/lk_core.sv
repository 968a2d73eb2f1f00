// One accelerator core: sequencer, semaphores, LD/ST queues with their burst arbiter, MXU, VPU and VMEM.
// Timing is docs/timing.md; times are taken by the wrapper from the event strobes (EVT-1).
module lk_core #(
  parameter int Rows         = 8,
  parameter int Cols         = 8,
  parameter int LoadRows     = 2,      // b: rows a WLD writes per cycle
  parameter int Lanes        = 8,
  parameter int RowsPerCycle = 1,      // VPU sublanes moved per cycle
  parameter int AccRows      = 256,
  parameter int VmemBytes    = 65536,
  parameter int LineBytes    = 32,     // VMEM-1
  parameter int VmemLatency  = 2,      // Lv
  parameter int AccLatency   = 2,      // La
  parameter int BeatBytes    = 32,     // bytes a DMA queue moves per cycle
  parameter int GranuleBytes = 32,
  parameter int BurstBytes   = 1024,
  parameter int LoadQueues   = 1,      // 1 or 2
  parameter int ImemWords    = 2048,
  parameter int Datapath     = 1,      // 0: same control, no data
  parameter int WordBits     = 1536    // of lk_isa_pkg
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // CSR limits, constant during a run
  input  int                      csr_setup_cycles_i,
  input  int                      csr_max_outstanding_i,
  input  int                      csr_quantum_i,
  input  int                      csr_depth_ld_i,
  input  int                      csr_depth_st_i,
  input  int                      csr_depth_wld_i,
  input  int                      csr_depth_mm_i,
  input  int                      csr_depth_vx_i,
  input  int                      csr_stripe_log2_i,
  input  int                      csr_vx_start_i,
  input  int                      csr_vx_load_latency_i,
  input  int                      csr_vx_store_latency_i,
  input  logic [7:0]              csr_fill_i,
  input  logic [39:0]             csr_hbm_bytes_i,

  // image load, between reset release and start
  input  logic                    imem_we_i,
  input  int                      imem_addr_i,
  input  logic [WordBits-1:0]     imem_data_i,
  input  logic                    reg_we_i,
  input  int                      reg_addr_i,
  input  logic [63:0]             reg_data_i,
  input  logic                    start_i,

  // memory socket
  input  logic [7:0]              mem_slot_free_i,
  output logic                    gnt_valid_o,
  output logic [3:0]              gnt_engine_o,
  output logic [39:0]             gnt_addr_o,
  output int                      gnt_bytes_o,
  input  logic [1:0]              ld_valid_i,
  input  logic [BeatBytes*8-1:0]  ld_data0_i,
  input  logic [BeatBytes*8-1:0]  ld_data1_i,
  output logic [1:0]              ld_beat_o,
  output logic [1:0]              ld_last_o,
  output logic                    st_read_o,
  output logic                    st_read_last_o,
  output logic                    st_valid_o,
  output logic [BeatBytes*8-1:0]  st_data_o,
  output int                      st_bytes_o,
  output logic                    st_last_o,

  // events (EVT-1): strobes of this cycle, bit e = flat engine id
  output logic                    ev_dispatch_valid_o,
  output logic [3:0]              ev_dispatch_engine_o,
  output int                      ev_dispatch_pc_o,
  output int                      ev_dispatch_tag_o,
  output logic                    ev_word_o,
  output logic [11:0]             ev_issue_o,
  output logic [11:0]             ev_source_free_o,
  output logic [11:0]             ev_done_o,
  output logic [11:0]             ev_busy_o,
  output logic                    ev_seq_done_o,
  output logic                    halted_o,
  output longint                  ctr_macs_o,

  // fault_valid_o is high from the cycle after the offence
  output logic                    fault_valid_o,
  output int                      fault_code_o,
  output int                      fault_tag_o,

  // what the watchdog prints
  output logic [11:0]             dbg_queue_nonempty_o,
  output int                      dbg_pc_o,
  output logic [11:0]             dbg_wait_sem_o,
  output logic                    dbg_wait_plane_o
);

endmodule
