// Array body as a specification: one module per block, real registers at the block edges, two real planes.
//
//   VMEM row m ---> skew: row block i waits i cycles --->  block (i, 0) -> block (i, 1) -> ...
//   VMEM rows of a load -> skew: column block j waits j cycles ---> column bus j, into every block (i, j)
//   switch and load tokens enter block (0, 0), go down column 0 and from there to the right
//   partial sums go down; below the array column block j is one cycle behind column block j - 1
//
// So a slot addressed in cycle t meets block (i, j) in cycle t + VmemLatency + i + j (MXU-1). The ports are those of
// lk_mxu_fast. For small arrays: its size in a simulator grows with Rows * Cols / LoadRows^2 modules.
module lk_mxu_spec #(
  parameter int Rows = 16,
  parameter int Cols = 16,
  parameter int LoadRows = 4,
  parameter int AccRows = 512,
  parameter int VmemLatency = 2,
  parameter int AccLatency = 2,
  parameter int RowsPerCycle = 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [7:0]                        csr_fill_i,

  input  logic                              wld_slot_start_i,
  input  logic                              wld_slot_last_i,
  input  logic [LoadRows-1:0]               wld_slot_rows_i,
  input  logic [31:0]                       wld_slot_n_valid_i,
  input  logic [8*LoadRows*Cols-1:0]        wld_data_i,

  input  logic                              mm_slot_valid_i,
  input  logic                              mm_slot_last_i,
  input  logic                              mm_slot_switch_i,
  input  logic                              mm_slot_first_i,
  /* verilator lint_off UNUSEDSIGNAL */     // bits above AccRows: range-checked in lk_mxu_ctrl
  input  logic [31:0]                       mm_slot_acc_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0]                       mm_slot_k_valid_i,
  input  logic [31:0]                       mm_slot_n_valid_i,
  input  logic [8*Rows-1:0]                 mm_data_i,

  output logic                              wld_sf_o,
  output logic                              wld_done_o,
  output logic                              mm_sf_o,
  output logic                              mm_done_o,

  input  logic [RowsPerCycle-1:0]           acc_read_i,
  input  logic [32*RowsPerCycle-1:0]        acc_addr_i,
  output logic [32*RowsPerCycle*Cols-1:0]   acc_data_o
);
  localparam int RowBlocks = Rows / LoadRows;
  localparam int ColBlocks = Cols / LoadRows;
  localparam int AccBits   = $clog2(AccRows);

  // --- the slot's control meets its data, VmemLatency after the address
  logic                load_token, switch_token;
  logic [LoadRows-1:0] load_rows;
  logic [31:0]         load_n_valid, k_valid;
  lk_delay #(.Width(2 + LoadRows + 32), .Depth(VmemLatency)) i_wld_control (
    .clk_i, .rst_ni, .d_i({wld_slot_start_i, wld_slot_last_i, wld_slot_rows_i, wld_slot_n_valid_i}),
    .q_o({load_token, wld_sf_o, load_rows, load_n_valid}));
  lk_delay #(.Width(2 + 32), .Depth(VmemLatency)) i_mm_control (
    .clk_i, .rst_ni, .d_i({mm_slot_switch_i, mm_slot_last_i, mm_slot_k_valid_i}),
    .q_o({switch_token, mm_sf_o, k_valid}));

  // --- masks (MXU-4) and skews (MXU-1)
  logic [8*Rows-1:0]          activations, activations_skewed;
  logic [8*LoadRows*Cols-1:0] weights, weights_skewed;  // column block by column block, then row by row

  generate
    for (genvar k = 0; k < Rows; k++) begin : gen_activation_mask
      assign activations[8*k +: 8] = (k_valid > k) ? mm_data_i[8*k +: 8] : 8'd0;
    end
    for (genvar i = 0; i < RowBlocks; i++) begin : gen_activation_skew
      lk_delay #(.Width(8 * LoadRows), .Depth(i)) i_skew (
        .clk_i, .rst_ni, .d_i(activations[8*LoadRows*i +: 8*LoadRows]),
        .q_o(activations_skewed[8*LoadRows*i +: 8*LoadRows]));
    end
    for (genvar j = 0; j < ColBlocks; j++) begin : gen_weight_bus
      for (genvar q = 0; q < LoadRows; q++) begin : gen_row
        for (genvar c = 0; c < LoadRows; c++) begin : gen_column
          assign weights[8*(LoadRows*LoadRows*j + LoadRows*q + c) +: 8] =
              (load_rows[q] && load_n_valid > LoadRows*j + c) ? wld_data_i[8*(Cols*q + LoadRows*j + c) +: 8] : 8'd0;
        end
      end
      lk_delay #(.Width(8 * LoadRows * LoadRows), .Depth(j)) i_skew (
        .clk_i, .rst_ni, .d_i(weights[8*LoadRows*LoadRows*j +: 8*LoadRows*LoadRows]),
        .q_o(weights_skewed[8*LoadRows*LoadRows*j +: 8*LoadRows*LoadRows]));
    end
  endgenerate

  // --- the blocks; the registers of block (i, j) have index i * ColBlocks + j
  localparam int Blocks = RowBlocks * ColBlocks;
  /* verilator lint_off UNUSEDSIGNAL */  // activations and tokens leave the array at its right edge
  logic [8*LoadRows*Blocks-1:0]  act_out;
  logic [Blocks-1:0]             switch_out, load_out;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [32*LoadRows*Blocks-1:0] sum_out;
  generate
    for (genvar i = 0; i < RowBlocks; i++) begin : gen_block_row
      for (genvar j = 0; j < ColBlocks; j++) begin : gen_block
        localparam int Here  = i * ColBlocks + j;
        localparam int Left  = (j > 0) ? Here - 1 : 0;
        localparam int Above = (i > 0) ? Here - ColBlocks : 0;
        logic [8*LoadRows-1:0]  act_in;
        logic [32*LoadRows-1:0] sum_in;
        logic                   switch_in, load_in;
        assign act_in = (j > 0) ? act_out[8*LoadRows*Left +: 8*LoadRows]
                                : activations_skewed[8*LoadRows*i +: 8*LoadRows];
        assign sum_in = (i > 0) ? sum_out[32*LoadRows*Above +: 32*LoadRows] : '0;  // MXU-6: a sum starts at 0
        assign switch_in = (j > 0) ? switch_out[Left] : (i > 0) ? switch_out[Above] : switch_token;
        assign load_in   = (j > 0) ? load_out[Left] : (i > 0) ? load_out[Above] : load_token;
        if (Here == Blocks - 1) begin : gen_last
          assign wld_done_o = load_in;  // MXU-5: the token enters the last block
        end
        lk_mxu_block #(.LoadRows(LoadRows)) i_block (
          .clk_i, .rst_ni,
          .act_i(act_in), .sum_i(sum_in), .switch_i(switch_in), .load_i(load_in),
          .load_data_i(weights_skewed[8*LoadRows*LoadRows*j +: 8*LoadRows*LoadRows]),
          .act_o(act_out[8*LoadRows*Here +: 8*LoadRows]), .sum_o(sum_out[32*LoadRows*Here +: 32*LoadRows]),
          .switch_o(switch_out[Here]), .load_o(load_out[Here])
        );
      end
    end
  endgenerate

  // --- a row's control reaches the accumulators of column block 0 behind the bottom block, then moves right
  localparam int ControlBits = 3 + AccBits + 32;
  logic [ControlBits*ColBlocks-1:0] control;
  logic [ColBlocks-1:0]             column_last;
  assign mm_done_o = column_last[ColBlocks-1];
  generate
    for (genvar j = 0; j < ColBlocks; j++) begin : gen_accumulator
      if (j == 0) begin : gen_control_entry
        lk_delay #(.Width(ControlBits), .Depth(VmemLatency + RowBlocks)) i_control (
          .clk_i, .rst_ni,
          .d_i({mm_slot_valid_i, mm_slot_last_i, mm_slot_first_i, mm_slot_acc_i[AccBits-1:0], mm_slot_n_valid_i}),
          .q_o(control[ControlBits-1:0]));
      end else begin : gen_control_right
        lk_delay #(.Width(ControlBits), .Depth(1)) i_control (
          .clk_i, .rst_ni, .d_i(control[ControlBits*(j-1) +: ControlBits]),
          .q_o(control[ControlBits*j +: ControlBits]));
      end

      logic [32*RowsPerCycle*LoadRows-1:0] read_data;
      lk_mxu_accumulator #(
        .LoadRows(LoadRows), .AccRows(AccRows), .AccLatency(AccLatency), .FirstColumn(LoadRows * j),
        .RowsPerCycle(RowsPerCycle)
      ) i_accumulator (
        .clk_i, .rst_ni, .csr_fill_i,
        .valid_i(control[ControlBits*j + ControlBits - 1]),
        .last_i(control[ControlBits*j + ControlBits - 2]),
        .first_i(control[ControlBits*j + ControlBits - 3]),
        .acc_row_i(control[ControlBits*j + 32 +: AccBits]),
        .n_valid_i(control[ControlBits*j +: 32]),
        .sum_i(sum_out[32*LoadRows*((RowBlocks-1)*ColBlocks + j) +: 32*LoadRows]),
        .last_o(column_last[j]),
        .acc_read_i, .acc_addr_i, .acc_data_o(read_data)
      );
      for (genvar r = 0; r < RowsPerCycle; r++) begin : gen_read_data
        assign acc_data_o[32*(Cols*r + LoadRows*j) +: 32*LoadRows] = read_data[32*LoadRows*r +: 32*LoadRows];
      end
    end
  endgenerate
endmodule
