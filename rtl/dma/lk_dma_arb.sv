// Burst arbiter (DMA-3): one grant per cycle among LD0, LD1, ST0. The holder keeps the grant for up to `quantum` bursts
// while it stays eligible and inside one row stripe, so that streams do not close each other's rows.
//
// A queue is eligible with a registered request, a window that is not full and a free command slot of the request's
// channel, all at the start of the cycle. Channels interleave at the burst size (MEM-2).
module lk_dma_arb #(
  parameter int BurstBytes = 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stop_i,         // no grants any more
  input  int          quantum_i,
  input  int          stripe_log2_i,
  input  int          channels_i,     // 1, 2, 4 or 8
  input  logic [7:0]  slot_free_i,    // by channel

  input  logic [2:0]  req_valid_i,    // LD0, LD1, ST0: request registered and window not full
  input  logic [2:0]  req_close_i,
  input  logic [39:0] addr0_i,
  input  logic [39:0] addr1_i,
  input  logic [39:0] addr2_i,
  input  logic [31:0] bytes0_i,
  input  logic [31:0] bytes1_i,
  input  logic [31:0] bytes2_i,
  output logic [2:0]  grant_o,

  output logic        gnt_valid_o,
  output logic [3:0]  gnt_engine_o,   // flat engine id
  output logic [39:0] gnt_addr_o,
  output logic [31:0] gnt_bytes_o,
  output logic        gnt_close_o
);
  logic [2:0] eligible;
  logic [2:0] channel0, channel1, channel2;
  assign channel0 = 3'(addr0_i >> $clog2(BurstBytes)) & 3'(channels_i - 1);
  assign channel1 = 3'(addr1_i >> $clog2(BurstBytes)) & 3'(channels_i - 1);
  assign channel2 = 3'(addr2_i >> $clog2(BurstBytes)) & 3'(channels_i - 1);
  assign eligible = stop_i ? 3'b000
                           : req_valid_i & {slot_free_i[channel2], slot_free_i[channel1], slot_free_i[channel0]};

  assign gnt_valid_o  = grant_o != 3'b000;
  assign gnt_engine_o = grant_o[0] ? 4'(lk_isa_pkg::EngLd0) : grant_o[1] ? 4'(lk_isa_pkg::EngLd1) : 4'(lk_isa_pkg::EngSt0);
  assign gnt_addr_o   = grant_o[0] ? addr0_i : grant_o[1] ? addr1_i : addr2_i;
  assign gnt_bytes_o  = grant_o[0] ? bytes0_i : grant_o[1] ? bytes1_i : bytes2_i;
  assign gnt_close_o  = (grant_o & req_close_i) != 3'b000;

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
    keep = held_q && eligible[holder_q] && used_q < 32'(quantum_i) &&
           (holder_addr >> stripe_log2_i) == stripe_q;
    next = holder_q;
    unique case (holder_q)
      2'd0:    next = eligible[1] ? 2'd1 : eligible[2] ? 2'd2 : 2'd0;
      2'd1:    next = eligible[2] ? 2'd2 : eligible[0] ? 2'd0 : 2'd1;
      default: next = eligible[0] ? 2'd0 : eligible[1] ? 2'd1 : 2'd2;
    endcase
    if (keep) next = holder_q;
    grant_o = 3'b000;
    if (eligible != 3'b000) grant_o[next] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      holder_q <= 2'd2;
      used_q   <= 0;
      stripe_q <= 0;
      held_q   <= 1'b0;
    end else if (eligible != 3'b000) begin
      holder_q <= next;
      held_q   <= 1'b1;
      used_q   <= keep ? used_q + 1 : 1;
      stripe_q <= gnt_addr_o >> stripe_log2_i;
    end
  end
endmodule
