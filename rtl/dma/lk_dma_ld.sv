// One load queue (DMA-4 load return, DMA-6): bursts come back in order, one beat a cycle goes to VMEM.
module lk_dma_ld #(
  parameter int BeatBytes  = 32,
  parameter int UnitBytes  = 32,
  parameter int BurstBytes = 1024
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

  input  logic                                 data_valid_i,  // the head burst became visible in an earlier cycle
  output logic                                 beat_o,        // its next beat is written to VMEM in this cycle
  output logic                                 last_o,
  output logic [31:0]                          bytes_o,
  output logic [(BeatBytes/UnitBytes)*32-1:0]  addr_o
);
  logic        issue_marker, cut_busy, last_grant;
  logic        elem_valid, elem_marker, elem_last, elem_end, marker_end;
  logic [31:0] elem_bytes, moved_q, left;

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
    .pop_i         (elem_end),
    .end_i         (elem_end)
  );

  assign left       = elem_bytes - moved_q;
  assign beat_o     = elem_valid && !elem_marker && data_valid_i;
  assign last_o     = beat_o && left <= BeatBytes;
  assign bytes_o    = left < BeatBytes ? left : BeatBytes;
  // A marker at the head ends in the cycle after its issue or after the end of the element before it.
  assign marker_end = elem_valid && elem_marker;
  assign elem_end   = last_o || marker_end;

  assign busy_o        = issue_i || cut_busy;
  assign source_free_o = last_grant || issue_marker;
  assign done_o        = elem_end && elem_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) moved_q <= 0;
    else if (beat_o) moved_q <= last_o ? 0 : moved_q + BeatBytes;
  end

  lk_dma_walk #(
    .BeatBytes(BeatBytes),
    .UnitBytes(UnitBytes)
  ) i_walk (
    .clk_i,
    .rst_ni,
    .push_i (push_i && !desc_i.marker),
    .side_i (desc_i.vmem),
    .beat_i (beat_o),
    .bytes_i(bytes_o),
    .last_i (last_o && elem_last),
    .addr_o
  );
endmodule
