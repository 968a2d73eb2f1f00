`include "lk_assert.svh"

// VMEM: the software-managed scratchpad, one port per engine and no arbitration (VMEM-1).
//
// Byte-addressed. A row of an operand never straddles a line of LineBytes. Reads addressed in cycle t sample the array
// in cycle t + VmemLatency - 1, before the writes of that cycle, and their data is in a register from cycle
// t + VmemLatency. Writes of cycle t are seen by reads that sample in cycle t + 1 or later.
//
// A DMA beat is BeatBytes / GranuleBytes granules, each with its own byte address and valid bit; granule g is bits
// [8*GranuleBytes*g +: 8*GranuleBytes] of the beat. Addresses are flat vectors of 32-bit byte addresses.
//
// Reset fills every byte with csr_fill_i within one cycle. No SRAM does that: it is a feature of lockstep simulation,
// where RTL and the functional model must start from the same bytes.
//
// Two writes to one byte in one cycle are a race of the program (SEM-5); here the order LD0, LD1, VX decides.
module lk_vmem #(
  parameter int Rows = 16,          // R: bytes of one MM read
  parameter int Cols = 16,          // C: bytes of one row of a WLD read
  parameter int LoadRows = 4,       // b: rows of one WLD read
  parameter int Lanes = 16,         // 32-bit words of one row of a VX write
  parameter int RowsPerCycle = 1,   // rows of one VX write
  parameter int VmemBytes = 65536,
  parameter int LineBytes = 64,
  parameter int VmemLatency = 2,    // Lv >= 1
  parameter int BeatBytes = 32,     // a multiple of GranuleBytes
  parameter int GranuleBytes = 32,  // a multiple of 4
  parameter int LoadQueues = 1,     // 1 or 2
  parameter int Datapath = 1,       // 0: no storage, every read returns 0 (timing-only build)
  localparam int Granules = BeatBytes / GranuleBytes
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [7:0]                          csr_fill_i,

  // MM: one activation row, Rows bytes at mm_addr_i
  input  logic                                mm_read_i,
  input  logic [31:0]                         mm_addr_i,
  output logic [8*Rows-1:0]                   mm_data_o,

  // WLD: LoadRows weight rows, Cols bytes each; a row whose bit of wld_read_i is 0 is not read
  input  logic [LoadRows-1:0]                 wld_read_i,
  input  logic [32*LoadRows-1:0]              wld_addr_i,
  output logic [8*LoadRows*Cols-1:0]          wld_data_o,

  // ST: one beat; bytes of granules that are not valid are unspecified
  input  logic [Granules-1:0]                 st_read_i,
  input  logic [32*Granules-1:0]              st_addr_i,
  output logic [8*BeatBytes-1:0]              st_data_o,

  // LD: one beat per load queue
  input  logic [LoadQueues*Granules-1:0]      ld_write_i,
  input  logic [32*LoadQueues*Granules-1:0]   ld_addr_i,
  input  logic [8*LoadQueues*BeatBytes-1:0]   ld_data_i,

  // VX: RowsPerCycle rows of Lanes words, each with its own (4-byte aligned) address; vx_lane_mask_i covers all rows
  input  logic [RowsPerCycle-1:0]             vx_write_i,
  input  logic [32*RowsPerCycle-1:0]          vx_addr_i,
  input  logic [Lanes-1:0]                    vx_lane_mask_i,
  input  logic [32*RowsPerCycle*Lanes-1:0]    vx_data_i
);
  localparam int Words = 1 << ($clog2(VmemBytes) - 2);  // a power of two, so that no index needs a bound check
  localparam int WordIndexBits = $clog2(Words);

  /* verilator lint_off UNUSEDSIGNAL */  // address bits above the array: checked at the ports, not decoded
  // Addresses wait VmemLatency - 1 cycles; then the array is sampled into the data registers.
  logic                       mm_read_s;
  logic [31:0]                mm_addr_s;
  logic [LoadRows-1:0]        wld_read_s;
  logic [32*LoadRows-1:0]     wld_addr_s;
  logic [Granules-1:0]        st_read_s;
  logic [32*Granules-1:0]     st_addr_s;
  /* verilator lint_on UNUSEDSIGNAL */

  lk_delay #(.Width(33), .Depth(VmemLatency - 1)) i_mm_request (
    .clk_i, .rst_ni, .d_i({mm_read_i, mm_addr_i}), .q_o({mm_read_s, mm_addr_s}));
  lk_delay #(.Width(33 * LoadRows), .Depth(VmemLatency - 1)) i_wld_request (
    .clk_i, .rst_ni, .d_i({wld_read_i, wld_addr_i}), .q_o({wld_read_s, wld_addr_s}));
  lk_delay #(.Width(33 * Granules), .Depth(VmemLatency - 1)) i_st_request (
    .clk_i, .rst_ni, .d_i({st_read_i, st_addr_i}), .q_o({st_read_s, st_addr_s}));

  generate
    if (Datapath != 0) begin : gen_storage
      logic [31:0] mem [0:Words-1];
      logic [WordIndexBits-1:0] word;
      logic [4:0] shift;
      logic [31:0] read_word, next_word;

      // One process, reads before writes, the array updated in place: the only reader of `mem` is this process, so the
      // blocking assignments cannot race (they are what keeps Verilator from copying the array).
      /* verilator lint_off BLKSEQ */
      always_ff @(posedge clk_i) begin
        word = '0;
        shift = '0;
        read_word = '0;
        next_word = '0;
        if (mm_read_s) begin
          word = mm_addr_s[WordIndexBits+1:2];
          if (mm_addr_s[1:0] == 2'd0) begin
            for (int w = 0; w < Rows / 4; w++) mm_data_o[32*w +: 32] <= mem[word + WordIndexBits'(w)];
          end else begin
            shift = {mm_addr_s[1:0], 3'd0};
            next_word = mem[word];
            for (int w = 0; w < Rows / 4; w++) begin
              read_word = next_word;
              next_word = mem[word + WordIndexBits'(w + 1)];
              mm_data_o[32*w +: 32] <= (read_word >> shift) | (next_word << (6'd32 - {1'b0, shift}));
            end
          end
        end
        for (int q = 0; q < LoadRows; q++) begin
          if (wld_read_s[q]) begin
            word = wld_addr_s[32*q+2 +: WordIndexBits];
            if (wld_addr_s[32*q +: 2] == 2'd0) begin
              for (int w = 0; w < Cols / 4; w++)
                wld_data_o[8*Cols*q + 32*w +: 32] <= mem[word + WordIndexBits'(w)];
            end else begin
              shift = {wld_addr_s[32*q +: 2], 3'd0};
              next_word = mem[word];
              for (int w = 0; w < Cols / 4; w++) begin
                read_word = next_word;
                next_word = mem[word + WordIndexBits'(w + 1)];
                wld_data_o[8*Cols*q + 32*w +: 32] <= (read_word >> shift) | (next_word << (6'd32 - {1'b0, shift}));
              end
            end
          end
        end
        for (int g = 0; g < Granules; g++) begin
          if (st_read_s[g]) begin
            word = st_addr_s[32*g+2 +: WordIndexBits];
            for (int w = 0; w < GranuleBytes / 4; w++)
              st_data_o[8*GranuleBytes*g + 32*w +: 32] <= mem[word + WordIndexBits'(w)];
          end
        end
        for (int g = 0; g < LoadQueues * Granules; g++) begin
          if (ld_write_i[g]) begin
            word = ld_addr_i[32*g+2 +: WordIndexBits];
            for (int w = 0; w < GranuleBytes / 4; w++)
              mem[word + WordIndexBits'(w)] = ld_data_i[8*GranuleBytes*g + 32*w +: 32];
          end
        end
        for (int r = 0; r < RowsPerCycle; r++) begin
          if (vx_write_i[r]) begin
            word = vx_addr_i[32*r+2 +: WordIndexBits];
            for (int l = 0; l < Lanes; l++)
              if (vx_lane_mask_i[l]) mem[word + WordIndexBits'(l)] = vx_data_i[32*(Lanes*r+l) +: 32];
          end
        end
        if (!rst_ni) begin
          for (int w = 0; w < Words; w++) mem[w] = {4{csr_fill_i}};
        end
      end
      /* verilator lint_on BLKSEQ */
    end else begin : gen_timing_only
      assign mm_data_o = '0;
      assign wld_data_o = '0;
      assign st_data_o = '0;
    end
  endgenerate

  // Ranges and alignment. The verifier refuses such programs; a live assertion says which port slipped through. That
  // the valid bytes of a row stay within one line is the verifier's check: this module does not know how many are.
  `LK_STATIC_ASSERT(RowsAreWholeWords, Rows % 4 == 0 && Cols % 4 == 0)
  `LK_STATIC_ASSERT(BeatIsWholeGranules, BeatBytes % GranuleBytes == 0 && GranuleBytes % 4 == 0)
  `LK_STATIC_ASSERT(LineHoldsOperandRows, LineBytes >= Rows && LineBytes >= Cols && LineBytes >= 4 * Lanes)
  `LK_STATIC_ASSERT(LatencyAtLeastOne, VmemLatency >= 1)
  `LK_ASSERT(VmemMmRange, !mm_read_i || mm_addr_i < VmemBytes)
  generate
    for (genvar q = 0; q < LoadRows; q++) begin : gen_check_wld
      `LK_ASSERT(VmemWldRange, !wld_read_i[q] || wld_addr_i[32*q +: 32] < VmemBytes)
    end
    for (genvar g = 0; g < Granules; g++) begin : gen_check_st
      `LK_ASSERT(VmemStRange, !st_read_i[g] || (st_addr_i[32*g +: 32] < VmemBytes &&
                                                st_addr_i[32*g +: 32] % GranuleBytes == 0))
    end
    for (genvar g = 0; g < LoadQueues * Granules; g++) begin : gen_check_ld
      `LK_ASSERT(VmemLdRange, !ld_write_i[g] || (ld_addr_i[32*g +: 32] < VmemBytes &&
                                                 ld_addr_i[32*g +: 32] % GranuleBytes == 0))
    end
    for (genvar r = 0; r < RowsPerCycle; r++) begin : gen_check_vx
      `LK_ASSERT(VmemVxRange, !vx_write_i[r] || (vx_addr_i[32*r +: 32] < VmemBytes &&
                                                 vx_addr_i[32*r +: 2] == 2'd0))
    end
  endgenerate
endmodule
