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
  parameter int MxuSpecBody  = 0       // 1: specification body of the matrix unit (small arrays)
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
  input  int                      csr_channels_i,  // 1, 2, 4 or 8
  input  int                      csr_vx_start_i,
  input  int                      csr_vx_load_latency_i,
  input  int                      csr_vx_store_latency_i,
  input  logic [7:0]              csr_fill_i,
  input  logic [39:0]             csr_hbm_bytes_i,

  // image load, between reset release and start
  input  logic                    imem_we_i,
  input  int                      imem_addr_i,
  input  logic [lk_isa_pkg::WordBits-1:0] imem_data_i,
  input  logic                    reg_we_i,
  input  int                      reg_addr_i,
  input  logic [63:0]             reg_data_i,
  input  logic                    start_i,

  // memory socket; one channel today, and LD1 only with two load queues
  // verilator lint_off UNUSEDSIGNAL
  input  logic [7:0]              mem_slot_free_i,
  output logic                    gnt_valid_o,
  output logic [3:0]              gnt_engine_o,
  output logic [39:0]             gnt_addr_o,
  output int                      gnt_bytes_o,
  output logic                    gnt_close_o,     // last burst of a descriptor that does not `continue` (MEM-4)
  input  logic [1:0]              ld_valid_i,
  input  logic [BeatBytes*8-1:0]  ld_data0_i,
  input  logic [BeatBytes*8-1:0]  ld_data1_i,
  // verilator lint_on UNUSEDSIGNAL
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

  import lk_isa_pkg::*;
  import lk_core_pkg::*;

  localparam int Granules = BeatBytes / GranuleBytes;

  // Limits are registered, so that nothing combinational hangs on the ports that carry them.
  int csr_setup_cycles_q, csr_max_outstanding_q, csr_quantum_q, csr_depth_ld_q, csr_depth_st_q, csr_depth_wld_q,
      csr_depth_mm_q, csr_depth_vx_q, csr_stripe_log2_q, csr_channels_q, csr_vx_start_q, csr_vx_load_latency_q,
      csr_vx_store_latency_q;
  logic [39:0] csr_hbm_bytes_q;
  always_ff @(posedge clk_i) begin
    {csr_setup_cycles_q, csr_max_outstanding_q, csr_quantum_q, csr_stripe_log2_q, csr_channels_q} <=
      {csr_setup_cycles_i, csr_max_outstanding_i, csr_quantum_i, csr_stripe_log2_i, csr_channels_i};
    {csr_depth_ld_q, csr_depth_st_q, csr_depth_wld_q, csr_depth_mm_q, csr_depth_vx_q} <=
      {csr_depth_ld_i, csr_depth_st_i, csr_depth_wld_i, csr_depth_mm_i, csr_depth_vx_i};
    {csr_vx_start_q, csr_vx_load_latency_q, csr_vx_store_latency_q} <=
      {csr_vx_start_i, csr_vx_load_latency_i, csr_vx_store_latency_i};
    csr_hbm_bytes_q <= csr_hbm_bytes_i;
  end

  // Requests, one bit per compact queue index.
  logic [QueueCount-1:0] push, space, ready, issue, source_free, done, busy, pending, nonempty, wait_sem;
  header_t               header;
  dma_desc_t             dma_desc;
  mxu_body_t             mxu_body;
  vx_body_t              vx_body;
  logic                  stop;

  // ---------------------------------------------------------------------------------------------------------------
  // Sequencer and issue

  logic        seq_fault, sem_fault;
  logic [4:0]  seq_fault_code;
  logic [23:0] seq_fault_tag, sem_fault_tag;
  logic [31:0] pc;

  lk_seq #(
    .Rows        (Rows),
    .Cols        (Cols),
    .Lanes       (Lanes),
    .AccRows     (AccRows),
    .VmemBytes   (VmemBytes),
    .LineBytes   (LineBytes),
    .GranuleBytes(GranuleBytes),
    .LoadQueues  (LoadQueues),
    .ImemWords   (ImemWords)
  ) i_seq (
    .clk_i,
    .rst_ni,
    .csr_hbm_bytes_i(csr_hbm_bytes_q),
    .imem_we_i,
    .imem_addr_i,
    .imem_data_i,
    .base_we_i   (reg_we_i && reg_addr_i < 16),
    .ring_we_i   (reg_we_i && reg_addr_i >= 16 && reg_addr_i < 32),
    .reg_addr_i  (reg_addr_i[3:0]),
    .reg_data_i,
    .start_i,
    .stop_i      (stop),
    .space_i     (space),
    .pending_i   (pending),
    .push_o      (push),
    .header_o    (header),
    .dma_o       (dma_desc),
    .mxu_o       (mxu_body),
    .vx_o        (vx_body),
    .word_o      (ev_word_o),
    .record_o    (ev_dispatch_valid_o),
    .engine_o    (ev_dispatch_engine_o),
    .pc_o        (pc),
    .seq_done_o  (ev_seq_done_o),
    .halted_o,
    .fault_o     (seq_fault),
    .fault_code_o(seq_fault_code),
    .fault_tag_o (seq_fault_tag)
  );
  assign ev_dispatch_pc_o  = int'(pc);
  assign ev_dispatch_tag_o = {8'b0, header.tag};
  assign dbg_pc_o          = int'(pc);

  lk_issue i_issue (
    .clk_i,
    .rst_ni,
    .stop_i       (stop),
    .sem_we_i     (reg_we_i && reg_addr_i >= 32),
    .sem_addr_i   (6'(reg_addr_i - 32)),
    .sem_data_i   (reg_data_i[7:0]),
    .depth_ld_i   (csr_depth_ld_q),
    .depth_st_i   (csr_depth_st_q),
    .depth_vx_i   (csr_depth_vx_q),
    .depth_wld_i  (csr_depth_wld_q),
    .depth_mm_i   (csr_depth_mm_q),
    .push_i       (push),
    .header_i     (header),
    .space_o      (space),
    .ready_i      (ready),
    .issue_o      (issue),
    .source_free_i(source_free),
    .done_i       (done),
    .pending_o    (pending),
    .nonempty_o   (nonempty),
    .wait_sem_o   (wait_sem),
    .fault_o      (sem_fault),
    .fault_tag_o  (sem_fault_tag)
  );

  assign stop          = sem_fault || seq_fault;
  assign fault_valid_o = stop;
  assign fault_code_o  = seq_fault ? {27'b0, seq_fault_code} : sem_fault ? FaultSemOverflow : FaultNone;
  assign fault_tag_o   = {8'b0, seq_fault ? seq_fault_tag : sem_fault_tag};

  // ---------------------------------------------------------------------------------------------------------------
  // DMA: load queues, the store queue, their arbiter

  // verilator lint_off UNUSEDSIGNAL
  logic [2:0]               grant;  // LD1 has no one to tell on a core with one load queue
  // verilator lint_on UNUSEDSIGNAL
  logic [2:0]               req_valid;
  logic [39:0]              req_addr  [3];
  logic [31:0]              req_bytes [3];
  logic [2:0]               req_close;
  logic [LoadQueues*Granules-1:0]    ld_write;
  logic [32*LoadQueues*Granules-1:0] ld_addr;
  logic [8*LoadQueues*BeatBytes-1:0] ld_data;

  for (genvar q = 0; q < 2; q++) begin : gen_ld
    if (q < LoadQueues) begin : gen_queue
      logic [31:0] bytes;
      lk_dma_ld #(
        .BeatBytes (BeatBytes),
        .UnitBytes (GranuleBytes),
        .BurstBytes(BurstBytes)
      ) i_ld (
        .clk_i,
        .rst_ni,
        .setup_cycles_i   (csr_setup_cycles_q),
        .max_outstanding_i(csr_max_outstanding_q),
        .push_i           (push[QueueLd0 + q]),
        .desc_i           (dma_desc),
        .issue_i          (issue[QueueLd0 + q]),
        .ready_o          (ready[QueueLd0 + q]),
        .busy_o           (busy[QueueLd0 + q]),
        .source_free_o    (source_free[QueueLd0 + q]),
        .done_o           (done[QueueLd0 + q]),
        .req_valid_o      (req_valid[q]),
        .req_addr_o       (req_addr[q]),
        .req_bytes_o      (req_bytes[q]),
        .req_close_o      (req_close[q]),
        .grant_i          (grant[q]),
        .data_valid_i     (ld_valid_i[q]),
        .beat_o           (ld_beat_o[q]),
        .last_o           (ld_last_o[q]),
        .bytes_o          (bytes),
        .addr_o           (ld_addr[32*Granules*q +: 32*Granules])
      );
      for (genvar g = 0; g < Granules; g++) begin : gen_write
        assign ld_write[Granules*q + g] = ld_beat_o[q] && g * GranuleBytes < bytes;
      end
    end else begin : gen_none
      assign ready[QueueLd0 + q]       = 1'b0;
      assign busy[QueueLd0 + q]        = 1'b0;
      assign source_free[QueueLd0 + q] = 1'b0;
      assign done[QueueLd0 + q]        = 1'b0;
      assign req_valid[q]              = 1'b0;
      assign req_addr[q]               = '0;
      assign req_bytes[q]              = '0;
      assign req_close[q]              = 1'b0;
      assign ld_beat_o[q]              = 1'b0;
      assign ld_last_o[q]              = 1'b0;
    end
  end
  assign ld_data[0 +: 8*BeatBytes] = ld_data0_i;
  if (LoadQueues == 2) begin : gen_data1
    assign ld_data[8*BeatBytes +: 8*BeatBytes] = ld_data1_i;
  end

  logic [31:0]            st_read_bytes;
  logic [32*Granules-1:0] st_read_addr;
  logic [Granules-1:0]    st_read;

  lk_dma_st #(
    .BeatBytes  (BeatBytes),
    .UnitBytes  (GranuleBytes),
    .BurstBytes (BurstBytes),
    .VmemLatency(VmemLatency)
  ) i_st (
    .clk_i,
    .rst_ni,
    .setup_cycles_i   (csr_setup_cycles_q),
    .max_outstanding_i(csr_max_outstanding_q),
    .push_i           (push[QueueSt]),
    .desc_i           (dma_desc),
    .issue_i          (issue[QueueSt]),
    .ready_o          (ready[QueueSt]),
    .busy_o           (busy[QueueSt]),
    .source_free_o    (source_free[QueueSt]),
    .done_o           (done[QueueSt]),
    .req_valid_o      (req_valid[2]),
    .req_addr_o       (req_addr[2]),
    .req_bytes_o      (req_bytes[2]),
    .req_close_o      (req_close[2]),
    .grant_i          (grant[2]),
    .read_o           (st_read_o),
    .read_last_o      (st_read_last_o),
    .read_bytes_o     (st_read_bytes),
    .read_addr_o      (st_read_addr),
    .out_valid_o      (st_valid_o),
    .out_last_o       (st_last_o),
    .out_bytes_o      (st_bytes_o)
  );
  for (genvar g = 0; g < Granules; g++) begin : gen_st_read
    assign st_read[g] = st_read_o && g * GranuleBytes < st_read_bytes;
  end

  lk_dma_arb #(
    .BurstBytes(BurstBytes)
  ) i_arb (
    .clk_i,
    .rst_ni,
    .stop_i       (stop),
    .quantum_i    (csr_quantum_q),
    .stripe_log2_i(csr_stripe_log2_q),
    .channels_i   (csr_channels_q),
    .slot_free_i  (mem_slot_free_i),
    .req_valid_i  (req_valid),
    .req_close_i  (req_close),
    .addr0_i      (req_addr[0]),
    .addr1_i      (req_addr[1]),
    .addr2_i      (req_addr[2]),
    .bytes0_i     (req_bytes[0]),
    .bytes1_i     (req_bytes[1]),
    .bytes2_i     (req_bytes[2]),
    .grant_o      (grant),
    .gnt_valid_o,
    .gnt_engine_o,
    .gnt_addr_o,
    .gnt_bytes_o,
    .gnt_close_o
  );

  // ---------------------------------------------------------------------------------------------------------------
  // MXU, VPU, VMEM

  // verilator lint_off UNUSEDSIGNAL
  mxu_body_t wld_head;  // a WLD has no accumulator rows
  // verilator lint_on UNUSEDSIGNAL
  mxu_body_t mm_head;
  logic      wld_ready, mm_ready, switch_ok;

  lk_body_queue #(.Width($bits(mxu_body_t))) i_wld_queue (
    .clk_i, .rst_ni, .push_i(push[QueueWld]), .data_i(mxu_body), .pop_i(issue[QueueWld]), .head_o(wld_head));
  lk_body_queue #(.Width($bits(mxu_body_t))) i_mm_queue (
    .clk_i, .rst_ni, .push_i(push[QueueMm]), .data_i(mxu_body), .pop_i(issue[QueueMm]), .head_o(mm_head));

  assign ready[QueueWld] = wld_ready;
  assign ready[QueueMm]  = mm_ready && (!mm_head.plane_switch || switch_ok);

  logic                              vmem_mm_read;
  logic [31:0]                       vmem_mm_addr;
  logic [8*Rows-1:0]                 vmem_mm_data;
  logic [LoadRows-1:0]               vmem_wld_read;
  logic [32*LoadRows-1:0]            vmem_wld_addr;
  logic [8*LoadRows*Cols-1:0]        vmem_wld_data;
  logic [RowsPerCycle-1:0]           acc_read, vx_write;
  logic [32*RowsPerCycle-1:0]        acc_addr, vx_addr;
  logic [32*RowsPerCycle*Cols-1:0]   acc_data;
  logic [Lanes-1:0]                  vx_lane_mask;
  logic [32*RowsPerCycle*Lanes-1:0]  vx_data;

  lk_mxu #(
    .Rows        (Rows),
    .Cols        (Cols),
    .LoadRows    (LoadRows),
    .AccRows     (AccRows),
    .VmemLatency (VmemLatency),
    .AccLatency  (AccLatency),
    .RowsPerCycle(RowsPerCycle),
    .Body        (MxuSpecBody),
    .Datapath    (Datapath)
  ) i_mxu (
    .clk_i,
    .rst_ni,
    .csr_fill_i,
    .wld_issue_i     (issue[QueueWld]),
    .wld_addr_i      (wld_head.addr),
    .wld_row_stride_i(wld_head.row_stride),
    .wld_k_valid_i   (wld_head.k_valid),
    .wld_n_valid_i   (wld_head.n_valid),
    .wld_ready_o     (wld_ready),
    .wld_busy_o      (busy[QueueWld]),
    .wld_sf_o        (source_free[QueueWld]),
    .wld_done_o      (done[QueueWld]),
    .mm_issue_i      (issue[QueueMm]),
    .mm_addr_i       (mm_head.addr),
    .mm_row_stride_i (mm_head.row_stride),
    .mm_acc_i        (mm_head.acc),
    .mm_rows_i       (mm_head.rows),
    .mm_k_valid_i    (mm_head.k_valid),
    .mm_n_valid_i    (mm_head.n_valid),
    .mm_first_i      (mm_head.first),
    .mm_switch_i     (mm_head.plane_switch),
    .mm_ready_o      (mm_ready),
    .mm_switch_ok_o  (switch_ok),
    .mm_busy_o       (busy[QueueMm]),
    .mm_sf_o         (source_free[QueueMm]),
    .mm_done_o       (done[QueueMm]),
    .vmem_mm_read_o  (vmem_mm_read),
    .vmem_mm_addr_o  (vmem_mm_addr),
    .vmem_mm_data_i  (vmem_mm_data),
    .vmem_wld_read_o (vmem_wld_read),
    .vmem_wld_addr_o (vmem_wld_addr),
    .vmem_wld_data_i (vmem_wld_data),
    .acc_read_i      (acc_read),
    .acc_addr_i      (acc_addr),
    .acc_data_o      (acc_data)
  );

  lk_vx #(
    .Cols        (Cols),
    .Lanes       (Lanes),
    .RowsPerCycle(RowsPerCycle)
  ) i_vx (
    .clk_i,
    .rst_ni,
    .start_cycles_i  (csr_vx_start_q),
    .load_latency_i  (csr_vx_load_latency_q),
    .store_latency_i (csr_vx_store_latency_q),
    .push_i          (push[QueueVx]),
    .body_i          (vx_body),
    .issue_i         (issue[QueueVx]),
    .ready_o         (ready[QueueVx]),
    .busy_o          (busy[QueueVx]),
    .source_free_o   (source_free[QueueVx]),
    .done_o          (done[QueueVx]),
    .acc_read_o      (acc_read),
    .acc_addr_o      (acc_addr),
    .acc_data_i      (acc_data),
    .vmem_write_o    (vx_write),
    .vmem_addr_o     (vx_addr),
    .vmem_lane_mask_o(vx_lane_mask),
    .vmem_data_o     (vx_data)
  );

  lk_vmem #(
    .Rows        (Rows),
    .Cols        (Cols),
    .LoadRows    (LoadRows),
    .Lanes       (Lanes),
    .RowsPerCycle(RowsPerCycle),
    .VmemBytes   (VmemBytes),
    .LineBytes   (LineBytes),
    .VmemLatency (VmemLatency),
    .BeatBytes   (BeatBytes),
    .GranuleBytes(GranuleBytes),
    .LoadQueues  (LoadQueues),
    .Datapath    (Datapath)
  ) i_vmem (
    .clk_i,
    .rst_ni,
    .csr_fill_i,
    .mm_read_i     (vmem_mm_read),
    .mm_addr_i     (vmem_mm_addr),
    .mm_data_o     (vmem_mm_data),
    .wld_read_i    (vmem_wld_read),
    .wld_addr_i    (vmem_wld_addr),
    .wld_data_o    (vmem_wld_data),
    .st_read_i     (st_read),
    .st_addr_i     (st_read_addr),
    .st_data_o     (st_data_o),
    .ld_write_i    (ld_write),
    .ld_addr_i     (ld_addr),
    .ld_data_i     (ld_data),
    .vx_write_i    (vx_write),
    .vx_addr_i     (vx_addr),
    .vx_lane_mask_i(vx_lane_mask),
    .vx_data_i     (vx_data)
  );

  // ---------------------------------------------------------------------------------------------------------------
  // Events and counters

  // Compact queue bits to flat engine ids.
  function automatic logic [Engines-1:0] flat(logic [QueueCount-1:0] bits);
    return {3'b0, bits[QueueMm], 3'b0, bits[QueueWld], bits[QueueVx], bits[QueueSt], bits[QueueLd1], bits[QueueLd0]};
  endfunction

  assign ev_issue_o           = flat(issue);
  assign ev_source_free_o     = flat(source_free);
  assign ev_done_o            = flat(done);
  assign ev_busy_o            = flat(busy);
  assign dbg_queue_nonempty_o = flat(nonempty);
  assign dbg_wait_sem_o       = flat(wait_sem);
  assign dbg_wait_plane_o     = nonempty[QueueMm] && mm_ready && mm_head.plane_switch && !switch_ok;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ctr_macs_o <= 0;
    else if (issue[QueueMm]) ctr_macs_o <= ctr_macs_o + 64'(mm_head.rows) * 64'(mm_head.k_valid * mm_head.n_valid);
  end
endmodule
