// Burst cutter and request register of one DMA queue (DMA-1, DMA-2).
//
// A descriptor taken in cycle i offers its first request in cycle i + setup_cycles; after a grant in g the next one is
// offered in g + 1. The HBM-side run is cut at multiples of BurstBytes and at its end.
module lk_dma_cut #(
  parameter int BurstBytes = 1024  // power of two
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  int                       setup_cycles_i,  // >= 1

  input  logic                     start_i,
  input  lk_core_pkg::dma_side_t   side_i,
  input  logic [31:0]              reps_i,
  output logic                     busy_o,

  output logic                     req_valid_o,
  output logic [39:0]              req_addr_o,
  output logic [31:0]              req_bytes_o,
  output logic                     req_last_o,      // last burst of its descriptor
  input  logic                     grant_i
);
  logic        busy_q;
  logic [31:0] wait_q;                     // cycles until the first request may be offered
  logic [31:0] run_q, n1_q;
  logic [39:0] stride1_q, stride2_q;
  logic [39:0] addr_q, row_q, outer_q;     // this request; start of its run; run 0 of its repetition
  logic [31:0] left_q, j_left_q, o_left_q; // bytes of the run, runs and repetitions from here on, this one included

  logic [31:0] to_boundary;
  assign to_boundary = 32'(BurstBytes) - (addr_q[31:0] & 32'(BurstBytes - 1));

  assign busy_o      = busy_q;
  assign req_valid_o = busy_q && wait_q == 0;
  assign req_addr_o  = addr_q;
  assign req_bytes_o = left_q < to_boundary ? left_q : to_boundary;
  assign req_last_o  = left_q <= to_boundary && j_left_q == 1 && o_left_q == 1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      wait_q <= 0;
    end else if (start_i) begin
      busy_q    <= 1'b1;
      wait_q    <= 32'(setup_cycles_i) - 1;
      run_q     <= side_i.run;
      n1_q      <= side_i.n1;
      stride1_q <= side_i.stride1;
      stride2_q <= side_i.stride2;
      addr_q    <= side_i.addr;
      row_q     <= side_i.addr;
      outer_q   <= side_i.addr;
      left_q    <= side_i.run;
      j_left_q  <= side_i.n1;
      o_left_q  <= reps_i;
    end else if (busy_q) begin
      if (wait_q != 0) wait_q <= wait_q - 1;
      if (grant_i) begin
        if (left_q > to_boundary) begin
          addr_q <= addr_q + 40'(to_boundary);
          left_q <= left_q - to_boundary;
        end else if (j_left_q != 1) begin
          addr_q   <= row_q + stride1_q;
          row_q    <= row_q + stride1_q;
          left_q   <= run_q;
          j_left_q <= j_left_q - 1;
        end else if (o_left_q != 1) begin
          addr_q   <= outer_q + stride2_q;
          row_q    <= outer_q + stride2_q;
          outer_q  <= outer_q + stride2_q;
          left_q   <= run_q;
          j_left_q <= n1_q;
          o_left_q <= o_left_q - 1;
        end else begin
          busy_q <= 1'b0;
        end
      end
    end
  end
endmodule
