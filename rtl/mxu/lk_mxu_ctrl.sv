// Issue rules and operand addressing of one matrix unit (MXU-2, MXU-4, MXU-5, MXU-6), shared by both array bodies.
//
// Every cycle it hands the body at most one MM slot (one activation row, or the bubble of an MM with M = 0) and one
// WLD slot (LoadRows weight rows). A slot is presented in the cycle in which its operands are addressed in VMEM; the
// operands reach the body VmemLatency later. The body delays what it needs and carries the tokens on.
`include "lk_assert.svh"

module lk_mxu_ctrl #(
  parameter int Rows = 16,
  parameter int LoadRows = 4,
  parameter int AccRows = 512,
  parameter int AccLatency = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    wld_issue_i,
  input  logic [31:0]             wld_addr_i,
  input  logic [31:0]             wld_row_stride_i,
  input  logic [31:0]             wld_k_valid_i,
  input  logic [31:0]             wld_n_valid_i,
  output logic                    wld_ready_o,
  output logic                    wld_busy_o,

  input  logic                    mm_issue_i,
  input  logic [31:0]             mm_addr_i,
  input  logic [31:0]             mm_row_stride_i,
  input  logic [31:0]             mm_acc_i,
  input  logic [31:0]             mm_rows_i,
  input  logic [31:0]             mm_k_valid_i,
  input  logic [31:0]             mm_n_valid_i,
  input  logic                    mm_first_i,
  input  logic                    mm_switch_i,
  output logic                    mm_ready_o,
  output logic                    mm_switch_ok_o,
  output logic                    mm_busy_o,

  // operands addressed in this cycle
  output logic                    vmem_mm_read_o,
  output logic [31:0]             vmem_mm_addr_o,
  output logic [LoadRows-1:0]     vmem_wld_read_o,
  output logic [32*LoadRows-1:0]  vmem_wld_addr_o,

  // slots of this cycle
  output logic                    wld_slot_start_o,   // first slot of a WLD: starts the load token
  output logic                    wld_slot_valid_o,
  output logic                    wld_slot_last_o,
  output logic [LoadRows-1:0]     wld_slot_rows_o,    // rows < k_valid
  output logic [31:0]             wld_slot_n_valid_o,
  output logic                    mm_slot_valid_o,    // an activation row (not a bubble)
  output logic                    mm_slot_last_o,     // last slot of an MM, bubbles included
  output logic                    mm_slot_switch_o,   // first slot of an MM with the switch token
  output logic                    mm_slot_first_o,    // overwrite
  output logic [31:0]             mm_slot_acc_o,      // accumulator row
  output logic [31:0]             mm_slot_k_valid_o,
  output logic [31:0]             mm_slot_n_valid_o
);
  localparam int LoadCycles = Rows / LoadRows;

  // MXU-2: a loaded plane waits for its switch.
  logic pending_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pending_q <= 1'b0;
    else if (wld_issue_i) pending_q <= 1'b1;
    else if (mm_issue_i && mm_switch_i) pending_q <= 1'b0;
  end

  // WLD: LoadCycles slots whatever k_valid is (MXU-4).
  logic [31:0] wld_left_q;    // slots after this cycle's predecessor; 0: free
  logic [31:0] wld_addr_q;    // first row of the slot
  logic [31:0] wld_stride_q;
  logic [31:0] wld_k_left_q;  // valid rows from the slot's first row on
  logic [31:0] wld_n_valid_q;
  logic [31:0] wld_addr, wld_stride, wld_k_left;

  assign wld_addr   = wld_issue_i ? wld_addr_i : wld_addr_q;
  assign wld_stride = wld_issue_i ? wld_row_stride_i : wld_stride_q;
  assign wld_k_left = wld_issue_i ? wld_k_valid_i : wld_k_left_q;

  assign wld_ready_o = (wld_left_q == 32'd0) && !pending_q;
  assign wld_busy_o  = wld_slot_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wld_left_q <= 32'd0;
    end else if (wld_slot_valid_o) begin
      wld_left_q   <= wld_issue_i ? LoadCycles - 1 : wld_left_q - 32'd1;
      wld_addr_q   <= wld_addr + LoadRows * wld_stride;
      wld_stride_q <= wld_stride;
      wld_k_left_q <= (wld_k_left > LoadRows) ? wld_k_left - LoadRows : 32'd0;
      if (wld_issue_i) wld_n_valid_q <= wld_n_valid_i;
    end
  end

  assign wld_slot_start_o   = wld_issue_i;
  assign wld_slot_valid_o   = wld_issue_i || (wld_left_q != 32'd0);
  assign wld_slot_last_o    = wld_issue_i ? (LoadCycles == 1) : (wld_left_q == 32'd1);
  assign wld_slot_n_valid_o = wld_issue_i ? wld_n_valid_i : wld_n_valid_q;
  generate
    for (genvar q = 0; q < LoadRows; q++) begin : gen_wld_row
      assign wld_slot_rows_o[q] = wld_slot_valid_o && (wld_k_left > q);
      assign vmem_wld_addr_o[32*q +: 32] = wld_addr + q * wld_stride;
    end
  endgenerate
  assign vmem_wld_read_o = wld_slot_rows_o;

  // MM: max(M, La) cycles (MXU-4); its first M read a row each, with M = 0 the first is a bubble (MXU-6).
  logic [31:0] mm_left_q;       // rows still to be addressed
  logic [31:0] mm_occupied_q;   // cycles until the next MM may issue
  logic [31:0] mm_addr_q, mm_stride_q, mm_acc_q, mm_k_valid_q, mm_n_valid_q;
  logic        mm_first_q;
  logic [31:0] mm_addr, mm_stride;

  assign mm_addr   = mm_issue_i ? mm_addr_i : mm_addr_q;
  assign mm_stride = mm_issue_i ? mm_row_stride_i : mm_stride_q;

  assign mm_ready_o     = (mm_occupied_q == 32'd0);
  assign mm_switch_ok_o = pending_q;
  assign mm_busy_o      = mm_issue_i || (mm_occupied_q != 32'd0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mm_left_q     <= 32'd0;
      mm_occupied_q <= 32'd0;
    end else if (mm_issue_i) begin
      mm_left_q     <= (mm_rows_i == 32'd0) ? 32'd0 : mm_rows_i - 32'd1;
      mm_occupied_q <= (mm_rows_i > AccLatency) ? mm_rows_i - 32'd1 : AccLatency - 1;
    end else begin
      if (mm_left_q != 32'd0) mm_left_q <= mm_left_q - 32'd1;
      if (mm_occupied_q != 32'd0) mm_occupied_q <= mm_occupied_q - 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_slot_valid_o) begin
      mm_addr_q   <= mm_addr + mm_stride;
      mm_stride_q <= mm_stride;
      mm_acc_q    <= mm_slot_acc_o + 32'd1;
    end
    if (mm_issue_i) begin
      mm_first_q   <= mm_first_i;
      mm_k_valid_q <= mm_k_valid_i;
      mm_n_valid_q <= mm_n_valid_i;
    end
  end

  assign mm_slot_valid_o   = mm_issue_i ? (mm_rows_i != 32'd0) : (mm_left_q != 32'd0);
  assign mm_slot_last_o    = mm_issue_i ? (mm_rows_i <= 32'd1) : (mm_left_q == 32'd1);
  assign mm_slot_switch_o  = mm_issue_i && mm_switch_i;
  assign mm_slot_first_o   = mm_issue_i ? mm_first_i : mm_first_q;
  assign mm_slot_acc_o     = mm_issue_i ? mm_acc_i : mm_acc_q;
  assign mm_slot_k_valid_o = mm_issue_i ? mm_k_valid_i : mm_k_valid_q;
  assign mm_slot_n_valid_o = mm_issue_i ? mm_n_valid_i : mm_n_valid_q;
  assign vmem_mm_read_o    = mm_slot_valid_o;
  assign vmem_mm_addr_o    = mm_addr;

  // MXU-4 (neighbours): an accumulating MM may not read a row that the MM before it has not written yet. The window is
  // [accA + max(M_A, La) - La + 1, accA + M_A - 1]; it is kept as its bounds of the last MM.
  `ifdef VERILATOR
  logic [31:0] hazard_low_q, hazard_high_q;  // empty: high < low
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hazard_low_q  <= 32'd1;
      hazard_high_q <= 32'd0;
    end else if (mm_issue_i) begin
      hazard_low_q  <= mm_acc_i + ((mm_rows_i > AccLatency) ? mm_rows_i - AccLatency : 32'd0) + 32'd1;
      hazard_high_q <= mm_acc_i + mm_rows_i;  // exclusive, so that M = 0 at row 0 does not wrap
    end
  end
  `LK_ASSERT(Mxu4NeighbourRows, !mm_issue_i || mm_first_i || mm_rows_i == 32'd0 ||
                                mm_acc_i < hazard_low_q || mm_acc_i >= hazard_high_q)
  `LK_ASSERT(Mxu2LoadWithoutFreePlane, !wld_issue_i || wld_ready_o)
  `LK_ASSERT(Mxu2SwitchWithoutLoad, !(mm_issue_i && mm_switch_i) || mm_switch_ok_o)
  `LK_ASSERT(Mxu4MmOverlap, !mm_issue_i || mm_ready_o)
  `LK_ASSERT(MxuAccRange, !mm_slot_valid_o || mm_slot_acc_o < AccRows)
  `endif
  `LK_STATIC_ASSERT(LoadRowsDividesRows, Rows % LoadRows == 0)
  `LK_STATIC_ASSERT(AccLatencyAtLeastTwo, AccLatency >= 2)
endmodule
