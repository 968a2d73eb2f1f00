// One matrix unit: WLD and MM engines, the block-pipelined array, its two weight planes and its accumulators
// (MXU-1, 2, 4, 5, 6; int8 x int8 -> int32, two's complement wrap).
//
// Time: an issue strobe is high in the issue cycle i, and the operands are read in that same cycle. The unit
// addresses VMEM itself: row m of an MM in cycle i + m, rows x*b .. x*b+b-1 of a WLD in cycle i + x; the data arrives
// VmemLatency later. The *_sf_o and *_done_o strobes are high in the cycle of the event (EVT-1) and come from the
// tokens that travel with the data. An accumulator row written in cycle t is seen by a read of cycle t + 1.
//
// The caller may raise wld_issue_i only with wld_ready_o, mm_issue_i only with mm_ready_o and, if mm_switch_i,
// mm_switch_ok_o (MXU-2); the outputs do not depend on the issue inputs.
//
// Body: 0 = fast (in place, for simulation speed), 1 = specification (one module per block; small arrays only).
module lk_mxu #(
  parameter int Rows = 16,         // R
  parameter int Cols = 16,         // C
  parameter int LoadRows = 4,      // b, divides Rows and Cols
  parameter int AccRows = 512,     // accumulator rows of Cols words
  parameter int VmemLatency = 2,   // Lv >= 1
  parameter int AccLatency = 2,    // La >= 2
  parameter int RowsPerCycle = 1,  // accumulator rows the VX port reads in a cycle
  parameter int Body = 0,
  parameter int Datapath = 1       // 0: control and events only, accumulators read as 0
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [7:0]                        csr_fill_i,       // every accumulator byte while in reset

  // WLD queue head
  input  logic                              wld_issue_i,
  input  logic [31:0]                       wld_addr_i,       // VMEM byte address of row k = 0
  input  logic [31:0]                       wld_row_stride_i, // bytes, two's complement
  input  logic [31:0]                       wld_k_valid_i,    // rows >= k_valid are stored as 0 and not read
  input  logic [31:0]                       wld_n_valid_i,    // columns >= n_valid are stored as 0
  output logic                              wld_ready_o,      // occupancy over and pending = 0, start of this cycle
  output logic                              wld_busy_o,       // this cycle belongs to a WLD's occupancy
  output logic                              wld_sf_o,
  output logic                              wld_done_o,

  // MM queue head
  input  logic                              mm_issue_i,
  input  logic [31:0]                       mm_addr_i,        // VMEM byte address of row m = 0
  input  logic [31:0]                       mm_row_stride_i,  // bytes, two's complement
  input  logic [31:0]                       mm_acc_i,         // accumulator row of m = 0
  input  logic [31:0]                       mm_rows_i,        // M, 0 allowed (MXU-6)
  input  logic [31:0]                       mm_k_valid_i,     // activations k >= k_valid enter as 0
  input  logic [31:0]                       mm_n_valid_i,     // partial sums of columns >= n_valid are 0
  input  logic                              mm_first_i,       // overwrite instead of accumulate
  input  logic                              mm_switch_i,      // carries the switch token
  output logic                              mm_ready_o,       // occupancy over, start of this cycle
  output logic                              mm_switch_ok_o,   // pending = 1, start of this cycle
  output logic                              mm_busy_o,
  output logic                              mm_sf_o,
  output logic                              mm_done_o,

  // VMEM read ports (lk_vmem)
  output logic                              vmem_mm_read_o,
  output logic [31:0]                       vmem_mm_addr_o,
  input  logic [8*Rows-1:0]                 vmem_mm_data_i,
  output logic [LoadRows-1:0]               vmem_wld_read_o,
  output logic [32*LoadRows-1:0]            vmem_wld_addr_o,
  input  logic [8*LoadRows*Cols-1:0]        vmem_wld_data_i,

  // VX: accumulator rows addressed in cycle t, data in registers from t + 1 (kept until the next read of that port)
  input  logic [RowsPerCycle-1:0]           acc_read_i,
  input  logic [32*RowsPerCycle-1:0]        acc_addr_i,
  output logic [32*RowsPerCycle*Cols-1:0]   acc_data_o
);
  // slots of this cycle, from control to body
  logic                 wld_slot_start, wld_slot_valid, wld_slot_last;
  logic [LoadRows-1:0]  wld_slot_rows;
  logic [31:0]          wld_slot_n_valid;
  logic                 mm_slot_valid, mm_slot_last, mm_slot_switch, mm_slot_first;
  logic [31:0]          mm_slot_acc, mm_slot_k_valid, mm_slot_n_valid;

  lk_mxu_ctrl #(
    .Rows(Rows), .LoadRows(LoadRows), .AccRows(AccRows), .AccLatency(AccLatency)
  ) i_ctrl (
    .clk_i, .rst_ni,
    .wld_issue_i, .wld_addr_i, .wld_row_stride_i, .wld_k_valid_i, .wld_n_valid_i, .wld_ready_o, .wld_busy_o,
    .mm_issue_i, .mm_addr_i, .mm_row_stride_i, .mm_acc_i, .mm_rows_i, .mm_k_valid_i, .mm_n_valid_i, .mm_first_i,
    .mm_switch_i, .mm_ready_o, .mm_switch_ok_o, .mm_busy_o,
    .vmem_mm_read_o, .vmem_mm_addr_o, .vmem_wld_read_o, .vmem_wld_addr_o,
    .wld_slot_start_o(wld_slot_start), .wld_slot_valid_o(wld_slot_valid), .wld_slot_last_o(wld_slot_last),
    .wld_slot_rows_o(wld_slot_rows), .wld_slot_n_valid_o(wld_slot_n_valid),
    .mm_slot_valid_o(mm_slot_valid), .mm_slot_last_o(mm_slot_last), .mm_slot_switch_o(mm_slot_switch),
    .mm_slot_first_o(mm_slot_first), .mm_slot_acc_o(mm_slot_acc), .mm_slot_k_valid_o(mm_slot_k_valid),
    .mm_slot_n_valid_o(mm_slot_n_valid)
  );

  generate
    if (Body == 0) begin : gen_fast
      lk_mxu_fast #(
        .Rows(Rows), .Cols(Cols), .LoadRows(LoadRows), .AccRows(AccRows), .VmemLatency(VmemLatency),
        .AccLatency(AccLatency), .RowsPerCycle(RowsPerCycle), .Datapath(Datapath)
      ) i_body (
        .clk_i, .rst_ni, .csr_fill_i,
        .wld_slot_start_i(wld_slot_start), .wld_slot_valid_i(wld_slot_valid), .wld_slot_last_i(wld_slot_last),
        .wld_slot_rows_i(wld_slot_rows), .wld_slot_n_valid_i(wld_slot_n_valid), .wld_data_i(vmem_wld_data_i),
        .mm_slot_valid_i(mm_slot_valid), .mm_slot_last_i(mm_slot_last), .mm_slot_switch_i(mm_slot_switch),
        .mm_slot_first_i(mm_slot_first), .mm_slot_acc_i(mm_slot_acc), .mm_slot_k_valid_i(mm_slot_k_valid),
        .mm_slot_n_valid_i(mm_slot_n_valid), .mm_data_i(vmem_mm_data_i),
        .wld_sf_o, .wld_done_o, .mm_sf_o, .mm_done_o,
        .acc_read_i, .acc_addr_i, .acc_data_o
      );
    end else begin : gen_spec
      logic unused_slot;
      assign unused_slot = wld_slot_valid;
      lk_mxu_spec #(
        .Rows(Rows), .Cols(Cols), .LoadRows(LoadRows), .AccRows(AccRows), .VmemLatency(VmemLatency),
        .AccLatency(AccLatency), .RowsPerCycle(RowsPerCycle)
      ) i_body (
        .clk_i, .rst_ni, .csr_fill_i,
        .wld_slot_start_i(wld_slot_start), .wld_slot_last_i(wld_slot_last),
        .wld_slot_rows_i(wld_slot_rows), .wld_slot_n_valid_i(wld_slot_n_valid), .wld_data_i(vmem_wld_data_i),
        .mm_slot_valid_i(mm_slot_valid), .mm_slot_last_i(mm_slot_last), .mm_slot_switch_i(mm_slot_switch),
        .mm_slot_first_i(mm_slot_first), .mm_slot_acc_i(mm_slot_acc), .mm_slot_k_valid_i(mm_slot_k_valid),
        .mm_slot_n_valid_i(mm_slot_n_valid), .mm_data_i(vmem_mm_data_i),
        .wld_sf_o, .wld_done_o, .mm_sf_o, .mm_done_o,
        .acc_read_i, .acc_addr_i, .acc_data_o
      );
    end
  endgenerate
endmodule
