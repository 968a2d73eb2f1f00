// The store queue (DMA-4 store, DMA-6): a granted burst is read from VMEM one beat a cycle and reaches its channel
// VmemLatency cycles after its last read. A marker takes one read slot and travels the same way, but moves nothing.
module lk_dma_st #(
  parameter int BeatBytes   = 32,
  parameter int UnitBytes   = 32,
  parameter int BurstBytes  = 1024,
  parameter int VmemLatency = 2
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  int                                   setup_cycles_i,
  input  int                                   max_outstanding_i,

  input  logic                                 push_i,
  input  lk_core_pkg::dma_desc_t               desc_i,
  input  logic                                 issue_i,
  output logic                                 ready_o,
  output logic                                 busy_o,
  output logic                                 source_free_o,
  output logic                                 done_o,

  output logic                                 req_valid_o,
  output logic [39:0]                          req_addr_o,
  output logic [31:0]                          req_bytes_o,
  output logic                                 req_close_o,
  input  logic                                 grant_i,

  output logic                                 read_o,       // a beat is read from VMEM in this cycle
  output logic                                 read_last_o,
  output logic [31:0]                          read_bytes_o,
  output logic [(BeatBytes/UnitBytes)*32-1:0]  read_addr_o,
  output logic                                 out_valid_o,  // the beat read VmemLatency cycles ago reaches the memory
  output logic                                 out_last_o,
  output logic [31:0]                          out_bytes_o
);
  logic        cut_busy;
  logic        elem_valid, elem_marker, elem_last, elem_pop, elem_end;
  logic [31:0] elem_bytes, moved_q, left;
  // verilator lint_off UNUSEDSIGNAL
  logic        issue_marker, last_grant;  // a store's events come from the read side
  // verilator lint_on UNUSEDSIGNAL

  // Stage s was read s + 1 cycles ago.
  logic [VmemLatency-1:0] beat_q, burst_last_q, marker_q, desc_last_q;
  logic [31:0]            bytes_q [VmemLatency];

  lk_dma_front #(
    .BurstBytes(BurstBytes)
  ) i_front (
    .clk_i,
    .rst_ni,
    .setup_cycles_i,
    .max_outstanding_i,
    .push_i,
    .desc_i,
    .issue_i,
    .ready_o,
    .issue_marker_o(issue_marker),
    .busy_o        (cut_busy),
    .req_valid_o,
    .req_addr_o,
    .req_bytes_o,
    .req_close_o,
    .grant_i,
    .last_grant_o  (last_grant),
    .elem_valid_o  (elem_valid),
    .elem_marker_o (elem_marker),
    .elem_last_o   (elem_last),
    .elem_bytes_o  (elem_bytes),
    .pop_i         (elem_pop),
    .end_i         (elem_end)
  );

  assign left         = elem_bytes - moved_q;
  assign read_o       = elem_valid && !elem_marker;
  assign read_last_o  = read_o && left <= BeatBytes;
  assign read_bytes_o = left < BeatBytes ? left : BeatBytes;
  assign elem_pop     = read_last_o || (elem_valid && elem_marker);

  assign out_valid_o  = beat_q[VmemLatency-1];
  assign out_last_o   = burst_last_q[VmemLatency-1];
  assign out_bytes_o  = bytes_q[VmemLatency-1];
  assign elem_end     = out_last_o || marker_q[VmemLatency-1];

  assign busy_o        = issue_i || cut_busy;
  assign source_free_o = elem_end && desc_last_q[VmemLatency-1];
  assign done_o        = source_free_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      moved_q      <= 0;
      beat_q       <= '0;
      burst_last_q <= '0;
      marker_q     <= '0;
      desc_last_q  <= '0;
    end else begin
      if (read_o) moved_q <= read_last_o ? 0 : moved_q + BeatBytes;
      beat_q[0]       <= read_o;
      burst_last_q[0] <= read_last_o;
      marker_q[0]     <= elem_valid && elem_marker;
      desc_last_q[0]  <= elem_last;
      bytes_q[0]      <= read_bytes_o;
      for (int s = 1; s < VmemLatency; s++) begin
        beat_q[s]       <= beat_q[s-1];
        burst_last_q[s] <= burst_last_q[s-1];
        marker_q[s]     <= marker_q[s-1];
        desc_last_q[s]  <= desc_last_q[s-1];
        bytes_q[s]      <= bytes_q[s-1];
      end
    end
  end

  lk_dma_walk #(
    .BeatBytes(BeatBytes),
    .UnitBytes(UnitBytes)
  ) i_walk (
    .clk_i,
    .rst_ni,
    .push_i (push_i && !desc_i.marker),
    .side_i (desc_i.vmem),
    .beat_i (read_o),
    .bytes_i(read_bytes_o),
    .last_i (read_last_o && elem_last),
    .addr_o (read_addr_o)
  );
endmodule
