// One block of the array: LoadRows x LoadRows weights in two planes (MXU-1, MXU-2).
//
//             sum_i (from above)     load_data_i (column bus, not registered here)
//                 |                      |
//   act_i     +---v----------------------v---+
//   switch_i  |  planes 0 and 1, select      |  act_o, switch_o, load_o   (registers)
//   load_i -->|  sum + act * selected plane  |-->
//             +---+--------------------------+
//                 v sum_o (register)
//
// In one cycle the block adds LoadRows products to each passing partial sum, in the order k = 0, 1, ... A switch token
// turns the select bit and already counts for the row that comes with it. A load token writes the plane that was not
// selected at the start of the cycle; MXU-2 keeps the two tokens of a block in different cycles.
module lk_mxu_block #(
  parameter int LoadRows = 4
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [8*LoadRows-1:0]           act_i,        // element k: activation k of the block
  input  logic [32*LoadRows-1:0]          sum_i,        // element c: partial sum of column c
  input  logic                            switch_i,
  input  logic                            load_i,
  input  logic [8*LoadRows*LoadRows-1:0]  load_data_i,  // element k*LoadRows + c: weight of row k, column c
  output logic [8*LoadRows-1:0]           act_o,
  output logic [32*LoadRows-1:0]          sum_o,
  output logic                            switch_o,
  output logic                            load_o
);
  logic [8*LoadRows*LoadRows-1:0] plane0_q, plane1_q, weights;
  logic                           select_q, select_d;
  logic [32*LoadRows-1:0]         sum_d;
  logic [15:0]                    product;

  assign select_d = select_q ^ switch_i;
  assign weights  = select_d ? plane1_q : plane0_q;

  always_comb begin
    product = 16'd0;
    sum_d = sum_i;
    for (int c = 0; c < LoadRows; c++) begin
      for (int k = 0; k < LoadRows; k++) begin
        product = $signed(act_i[8*k +: 8]) * $signed(weights[8*(k*LoadRows+c) +: 8]);
        sum_d[32*c +: 32] = sum_d[32*c +: 32] + {{16{product[15]}}, product};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      select_q <= 1'b0;
      switch_o <= 1'b0;
      load_o   <= 1'b0;
    end else begin
      select_q <= select_d;
      switch_o <= switch_i;
      load_o   <= load_i;
    end
  end

  always_ff @(posedge clk_i) begin
    act_o <= act_i;
    sum_o <= sum_d;
    if (load_i && select_q) plane0_q <= load_data_i;
    if (load_i && !select_q) plane1_q <= load_data_i;
  end
endmodule
