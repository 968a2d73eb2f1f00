// Array body for simulation speed: planes, partial sums and accumulators are updated in place by one process.
//
// It is cycle- and bit-equal to lk_mxu_spec, which is the readable form of the same rules; read that one first. What
// differs is the representation:
//
//   * The wave of a row over the blocks is a bit vector by age: bit n = the slot addressed n + 1 cycles ago. A slot of
//     age VmemLatency + d is at the blocks (i, j) with i + j = d (MXU-1), so one bit gates one diagonal, and only
//     blocks that hold a row do any work.
//   * Activations and weights are not shifted through skew registers. They stay in a ring at the slot of their arrival
//     cycle; block (i, j) reads slot now - (i + j), a load reads slot now - j.
//   * The two planes are `shadow` (loads write it) and `active`; the switch token copies block by block what the
//     specification does by toggling a select bit.
//   * For b > 1 one element holds two neighbouring columns, w0 + w1 * 2^32 modulo 2^64, so that one multiplication
//     serves both. The sums stay exact: a tile's partial sum is below 2^31 in size (rows * 2^14), hence the low half is
//     column 0 and the high half, plus the borrow of a negative low half, is column 1. Accumulators are kept apart:
//     they may wrap.
//
// Order within a cycle: accumulators (read, then write), switch, products bottom up, loads, so that every step sees the
// values of the start of the cycle.
`include "lk_assert.svh"

module lk_mxu_fast #(
  parameter int Rows = 16,
  parameter int Cols = 16,
  parameter int LoadRows = 4,
  parameter int AccRows = 512,
  parameter int VmemLatency = 2,
  parameter int AccLatency = 2,
  parameter int RowsPerCycle = 1,
  parameter int Datapath = 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [7:0]                        csr_fill_i,

  input  logic                              wld_slot_start_i,
  input  logic                              wld_slot_valid_i,
  input  logic                              wld_slot_last_i,
  input  logic [LoadRows-1:0]               wld_slot_rows_i,
  input  logic [31:0]                       wld_slot_n_valid_i,
  input  logic [8*LoadRows*Cols-1:0]        wld_data_i,       // of the slot VmemLatency cycles ago

  input  logic                              mm_slot_valid_i,
  input  logic                              mm_slot_last_i,
  input  logic                              mm_slot_switch_i,
  input  logic                              mm_slot_first_i,
  /* verilator lint_off UNUSEDSIGNAL */  // bits above AccRows: range-checked in lk_mxu_ctrl
  input  logic [31:0]                       mm_slot_acc_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0]                       mm_slot_k_valid_i,
  input  logic [31:0]                       mm_slot_n_valid_i,
  input  logic [8*Rows-1:0]                 mm_data_i,        // of the slot VmemLatency cycles ago

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
  localparam int Diagonals = RowBlocks + ColBlocks - 1;

  // Ages (cycles since its VMEM address) of a slot at the first block, in the bottom block of column block 0, at its
  // accumulator read and at its accumulator write; column block j is j later. Bit age - 1 of a wave is that slot.
  localparam int AgeFirst  = VmemLatency;
  localparam int AgeRead   = VmemLatency + RowBlocks;
  localparam int AgeWrite  = VmemLatency + RowBlocks - 1 + AccLatency;
  localparam int AgeEnd    = AgeWrite + ColBlocks - 1;

  logic [AgeEnd-1:0] row_wave_q, last_wave_q, switch_wave_q, load_wave_q, load_valid_q, load_last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_wave_q    <= '0;
      last_wave_q   <= '0;
      switch_wave_q <= '0;
      load_wave_q   <= '0;
      load_valid_q  <= '0;
      load_last_q   <= '0;
    end else begin
      row_wave_q    <= {row_wave_q[AgeEnd-2:0], mm_slot_valid_i};
      last_wave_q   <= {last_wave_q[AgeEnd-2:0], mm_slot_last_i};
      switch_wave_q <= {switch_wave_q[AgeEnd-2:0], mm_slot_switch_i};
      load_wave_q   <= {load_wave_q[AgeEnd-2:0], wld_slot_start_i};
      load_valid_q  <= {load_valid_q[AgeEnd-2:0], wld_slot_valid_i};
      load_last_q   <= {load_last_q[AgeEnd-2:0], wld_slot_last_i};
    end
  end

  // MXU-5, from the tokens: the last row has entered block (0, 0); its last accumulator block is written; the last
  // weight rows have arrived; the load token is in the last block.
  assign mm_sf_o    = last_wave_q[AgeFirst-1];
  assign mm_done_o  = last_wave_q[AgeEnd-1];
  assign wld_sf_o   = load_last_q[AgeFirst-1];
  assign wld_done_o = load_wave_q[AgeFirst-1+Diagonals-1];

  generate
    if (Datapath == 0) begin : gen_timing_only
      assign acc_data_o = '0;
    end else begin : gen_array
      localparam int Pack         = (LoadRows > 1) ? 2 : 1;  // columns per element
      localparam int ElementBits  = 32 * Pack;
      localparam int Elements     = LoadRows / Pack;         // per block row
      localparam int SmallBlocks  = (LoadRows <= 2) ? 1 : 0; // a loop over blocks would cost more than the block

      // Sizes are powers of two and indices exactly as wide as needed: no bound checks in the generated code.
      localparam int RowBits  = (RowBlocks > 1) ? $clog2(RowBlocks) : 1;
      localparam int ColBits  = (ColBlocks > 1) ? $clog2(ColBlocks) : 1;
      localparam int DiagBits = (Diagonals > 1) ? $clog2(Diagonals) : 1;
      localparam int SlotBits = $clog2(AgeEnd + 1);
      localparam int SumBits  = $clog2(AccLatency);
      localparam int AccBits  = $clog2(AccRows);

      logic [ElementBits-1:0] active  [0:(1<<RowBits)-1][0:(1<<ColBits)-1][0:LoadRows-1][0:Elements-1];
      logic [ElementBits-1:0] shadow  [0:(1<<RowBits)-1][0:(1<<ColBits)-1][0:LoadRows-1][0:Elements-1];
      // partial[i]: sums that enter row block i; row block 0 gets zeros, the bottom ones leave at index RowBlocks
      logic [ElementBits-1:0] partial [0:(2<<RowBits)-1][0:(1<<ColBits)-1][0:Elements-1];
      logic [ElementBits-1:0] activation_ring [0:(1<<DiagBits)-1][0:(1<<RowBits)-1][0:LoadRows-1];
      logic [ElementBits-1:0] weight_ring [0:(1<<ColBits)-1][0:(1<<ColBits)-1][0:LoadRows-1][0:Elements-1];
      logic [31:0] sum_ring [0:(1<<SumBits)-1][0:(1<<ColBits)-1][0:LoadRows-1];
      logic [31:0] acc [0:(1<<AccBits)-1][0:(1<<ColBits)-1][0:LoadRows-1];

      // control of a slot, at the cycle of its VMEM address
      logic                first_ring [0:(1<<SlotBits)-1];
      logic [AccBits-1:0]  acc_ring [0:(1<<SlotBits)-1];
      logic [31:0]         k_valid_ring [0:(1<<SlotBits)-1];
      logic [31:0]         n_valid_ring [0:(1<<SlotBits)-1];
      logic [LoadRows-1:0] load_rows_ring [0:(1<<SlotBits)-1];
      logic [31:0]         load_n_valid_ring [0:(1<<SlotBits)-1];

      logic [31:0] now_q;                        // names ring slots; only differences matter
      logic [31:0] row_blocks_q, col_blocks_q;   // constants that Verilator must not see (LK_ROLLED)
      always_ff @(posedge clk_i) begin
        now_q <= rst_ni ? now_q + 32'd1 : 32'd0;
        row_blocks_q <= RowBlocks;
        col_blocks_q <= ColBlocks;
      end

      // Two int8 columns as w0 + w1 * 2^32 (mod 2^64): flipping the sign bits and subtracting them again extends both.
      function automatic logic [ElementBits-1:0] pack_columns(input logic [7:0] column0, input logic [7:0] column1);
        return ElementBits'({24'd0, column1 ^ 8'h80, 24'd0, column0 ^ 8'h80} - 64'h0000_0080_0000_0080);
      endfunction

      logic [SlotBits-1:0] slot, write_slot;
      logic [DiagBits-1:0] diagonal_slot;
      logic [ColBits-1:0]  load_slot, j;
      logic [RowBits-1:0]  i;
      logic [RowBits:0]    below;
      logic [SumBits-1:0]  sum_slot;
      logic [AccBits-1:0]  acc_row;
      logic [31:0]         limit;
      int                  row, col, first_block, end_block;
      logic [LoadRows-1:0] load_rows;
      logic [7:0]          byte0, byte1;
      logic [ElementBits-1:0] sum;
      logic [63:0]         column_sums;
      logic [31:0]         term;
      logic                overwrite;

      // The only process that touches the arrays: its blocking assignments cannot race.
      /* verilator lint_off BLKSEQ */
      always_ff @(posedge clk_i) begin
        // Assigned here, every temporary is a local variable of the generated code instead of a word in memory.
        {row, col, first_block, end_block, limit, term, column_sums, sum} = '0;
        {i, j, below, slot, write_slot, sum_slot, diagonal_slot, load_slot, acc_row} = '0;
        {load_rows, byte0, byte1, overwrite} = '0;

        // --- reset: accumulators take the fill byte (lockstep simulation); no sum enters from above the array
        if (!rst_ni) begin
          for (int a = 0; a < (1 << AccBits); a++)
            for (int jj = 0; jj < ColBlocks; jj++)
              for (int n = 0; n < LoadRows; n++) acc[a][jj][n] = {4{csr_fill_i}};
          for (int jj = 0; jj < ColBlocks; jj++)
            for (int e = 0; e < Elements; e++) partial[0][jj][e] = '0;
        end else begin
          // --- VX port: the accumulators of the start of the cycle
          for (int r = 0; r < RowsPerCycle; r++) begin
            if (acc_read_i[r]) begin
              acc_row = acc_addr_i[32*r +: AccBits];
              for (int jj = 0; jj < ColBlocks; jj++)
                for (int n = 0; n < LoadRows; n++)
                  acc_data_o[32*(Cols*r + LoadRows*jj + n) +: 32] <= acc[acc_row][jj][n];
            end
          end

          // --- control of the slots addressed now
          slot = now_q[SlotBits-1:0];
          if (mm_slot_valid_i) begin
            first_ring[slot] = mm_slot_first_i;
            acc_ring[slot] = mm_slot_acc_i[AccBits-1:0];
            k_valid_ring[slot] = mm_slot_k_valid_i;
            n_valid_ring[slot] = mm_slot_n_valid_i;
          end
          if (wld_slot_valid_i) begin
            load_rows_ring[slot] = wld_slot_rows_i;
            load_n_valid_ring[slot] = wld_slot_n_valid_i;
          end

          // --- operands that arrive now, masked (MXU-4)
          slot = now_q[SlotBits-1:0] - SlotBits'(AgeFirst);
          if (row_wave_q[AgeFirst-1]) begin
            diagonal_slot = now_q[DiagBits-1:0];
            limit = k_valid_ring[slot];
            for (int ii = 0; ii < RowBlocks; ii++)
              for (int k = 0; k < LoadRows; k++)
                activation_ring[diagonal_slot][ii][k] = (limit > LoadRows*ii + k) ?
                    {{(ElementBits-8){mm_data_i[8*(LoadRows*ii+k)+7]}}, mm_data_i[8*(LoadRows*ii+k) +: 8]} : '0;
          end
          if (load_valid_q[AgeFirst-1]) begin
            load_slot = now_q[ColBits-1:0];
            limit = load_n_valid_ring[slot];
            load_rows = load_rows_ring[slot];
            if (limit >= Cols && (&load_rows)) begin  // the common case, without masks
              for (int q = 0; q < LoadRows; q++)
                for (int jj = 0; jj < ColBlocks; jj++)
                  for (int e = 0; e < Elements; e++)
                    weight_ring[load_slot][jj][q][e] =
                        pack_columns(wld_data_i[8*(Cols*q + LoadRows*jj + Pack*e) +: 8],
                                     wld_data_i[8*(Cols*q + LoadRows*jj + Pack*e + Pack - 1) +: 8]);
            end else begin
              for (int q = 0; q < LoadRows; q++) begin
                for (col = 0; col < `LK_ROLLED(col_blocks_q, ColBlocks); col++) begin
                  j = ColBits'(col);
                  for (int e = 0; e < Elements; e++) begin
                    byte0 = wld_data_i[8*(Cols*q + LoadRows*col + Pack*e) +: 8];
                    byte1 = wld_data_i[8*(Cols*q + LoadRows*col + Pack*e + Pack - 1) +: 8];
                    if (!load_rows[q] || limit <= LoadRows*col + Pack*e) byte0 = 8'd0;
                    if (!load_rows[q] || limit <= LoadRows*col + Pack*e + Pack - 1) byte1 = 8'd0;
                    weight_ring[load_slot][j][q][e] = pack_columns(byte0, byte1);
                  end
                end
              end
            end
          end

          // --- accumulators: read and add at AgeRead, write AccLatency - 1 later (MXU-5)
          if (|row_wave_q[AgeEnd-1:AgeRead-1]) begin
            for (int jj = 0; jj < ColBlocks; jj++) begin
              if (row_wave_q[AgeRead-1+jj]) begin
                slot = now_q[SlotBits-1:0] - SlotBits'(AgeRead + jj);
                acc_row = acc_ring[slot];
                overwrite = first_ring[slot];
                limit = n_valid_ring[slot];
                for (int e = 0; e < Elements; e++) begin
                  column_sums = 64'(partial[RowBlocks][jj][e]);
                  if (Pack == 2) column_sums[63:32] = column_sums[63:32] + {31'd0, column_sums[31]};
                  for (int n = 0; n < Pack; n++) begin
                    term = (limit > LoadRows*jj + Pack*e + n) ? column_sums[32*n +: 32] : 32'd0;
                    sum_ring[now_q[SumBits-1:0]][jj][Pack*e+n] =
                        (overwrite ? 32'd0 : acc[acc_row][jj][Pack*e+n]) + term;
                  end
                end
              end
              if (row_wave_q[AgeWrite-1+jj]) begin
                write_slot = now_q[SlotBits-1:0] - SlotBits'(AgeWrite + jj);
                sum_slot = now_q[SumBits-1:0] - SumBits'(AccLatency - 1);
                acc_row = acc_ring[write_slot];
                for (int n = 0; n < LoadRows; n++)
                  acc[acc_row][jj][n] = sum_ring[sum_slot][jj][n];
              end
            end
          end

          // --- switch token: one diagonal of blocks takes the plane that was loaded (MXU-2)
          if (|switch_wave_q[AgeFirst-1 +: Diagonals]) begin
            for (int d = 0; d < Diagonals; d++) begin
              if (switch_wave_q[AgeFirst-1+d]) begin
                first_block = (d >= ColBlocks) ? d - ColBlocks + 1 : 0;
                end_block = (d < RowBlocks) ? d + 1 : RowBlocks;
                for (row = first_block; row < end_block; row++) begin
                  i = RowBits'(row);
                  j = ColBits'(d - row);
                  for (int k = 0; k < LoadRows; k++)
                    for (int e = 0; e < Elements; e++) active[i][j][k][e] = shadow[i][j][k][e];
                end
              end
            end
          end

          // --- products, bottom up: the sum that enters a block is the one its upper neighbour had at the start
          if (|row_wave_q[AgeFirst-1 +: Diagonals]) begin
            for (row = `LK_ROLLED(row_blocks_q, RowBlocks) - 1; row >= 0; row--) begin
              i = RowBits'(row);
              below = (RowBits+1)'(row + 1);
              if (SmallBlocks != 0) begin
                if (|row_wave_q[AgeFirst-1+row +: ColBlocks]) begin
                  for (int jj = 0; jj < ColBlocks; jj++) begin
                    diagonal_slot = now_q[DiagBits-1:0] - DiagBits'(row + jj);
                    for (int e = 0; e < Elements; e++) begin
                      sum = partial[{1'b0, i}][jj][e];
                      for (int k = 0; k < LoadRows; k++)
                        sum = sum + activation_ring[diagonal_slot][i][k] * active[i][jj][k][e];
                      partial[below][jj][e] = sum;
                    end
                  end
                end
              end else begin
                for (col = 0; col < `LK_ROLLED(col_blocks_q, ColBlocks); col++) begin
                  if (row_wave_q[AgeFirst-1+row+col]) begin
                    j = ColBits'(col);
                    diagonal_slot = now_q[DiagBits-1:0] - DiagBits'(row + col);
                    for (int e = 0; e < Elements; e++) begin
                      sum = partial[{1'b0, i}][j][e];
                      for (int k = 0; k < LoadRows; k++)
                        sum = sum + activation_ring[diagonal_slot][i][k] * active[i][j][k][e];
                      partial[below][j][e] = sum;
                    end
                  end
                end
              end
            end
          end

          // --- load token: one diagonal of blocks takes its rows; column block j sees the data j cycles late (MXU-1)
          if (|load_wave_q[AgeFirst-1 +: Diagonals]) begin
            for (int d = 0; d < Diagonals; d++) begin
              if (load_wave_q[AgeFirst-1+d]) begin
                first_block = (d >= ColBlocks) ? d - ColBlocks + 1 : 0;
                end_block = (d < RowBlocks) ? d + 1 : RowBlocks;
                for (row = first_block; row < end_block; row++) begin
                  i = RowBits'(row);
                  j = ColBits'(d - row);
                  load_slot = now_q[ColBits-1:0] - j;
                  for (int k = 0; k < LoadRows; k++)
                    for (int e = 0; e < Elements; e++) shadow[i][j][k][e] = weight_ring[load_slot][j][k][e];
                end
              end
            end
          end
        end
      end
      /* verilator lint_on BLKSEQ */
    end
  endgenerate
endmodule
