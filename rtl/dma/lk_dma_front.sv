// What LD and ST queues share: descriptors between dispatch and issue, the burst cutter, and the queue's elements
// (bursts and markers) from their grant to their end (DMA-2, DMA-6).
//
//   push --> body queue --issue--> cutter --grant--> element FIFO --pop--> (LD: end; ST: Lv cycles to the end)
//                          \--- marker at its issue ---/
`include "lk_assert.svh"

module lk_dma_front #(
  parameter int BurstBytes = 1024
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  int                      setup_cycles_i,
  input  int                      max_outstanding_i,

  input  logic                    push_i,
  // verilator lint_off UNUSEDSIGNAL
  input  lk_core_pkg::dma_desc_t  desc_i,         // its VMEM side belongs to lk_dma_walk
  // verilator lint_on UNUSEDSIGNAL
  input  logic                    issue_i,
  output logic                    ready_o,        // the head may issue, if there is one and its waits are satisfied
  output logic                    issue_marker_o, // it issues and is zero-length
  output logic                    busy_o,         // issued before this cycle, last grant not before it

  output logic                    req_valid_o,    // request registered and window not full
  output logic [39:0]             req_addr_o,
  output logic [31:0]             req_bytes_o,
  output logic                    req_close_o,    // last burst of a descriptor that does not `continue` (MEM-4)
  input  logic                    grant_i,
  output logic                    last_grant_o,

  output logic                    elem_valid_o,
  output logic                    elem_marker_o,
  output logic                    elem_last_o,    // ends its descriptor
  output logic [31:0]             elem_bytes_o,
  input  logic                    pop_i,
  input  logic                    end_i           // an element leaves the window
);
  localparam int QueueBits  = $clog2(lk_core_pkg::QueueMax);
  localparam int WindowBits = $clog2(lk_core_pkg::WindowMax);

  // Body queue: filled by dispatch, drained by issue; the depth limit is kept where words are dispatched (SEQ-4).
  lk_core_pkg::dma_side_t side_q   [lk_core_pkg::QueueMax];
  logic [31:0]            reps_q   [lk_core_pkg::QueueMax];
  logic                   marker_q [lk_core_pkg::QueueMax];
  logic                   continues_q [lk_core_pkg::QueueMax];
  logic [QueueBits-1:0]   push_ptr_q, issue_ptr_q;

  // Elements: {marker, last, bytes}. The pointers have one bit more than the index: a window of WindowMax may be full of
  // elements that wait for their data, and full is not empty.
  logic [17:0]            elem_q   [lk_core_pkg::WindowMax];
  logic [WindowBits:0]    elem_wr_q, elem_rd_q;
  logic [31:0]            window_q;  // elements between grant and end

  logic                   cut_busy, cut_valid, cut_last, window_full, head_marker;
  logic                   cut_continues_q;  // of the descriptor in the cutter
  logic [17:0]            elem_head;

  assign window_full    = window_q >= 32'(max_outstanding_i);
  assign head_marker    = marker_q[issue_ptr_q];
  assign ready_o        = !cut_busy && (!head_marker || !window_full);
  assign issue_marker_o = issue_i && head_marker;
  assign busy_o         = cut_busy;
  assign req_valid_o    = cut_valid && !window_full;
  assign last_grant_o   = grant_i && cut_last;
  assign req_close_o    = cut_last && !cut_continues_q;

  `LK_ASSERT(Dma6Window, window_q <= 32'(max_outstanding_i))
  `LK_ASSERT(PopWithoutElement, !pop_i || elem_valid_o)
  `LK_ASSERT(EndWithoutElement, !end_i || window_q != 0)

  assign elem_valid_o   = elem_wr_q != elem_rd_q;
  assign elem_head      = elem_q[elem_rd_q[WindowBits-1:0]];
  assign elem_marker_o  = elem_head[17];
  assign elem_last_o    = elem_head[16];
  assign elem_bytes_o   = {16'b0, elem_head[15:0]};

  lk_dma_cut #(
    .BurstBytes(BurstBytes)
  ) i_cut (
    .clk_i,
    .rst_ni,
    .setup_cycles_i,
    .start_i    (issue_i && !head_marker),
    .side_i     (side_q[issue_ptr_q]),
    .reps_i     (reps_q[issue_ptr_q]),
    .busy_o     (cut_busy),
    .req_valid_o(cut_valid),
    .req_addr_o,
    .req_bytes_o,
    .req_last_o (cut_last),
    .grant_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      push_ptr_q  <= 0;
      issue_ptr_q <= 0;
      elem_wr_q   <= 0;
      elem_rd_q   <= 0;
      window_q    <= 0;
    end else begin
      if (push_i) begin
        side_q[push_ptr_q]   <= desc_i.hbm;
        reps_q[push_ptr_q]   <= desc_i.reps;
        marker_q[push_ptr_q] <= desc_i.marker;
        continues_q[push_ptr_q] <= desc_i.continues;
        push_ptr_q           <= push_ptr_q + 1;
      end
      if (issue_i) issue_ptr_q <= issue_ptr_q + 1;
      if (issue_i && !head_marker) cut_continues_q <= continues_q[issue_ptr_q];
      if (grant_i || issue_marker_o) begin
        elem_q[elem_wr_q[WindowBits-1:0]] <= {issue_marker_o, issue_marker_o || cut_last, req_bytes_o[15:0]};
        elem_wr_q         <= elem_wr_q + 1;
      end
      if (pop_i) elem_rd_q <= elem_rd_q + 1;
      window_q <= window_q + 32'(grant_i || issue_marker_o) - 32'(end_i);
    end
  end
endmodule
