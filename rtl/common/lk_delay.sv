// A shift register of Depth stages (0 = a wire). Every stage is cleared by reset, so no token of an earlier run is left.
module lk_delay #(
  parameter int Width = 1,
  parameter int Depth = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);
  generate
    if (Depth == 0) begin : gen_wire
      logic unused_clock;
      assign unused_clock = clk_i & rst_ni;
      assign q_o = d_i;
    end else begin : gen_stages
      logic [Width*Depth-1:0] stages_q;
      logic [Width*(Depth+1)-1:0] taps;  // tap n: the input n cycles ago
      assign taps = {stages_q, d_i};
      always_ff @(posedge clk_i) begin
        if (!rst_ni) stages_q <= '0;
        else stages_q <= taps[Width*Depth-1:0];
      end
      assign q_o = taps[Width*Depth +: Width];
    end
  endgenerate
endmodule
