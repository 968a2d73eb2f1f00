// VMEM side of a DMA queue: walks the descriptors' VMEM shapes unit by unit (DMA-1) and gives the addresses of the units
// that the beat of this cycle moves. A unit never straddles a run, because runs are multiples of the granule.
module lk_dma_walk #(
  parameter int BeatBytes = 32,
  parameter int UnitBytes = 32  // divides BeatBytes and the DMA granule
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,

  input  logic                                   push_i,  // at dispatch, zero-length descriptors excluded
  input  lk_core_pkg::dma_side_t                 side_i,
  input  logic                                   beat_i,
  input  logic [31:0]                            bytes_i, // of this beat
  input  logic                                   last_i,  // this beat ends its descriptor
  output logic [(BeatBytes/UnitBytes)*32-1:0]    addr_o   // unit u in bits 32u+31:32u
);
  localparam int Units   = BeatBytes / UnitBytes;
  localparam int PtrBits = $clog2(lk_core_pkg::ShapeMax);

  lk_core_pkg::dma_side_t ring_q [lk_core_pkg::ShapeMax];
  logic [PtrBits-1:0]     wr_q, rd_q;  // rd: the next shape to load
  logic                   loaded_q;

  // Addresses are formed modulo 2^32; ranges were checked at dispatch.
  logic [31:0] run_q, n1_q, stride1_q, stride2_q;
  logic [31:0] addr_q, row_q, outer_q, left_q, j_left_q;
  logic [31:0] addr_d, row_d, outer_d, left_d, j_left_d;

  always_comb begin
    addr_o   = '0;
    addr_d   = addr_q;
    row_d    = row_q;
    outer_d  = outer_q;
    left_d   = left_q;
    j_left_d = j_left_q;
    if (beat_i) begin
      for (int u = 0; u < Units; u++) begin
        if (u * UnitBytes < bytes_i) begin
          addr_o[u*32 +: 32] = addr_d;
          addr_d = addr_d + UnitBytes;
          left_d = left_d - UnitBytes;
          if (left_d == 0) begin
            if (j_left_d != 1) begin
              row_d    = row_d + stride1_q;
              j_left_d = j_left_d - 1;
            end else begin
              outer_d  = outer_d + stride2_q;
              row_d    = outer_d;
              j_left_d = n1_q;
            end
            addr_d = row_d;
            left_d = run_q;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q     <= 0;
      rd_q     <= 0;
      loaded_q <= 1'b0;
    end else begin
      if (push_i) begin
        ring_q[wr_q] <= side_i;
        wr_q         <= wr_q + 1;
      end
      if (beat_i && !last_i) begin
        addr_q   <= addr_d;
        row_q    <= row_d;
        outer_q  <= outer_d;
        left_q   <= left_d;
        j_left_q <= j_left_d;
      end
      // The next shape is loaded ahead of its first beat: that comes at least two cycles after its dispatch.
      if (!loaded_q || (beat_i && last_i)) begin
        loaded_q <= rd_q != wr_q;
        if (rd_q != wr_q) begin
          rd_q      <= rd_q + 1;
          run_q     <= ring_q[rd_q].run;
          n1_q      <= ring_q[rd_q].n1;
          stride1_q <= ring_q[rd_q].stride1[31:0];
          stride2_q <= ring_q[rd_q].stride2[31:0];
          addr_q    <= ring_q[rd_q].addr[31:0];
          row_q     <= ring_q[rd_q].addr[31:0];
          outer_q   <= ring_q[rd_q].addr[31:0];
          left_q    <= ring_q[rd_q].run;
          j_left_q  <= ring_q[rd_q].n1;
        end
      end
    end
  end
endmodule
