// Body fields of an engine's words between dispatch and issue. Occupancy is kept where words are dispatched (SEQ-4), so
// this is storage and two pointers; head_o means something only while the queue holds a word.
module lk_body_queue #(
  parameter int Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic [Width-1:0] head_o
);
  localparam int PtrBits = $clog2(lk_core_pkg::QueueMax);

  logic [Width-1:0]   words_q [lk_core_pkg::QueueMax];
  logic [PtrBits-1:0] push_ptr_q, pop_ptr_q;

  assign head_o = words_q[pop_ptr_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      push_ptr_q <= '0;
      pop_ptr_q  <= '0;
    end else begin
      if (push_i) begin
        words_q[push_ptr_q] <= data_i;
        push_ptr_q          <= push_ptr_q + 1;
      end
      if (pop_i) pop_ptr_q <= pop_ptr_q + 1;
    end
  end
endmodule
