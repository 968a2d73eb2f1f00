// Decode and address formation of the word that is about to dispatch (ISA-2, SEQ-1): addresses from this cycle's loop
// indices and rings, and the checks that a machine fault rests on. Everything is zero while `en_i` is low, so that a
// blocked or idle sequencer costs nothing.
//
// Arithmetic is 64-bit two's complement. The 24-bit counts and 40-bit strides make every single product fit.
module lk_decode #(
  parameter int Rows         = 8,
  parameter int Cols         = 8,
  parameter int Lanes        = 8,
  parameter int AccRows      = 256,
  parameter int VmemBytes    = 65536,
  parameter int LineBytes    = 32,   // power of two
  parameter int GranuleBytes = 32,
  parameter int LoadQueues   = 1
) (
  input  logic                                                    en_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [lk_isa_pkg::WordBits-1:0]                         word_i,  // fields of features not built are not read
  // verilator lint_on UNUSEDSIGNAL
  input  logic [lk_isa_pkg::LoopLevels-1:0][23:0]                 index_i,
  input  logic [lk_isa_pkg::Rings-1:0][3:0]                       ring_i,
  input  logic [lk_isa_pkg::BaseRegisters-1:0][63:0]              base_i,
  input  logic [39:0]                                             hbm_bytes_i,

  output lk_core_pkg::dma_desc_t                                  dma_o,
  output lk_core_pkg::mxu_body_t                                  mxu_o,
  output lk_core_pkg::vx_body_t                                   vx_o,
  output logic [4:0]                                              fault_o  // lk_isa_pkg::Fault*, 0 = none
);
  import lk_isa_pkg::*;
  import lk_core_pkg::*;

  // Address terms of a field prefix P.
  `define LK_FIELD(P) word_i[P``_LSB +: P``_WIDTH]
  `define LK_SIGNED(P) 64'($signed(word_i[P``_LSB +: P``_WIDTH]))
  `define LK_LOOP(P) (`LK_SIGNED(P``_STRIDE) * 64'({40'b0, index_i[`LK_FIELD(P``_LEVEL)]}))
  `define LK_RING(P) (`LK_SIGNED(P``_STRIDE) * 64'({60'b0, ring_i[`LK_FIELD(P``_INDEX)]}))
  `define LK_CHIP(P) \
    (`LK_SIGNED(P``_IMM) + `LK_LOOP(P``_LOOP0) + `LK_LOOP(P``_LOOP1) + `LK_LOOP(P``_LOOP2) + `LK_RING(P``_RING))
  `define LK_SLOT(P) (`LK_SIGNED(P``_IMM) + `LK_LOOP(P``_LOOP0) + `LK_LOOP(P``_LOOP1) + `LK_RING(P``_RING))

  // 5.006 sizes casts of parameter expressions by their operands, hence named 64-bit constants.
  localparam longint GranuleMask   = 64'(GranuleBytes) - 1;
  localparam longint LineMask      = 64'(LineBytes) - 1;
  localparam longint Lanes64       = 64'(Lanes);
  localparam longint ChunksPerRow  = 64'(Cols) / 64'(Lanes);  // G of VX-4

  // Products beyond this cannot lie in any memory and would spoil the sums.
  localparam longint Far = 64'sd1 << 41;

  // For a < n_a, b < n_b: do `bytes` units at addr + a*stride_a + b*stride_b leave [0, limit)? All counts >= 1.
  function automatic logic outside(longint addr, longint n_a, longint stride_a, longint n_b, longint stride_b,
                                   longint bytes, longint limit);
    longint reach_a, reach_b, low, high;
    reach_a = (n_a - 1) * stride_a;
    reach_b = (n_b - 1) * stride_b;
    if (addr < -Far || addr > Far || reach_a < -Far || reach_a > Far || reach_b < -Far || reach_b > Far) return 1'b1;
    low  = addr + (reach_a < 0 ? reach_a : 0) + (reach_b < 0 ? reach_b : 0);
    high = addr + (reach_a > 0 ? reach_a : 0) + (reach_b > 0 ? reach_b : 0) + bytes;
    return low < 0 || high > limit;
  endfunction

  // VMEM-1: does any of the rows of `width` bytes at addr + a*stride_a + b*stride_b straddle a line? Positions in the line
  // repeat after LineBytes / (power of two in the stride) steps, so dense and line-aligned rows need one look.
  function automatic logic straddles(longint addr, longint n_a, longint stride_a, longint n_b, longint stride_b,
                                     longint width);
    longint steps_a, steps_b, at;
    steps_a = period(stride_a);
    steps_b = period(stride_b);
    if (steps_a > n_a) steps_a = n_a;
    if (steps_b > n_b) steps_b = n_b;
    for (longint a = 0; a < steps_a; a = a + 1) begin
      for (longint b = 0; b < steps_b; b = b + 1) begin
        at = (addr + a * stride_a + b * stride_b) & LineMask;
        if (at + width > LineMask + 1) return 1'b1;
      end
    end
    return 1'b0;
  endfunction

  function automatic longint period(longint stride);
    longint power;
    power = (stride | (LineMask + 1)) & -(stride | (LineMask + 1));  // lowest set bit, at most the line
    return (LineMask + 1) / power;
  endfunction

  function automatic logic unaligned(longint value);
    return (value & GranuleMask) != 0;
  endfunction

  logic [3:0] op;
  assign op = `LK_FIELD(HDR_OP);

  longint hbm_addr, hbm_run, hbm_n1, hbm_stride1, hbm_stride2;
  longint vmem_addr, vmem_run, vmem_n1, vmem_stride1, vmem_stride2;
  longint reps, acc_row, acc_stride, rows, chunks;

  always_comb begin
    dma_o   = '0;
    mxu_o   = '0;
    vx_o    = '0;
    fault_o = 5'(FaultNone);
    hbm_addr = 0; hbm_run = 0; hbm_n1 = 0; hbm_stride1 = 0; hbm_stride2 = 0;
    vmem_addr = 0; vmem_run = 0; vmem_n1 = 0; vmem_stride1 = 0; vmem_stride2 = 0;
    reps = 0; acc_row = 0; acc_stride = 0; rows = 0; chunks = 0;
    if (en_i) begin
      unique case (op)
        OpLd, OpSt: begin  // one layout (checked below)
          hbm_addr     = longint'(base_i[`LK_FIELD(LD_HBM_BASE)]) + `LK_SIGNED(LD_HBM_IMM) + `LK_LOOP(LD_HBM_LOOP0) +
                         `LK_LOOP(LD_HBM_LOOP1) + `LK_LOOP(LD_HBM_LOOP2) + `LK_LOOP(LD_HBM_LOOP3);
          hbm_run      = longint'({32'b0, `LK_FIELD(LD_HBM_RUN)});
          hbm_n1       = longint'({40'b0, `LK_FIELD(LD_HBM_N1)});
          hbm_stride1  = `LK_SIGNED(LD_HBM_STRIDE1);
          hbm_stride2  = `LK_SIGNED(LD_HBM_STRIDE2);
          vmem_addr    = `LK_CHIP(LD_VMEM);
          vmem_run     = longint'({32'b0, `LK_FIELD(LD_VMEM_RUN)});
          vmem_n1      = longint'({40'b0, `LK_FIELD(LD_VMEM_N1)});
          vmem_stride1 = `LK_SIGNED(LD_VMEM_STRIDE1);
          vmem_stride2 = `LK_SIGNED(LD_VMEM_STRIDE2);
          reps         = longint'({40'b0, `LK_FIELD(LD_REPS_IMM)});

          dma_o.hbm    = '{hbm_addr[39:0], hbm_run[31:0], hbm_n1[31:0], hbm_stride1[39:0], hbm_stride2[39:0]};
          dma_o.vmem   = '{vmem_addr[39:0], vmem_run[31:0], vmem_n1[31:0], vmem_stride1[39:0], vmem_stride2[39:0]};
          dma_o.reps   = reps[31:0];
          dma_o.continues = `LK_FIELD(LD_CONTINUES);
          dma_o.marker = hbm_run == 0 || hbm_n1 == 0 || reps == 0;

          if (32'(`LK_FIELD(HDR_UNIT)) >= (op == OpLd ? LoadQueues : 1)) fault_o = 5'(FaultUnit);
          else if (`LK_FIELD(LD_HBM_TABLE_SCALE) != 0 || `LK_FIELD(LD_REPS_FROM_TABLE) != 0 || `LK_FIELD(LD_FILL) != 0)
            fault_o = 5'(FaultNotBuilt);
          else if (hbm_run * hbm_n1 != vmem_run * vmem_n1) fault_o = 5'(FaultDmaLength);
          else if (!dma_o.marker) begin
            if (unaligned(hbm_addr | hbm_run | hbm_stride1 | hbm_stride2 |
                          vmem_addr | vmem_run | vmem_stride1 | vmem_stride2))
              fault_o = 5'(FaultDmaAlign);
            else if (outside(hbm_addr, hbm_n1, hbm_stride1, reps, hbm_stride2, hbm_run, longint'({24'b0, hbm_bytes_i})))
              fault_o = 5'(FaultHbmRange);
            else if (outside(vmem_addr, vmem_n1, vmem_stride1, reps, vmem_stride2, vmem_run, longint'(VmemBytes)))
              fault_o = 5'(FaultVmemRange);
          end
        end

        OpWld: begin
          vmem_addr        = `LK_CHIP(WLD_VMEM);
          mxu_o.addr       = vmem_addr[31:0];
          vmem_stride1     = `LK_SIGNED(WLD_ROW_STRIDE);
          mxu_o.row_stride = vmem_stride1[31:0];
          mxu_o.k_valid    = 32'(`LK_FIELD(WLD_K_VALID));
          mxu_o.n_valid    = 32'(`LK_FIELD(WLD_N_VALID));
          if (`LK_FIELD(HDR_UNIT) != 0) fault_o = 5'(FaultUnit);
          else if (mxu_o.k_valid > Rows || mxu_o.n_valid > Cols) fault_o = 5'(FaultOperand);
          else if (mxu_o.k_valid != 0 && outside(vmem_addr, longint'({32'b0, mxu_o.k_valid}), vmem_stride1, 1, 0,
                                                 longint'(Cols), longint'(VmemBytes)))
            fault_o = 5'(FaultVmemRange);
          else if (mxu_o.k_valid != 0 && straddles(vmem_addr, longint'({32'b0, mxu_o.k_valid}), vmem_stride1, 1, 0,
                                                   longint'(Cols)))
            fault_o = 5'(FaultLine);
        end

        OpMm: begin
          vmem_addr          = `LK_CHIP(MM_VMEM);
          acc_row            = `LK_CHIP(MM_ACC);
          vmem_stride1       = `LK_SIGNED(MM_ROW_STRIDE);
          rows               = longint'({40'b0, `LK_FIELD(MM_ROWS_IMM)});
          mxu_o.addr         = vmem_addr[31:0];
          mxu_o.row_stride   = vmem_stride1[31:0];
          mxu_o.k_valid      = 32'(`LK_FIELD(MM_K_VALID));
          mxu_o.n_valid      = 32'(`LK_FIELD(MM_N_VALID));
          mxu_o.acc          = acc_row[31:0];
          mxu_o.rows         = rows[31:0];
          mxu_o.first        = `LK_FIELD(MM_FIRST);
          mxu_o.plane_switch = `LK_FIELD(MM_SWITCH);
          if (`LK_FIELD(HDR_UNIT) != 0) fault_o = 5'(FaultUnit);
          else if (`LK_FIELD(MM_ROWS_FROM_TABLE) != 0) fault_o = 5'(FaultNotBuilt);
          else if (mxu_o.k_valid > Rows || mxu_o.n_valid > Cols) fault_o = 5'(FaultOperand);
          else if (rows != 0) begin
            if (outside(vmem_addr, rows, vmem_stride1, 1, 0, longint'(Rows), longint'(VmemBytes)))
              fault_o = 5'(FaultVmemRange);
            else if (straddles(vmem_addr, rows, vmem_stride1, 1, 0, longint'(Rows))) fault_o = 5'(FaultLine);
            else if (acc_row < 0 || acc_row + rows > longint'(AccRows)) fault_o = 5'(FaultAccRange);
          end
        end

        OpVx: begin
          acc_row               = `LK_SLOT(VX_SLOT0);
          vmem_addr             = `LK_SLOT(VX_SLOT1);
          rows                  = longint'({40'b0, `LK_FIELD(VX_ROWS_IMM)});
          vx_o.rows             = rows[31:0];
          vx_o.chunks           = 32'(`LK_FIELD(VX_CHUNKS));
          vx_o.cols_valid       = 32'(`LK_FIELD(VX_COLS_VALID));
          vx_o.acc              = acc_row[31:0];
          vx_o.acc_row_stride   = 32'($signed(`LK_FIELD(VX_SLOT0_ROW_STRIDE)));
          vx_o.acc_chunk_stride = 32'($signed(`LK_FIELD(VX_SLOT0_CHUNK_STRIDE)));
          vx_o.addr             = vmem_addr[31:0];
          vx_o.row_stride       = 32'($signed(`LK_FIELD(VX_SLOT1_ROW_STRIDE)));
          vx_o.chunk_stride     = 32'($signed(`LK_FIELD(VX_SLOT1_CHUNK_STRIDE)));
          chunks       = longint'({48'b0, `LK_FIELD(VX_CHUNKS)});
          acc_stride   = `LK_SIGNED(VX_SLOT0_ROW_STRIDE);
          vmem_stride1 = `LK_SIGNED(VX_SLOT1_ROW_STRIDE);
          vmem_stride2 = `LK_SIGNED(VX_SLOT1_CHUNK_STRIDE);
          if (`LK_FIELD(HDR_UNIT) != 0) fault_o = 5'(FaultUnit);
          else if (32'(`LK_FIELD(VX_KERNEL)) != KernelCopy || `LK_FIELD(VX_ROWS_FROM_TABLE) != 0 ||
                   `LK_FIELD(VX_ROWS_INNER) != 0 || `LK_FIELD(VX_SLOT0_ROW_STRIDE2) != 0 ||
                   `LK_FIELD(VX_SLOT1_ROW_STRIDE2) != 0 || 32'(`LK_FIELD(VX_SLOT0_TYPE)) != TypeInt32 ||
                   32'(`LK_FIELD(VX_SLOT1_TYPE)) != TypeInt32)
            fault_o = 5'(FaultNotBuilt);
          else if (32'(`LK_FIELD(VX_SLOT0_SPACE)) > SpaceAcc0) fault_o = 5'(FaultUnit);
          else if (32'(`LK_FIELD(VX_SLOT0_SPACE)) != SpaceAcc0 || 32'(`LK_FIELD(VX_SLOT1_SPACE)) != SpaceVmem ||
                   32'(`LK_FIELD(VX_SLOT2_SPACE)) != SpaceNone || 32'(`LK_FIELD(VX_SLOT3_SPACE)) != SpaceNone ||
                   32'(`LK_FIELD(VX_SLOT4_SPACE)) != SpaceNone || 32'(`LK_FIELD(VX_SLOT5_SPACE)) != SpaceNone ||
                   longint'({32'b0, vx_o.cols_valid}) > chunks * Lanes64)
            fault_o = 5'(FaultOperand);
          else if (rows != 0 && chunks != 0) begin
            if (((vmem_addr | vmem_stride1 | vmem_stride2) & 64'd3) != 0) fault_o = 5'(FaultOperand);
            else if (outside(acc_row, rows, acc_stride, (chunks + ChunksPerRow - 1) / ChunksPerRow,
                             `LK_SIGNED(VX_SLOT0_CHUNK_STRIDE), 1, longint'(AccRows)))
              fault_o = 5'(FaultAccRange);
            else if (outside(vmem_addr, rows, vmem_stride1, chunks, vmem_stride2, 4 * Lanes64, longint'(VmemBytes)))
              fault_o = 5'(FaultVmemRange);
            else if (straddles(vmem_addr, rows, vmem_stride1, chunks, vmem_stride2, 4 * Lanes64))
              fault_o = 5'(FaultLine);
          end
        end

        OpLoop:                     if (`LK_FIELD(LOOP_TRIP_FROM_TABLE) != 0) fault_o = 5'(FaultNotBuilt);
        OpWldT:                     fault_o = 5'(FaultNotBuilt);
        OpEndloop, OpSync, OpHalt:  fault_o = 5'(FaultNone);
        default:                    fault_o = 5'(FaultIllegalOp);
      endcase
    end
  end

  if (LD_HBM_BASE_LSB != ST_HBM_BASE_LSB || LD_REPS_IMM_LSB != ST_REPS_IMM_LSB || LD_FILL_LSB != ST_FILL_LSB) begin : gen_layout
    $error("LD and ST words are decoded alike and must have one layout");
  end

  `undef LK_FIELD
  `undef LK_SIGNED
  `undef LK_LOOP
  `undef LK_RING
  `undef LK_CHIP
  `undef LK_SLOT
endmodule
