// Accumulators of one column block: AccRows rows of LoadRows words, one adder of AccLatency stages (MXU-5, MXU-6).
//
// The row that arrives in cycle t reads its accumulators and is added in t, and is written in t + AccLatency - 1; a
// read of t + AccLatency sees it. No two rows in flight have the same address (MXU-4), so nothing is forwarded.
module lk_mxu_accumulator #(
  parameter int LoadRows = 4,
  parameter int AccRows = 512,
  parameter int AccLatency = 2,
  parameter int FirstColumn = 0,   // number of column 0 of this block in the array
  parameter int RowsPerCycle = 1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic [7:0]                           csr_fill_i,
  input  logic                                 valid_i,      // a row: bubbles are not valid
  input  logic                                 last_i,       // last slot of its MM, bubbles included
  input  logic                                 first_i,      // overwrite
  input  logic [$clog2(AccRows)-1:0]           acc_row_i,
  input  logic [31:0]                          n_valid_i,    // columns >= n_valid add 0 (MXU-4)
  input  logic [32*LoadRows-1:0]               sum_i,
  output logic                                 last_o,       // last_i, in the cycle of its write
  input  logic [RowsPerCycle-1:0]              acc_read_i,
  /* verilator lint_off UNUSEDSIGNAL */        // bits above AccRows
  input  logic [32*RowsPerCycle-1:0]           acc_addr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [32*RowsPerCycle*LoadRows-1:0]  acc_data_o
);
  localparam int RowBits = $clog2(AccRows);

  // A row that was not written since reset reads as the fill byte: the same as filling the memory, in real hardware.
  logic [32*LoadRows-1:0] mem [0:(1<<RowBits)-1];
  logic [(1<<RowBits)-1:0] written_q;
  logic [7:0]             fill_q;
  logic [32*LoadRows-1:0] fill, accumulated;
  always_ff @(posedge clk_i) if (!rst_ni) fill_q <= csr_fill_i;
  assign fill = {4*LoadRows{fill_q}};
  assign accumulated = written_q[acc_row_i] ? mem[acc_row_i] : fill;

  // Stage 1 adds; the others carry sum and address to the write.
  logic [32*LoadRows-1:0] total, total_write;
  logic [RowBits-1:0]     row_write;
  logic                   valid_write;
  generate
    for (genvar c = 0; c < LoadRows; c++) begin : gen_column
      assign total[32*c +: 32] = (first_i ? 32'd0 : accumulated[32*c +: 32]) +
                                 ((n_valid_i > FirstColumn + c) ? sum_i[32*c +: 32] : 32'd0);
    end
  endgenerate

  lk_delay #(.Width(2 + RowBits + 32 * LoadRows), .Depth(AccLatency - 1)) i_stages (
    .clk_i, .rst_ni, .d_i({valid_i, last_i, acc_row_i, total}), .q_o({valid_write, last_o, row_write, total_write}));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q <= '0;
    end else if (valid_write) begin
      written_q[row_write] <= 1'b1;
      mem[row_write] <= total_write;
    end
  end

  generate
    for (genvar r = 0; r < RowsPerCycle; r++) begin : gen_read
      logic [RowBits-1:0] row;
      assign row = acc_addr_i[32*r +: RowBits];
      always_ff @(posedge clk_i) begin
        if (acc_read_i[r])
          acc_data_o[32*LoadRows*r +: 32*LoadRows] <= written_q[row] ? mem[row] : fill;
      end
    end
  endgenerate
endmodule
