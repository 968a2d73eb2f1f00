// Burst arbiter (DMA-3): one grant per cycle among LD0, LD1, ST0. The holder keeps the grant for up to `quantum` bursts
// while it stays eligible and inside one row stripe, so that streams do not close each other's rows.
module lk_dma_arb (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  int          quantum_i,
  input  int          stripe_log2_i,
  input  logic [2:0]  eligible_i,  // request registered, window not full, channel slot free, all at the start of the cycle
  input  logic [39:0] addr0_i,
  input  logic [39:0] addr1_i,
  input  logic [39:0] addr2_i,
  output logic [2:0]  grant_o
);
  // A holder of 2 (ST0) with no quantum left is the reset state: the ring then starts at LD0.
  logic [1:0]  holder_q;
  logic [31:0] used_q;
  logic [39:0] stripe_q;   // of the holder's previous burst
  logic        held_q;     // false until the first grant

  logic [39:0] holder_addr;
  logic        keep;
  logic [1:0]  next;

  always_comb begin
    holder_addr = holder_q == 2'd0 ? addr0_i : holder_q == 2'd1 ? addr1_i : addr2_i;
    keep = held_q && eligible_i[holder_q] && used_q < 32'(quantum_i) &&
           (holder_addr >> stripe_log2_i) == stripe_q;
    next = holder_q;
    unique case (holder_q)
      2'd0:    next = eligible_i[1] ? 2'd1 : eligible_i[2] ? 2'd2 : 2'd0;
      2'd1:    next = eligible_i[2] ? 2'd2 : eligible_i[0] ? 2'd0 : 2'd1;
      default: next = eligible_i[0] ? 2'd0 : eligible_i[1] ? 2'd1 : 2'd2;
    endcase
    if (keep) next = holder_q;
    grant_o = 3'b000;
    if (eligible_i != 3'b000) grant_o[next] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      holder_q <= 2'd2;
      used_q   <= 0;
      stripe_q <= 0;
      held_q   <= 1'b0;
    end else if (eligible_i != 3'b000) begin
      holder_q <= next;
      held_q   <= 1'b1;
      used_q   <= keep ? used_q + 1 : 1;
      stripe_q <= (next == 2'd0 ? addr0_i : next == 2'd1 ? addr1_i : addr2_i) >> stripe_log2_i;
    end
  end
endmodule
