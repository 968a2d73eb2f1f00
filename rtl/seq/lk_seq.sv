// Sequencer: instruction memory, loop stack, rings, base registers, in-order dispatch of one word per cycle, SYNC and
// HALT (SEQ-1, 3, 4, 5).
//
// The word register holds the word at pc, so its bits are stable for everything that hangs on them; the memory is read
// one word ahead, in the cycle in which the word before it dispatches.
module lk_seq #(
  parameter int Rows         = 8,
  parameter int Cols         = 8,
  parameter int Lanes        = 8,
  parameter int AccRows      = 256,
  parameter int VmemBytes    = 65536,
  parameter int LineBytes    = 32,
  parameter int GranuleBytes = 32,
  parameter int LoadQueues   = 1,
  parameter int ImemWords    = 2048
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [39:0]                       csr_hbm_bytes_i,

  // image load. Words are written in ascending order from 0: the last one written ends the program.
  input  logic                              imem_we_i,
  input  int                                imem_addr_i,
  input  logic [lk_isa_pkg::WordBits-1:0]   imem_data_i,
  input  logic                              base_we_i,
  input  logic                              ring_we_i,
  input  logic [3:0]                        reg_addr_i,
  input  logic [63:0]                       reg_data_i,

  input  logic                              start_i,
  input  logic                              stop_i,       // sticky fault elsewhere

  input  logic [lk_core_pkg::QueueCount-1:0]  space_i,
  input  logic [lk_core_pkg::QueueCount-1:0]  pending_i,    // engines with words not done by the end of this cycle
  output logic [lk_core_pkg::QueueCount-1:0]  push_o,
  output lk_core_pkg::header_t              header_o,
  output lk_core_pkg::dma_desc_t            dma_o,
  output lk_core_pkg::mxu_body_t            mxu_o,
  output lk_core_pkg::vx_body_t             vx_o,

  output logic                              word_o,       // a word takes its dispatch cycle
  output logic                              record_o,     // ... that leaves a record (EVT-1)
  output logic [3:0]                        engine_o,     // its flat engine id
  output logic [31:0]                       pc_o,
  output logic                              seq_done_o,
  output logic                              halted_o,
  output logic                              fault_o,      // a word was refused in an earlier cycle
  output logic [4:0]                        fault_code_o,
  output logic [23:0]                       fault_tag_o
);
  import lk_isa_pkg::*;
  import lk_core_pkg::*;

  localparam int ImemBits = $clog2(ImemWords);

  logic [WordBits-1:0]               imem_q [1 << ImemBits];
  logic [31:0]                       length_q;    // words of the program; the memory survives a reset, its length does not
  logic [WordBits-1:0]               word_q;
  logic [31:0]                       pc_q;
  logic                              running_q;

  logic [BaseRegisters-1:0][63:0]    base_q;
  logic [lk_isa_pkg::Rings-1:0][3:0] ring_q, modulus_q;

  // Loop stack, one entry per level (SEQ-3). The index of an inactive level is 0.
  logic [LoopLevels-1:0]             active_q;
  logic [LoopLevels-1:0][23:0]       index_q;
  logic [23:0]                       trip_q   [LoopLevels];
  logic [31:0]                       body_q   [LoopLevels];
  logic [31:0]                       end_pc_q [LoopLevels];

  logic                              waiting_q, halting_q;  // in a SYNC or HALT
  logic [QueueCount-1:0]               mask_q;

  logic [3:0]                        op, unit;
  logic [2:0]                        level;
  logic                              is_loop, is_endloop, is_barrier, is_engine;
  logic [2:0]                        queue;      // compact engine index of an engine word
  logic                              offered, refused, dispatch;
  logic [4:0]                        decode_fault, fault;
  logic [31:0]                       next_pc;
  logic                              repeats;
  logic [QueueCount-1:0]               mask;

  assign op         = word_q[HDR_OP_LSB +: HDR_OP_WIDTH];
  assign unit       = word_q[HDR_UNIT_LSB +: HDR_UNIT_WIDTH];
  assign is_loop    = op == OpLoop;
  assign is_endloop = op == OpEndloop;
  assign is_barrier = op == OpSync || op == OpHalt;
  assign is_engine  = op != 0 && op < OpLoop;
  assign level      = is_loop ? word_q[LOOP_LEVEL_LSB +: 3] : word_q[ENDLOOP_LEVEL_LSB +: 3];

  always_comb begin
    unique case (op)
      OpLd:          begin queue = unit == 0 ? 3'(QueueLd0) : 3'(QueueLd1); engine_o = unit == 0 ? 4'(EngLd0) : 4'(EngLd1); end
      OpSt:          begin queue = 3'(QueueSt);  engine_o = 4'(EngSt0);  end
      OpVx:          begin queue = 3'(QueueVx);  engine_o = 4'(EngVx0);  end
      OpWld, OpWldT: begin queue = 3'(QueueWld); engine_o = 4'(EngWld0); end
      OpMm:          begin queue = 3'(QueueMm);  engine_o = 4'(EngMm0);  end
      default:       begin queue = 3'd0;       engine_o = 4'(EngSeq);  end
    endcase
  end

  // A word is offered when nothing but its own queue can hold it back; a word that faults does not dispatch.
  assign offered  = running_q && !waiting_q && !stop_i && (!is_engine || space_i[queue]);
  assign refused  = offered && fault != 5'(FaultNone);
  assign dispatch = offered && fault == 5'(FaultNone);

  lk_decode #(
    .Rows        (Rows),
    .Cols        (Cols),
    .Lanes       (Lanes),
    .AccRows     (AccRows),
    .VmemBytes   (VmemBytes),
    .LineBytes   (LineBytes),
    .GranuleBytes(GranuleBytes),
    .LoadQueues  (LoadQueues)
  ) i_decode (
    .en_i       (offered),
    .word_i     (word_q),
    .index_i    (index_q),
    .ring_i     (ring_q),
    .base_i     (base_q),
    .hbm_bytes_i(csr_hbm_bytes_i),
    .dma_o,
    .mxu_o,
    .vx_o,
    .fault_o    (decode_fault)
  );

  always_comb begin
    fault = decode_fault;
    if (offered) begin
      if (pc_q >= length_q) fault = 5'(FaultPcRange);
      else if (is_loop && active_q[level]) fault = 5'(FaultLoop);
      else if (is_endloop && (!active_q[level] || end_pc_q[level] != pc_q)) fault = 5'(FaultLoop);
    end
  end

  assign repeats = index_q[level] + 24'd1 < trip_q[level];

  always_comb begin
    next_pc = pc_q + 1;
    if (is_loop && word_q[LOOP_TRIP_IMM_LSB +: LOOP_TRIP_IMM_WIDTH] == 0) begin
      next_pc = 32'(word_q[LOOP_END_PC_LSB +: LOOP_END_PC_WIDTH]) + 1;
    end else if (is_endloop && repeats) begin
      next_pc = body_q[level];
    end
  end

  // SYNC and HALT finish in the cycle in which the last masked word is done (SEQ-5).
  always_comb begin
    mask = mask_q;
    if (!waiting_q) begin
      mask = {QueueCount{1'b1}};
      if (op == OpSync) begin
        mask[QueueLd0] = word_q[SYNC_ENGINES_LSB + EngLd0];
        mask[QueueLd1] = word_q[SYNC_ENGINES_LSB + EngLd1];
        mask[QueueSt]  = word_q[SYNC_ENGINES_LSB + EngSt0];
        mask[QueueVx]  = word_q[SYNC_ENGINES_LSB + EngVx0];
        mask[QueueWld] = word_q[SYNC_ENGINES_LSB + EngWld0];
        mask[QueueMm]  = word_q[SYNC_ENGINES_LSB + EngMm0];
      end
    end
  end
  assign seq_done_o = (waiting_q || (dispatch && is_barrier)) && (pending_i & mask) == '0 && !stop_i;

  assign word_o   = dispatch;
  assign record_o = dispatch && !is_loop && !is_endloop;
  assign pc_o     = pc_q;
  assign push_o   = dispatch && is_engine ? QueueCount'(1) << queue : '0;
  assign header_o.tag = word_q[HDR_TAG_LSB +: HDR_TAG_WIDTH];
  assign header_o.waits = '{
    sem0:   word_q[HDR_WAIT0_SEM_LSB +: HDR_WAIT0_SEM_WIDTH],
    count0: word_q[HDR_WAIT0_COUNT_LSB +: HDR_WAIT0_COUNT_WIDTH],
    sem1:   word_q[HDR_WAIT1_SEM_LSB +: HDR_WAIT1_SEM_WIDTH],
    count1: word_q[HDR_WAIT1_COUNT_LSB +: HDR_WAIT1_COUNT_WIDTH]
  };
  assign header_o.posts = '{
    sem0:   word_q[HDR_POST0_SEM_LSB +: HDR_POST0_SEM_WIDTH],
    count0: word_q[HDR_POST0_COUNT_LSB +: HDR_POST0_COUNT_WIDTH],
    when0:  word_q[HDR_POST0_WHEN_LSB +: HDR_POST0_WHEN_WIDTH],
    sem1:   word_q[HDR_POST1_SEM_LSB +: HDR_POST1_SEM_WIDTH],
    count1: word_q[HDR_POST1_COUNT_LSB +: HDR_POST1_COUNT_WIDTH],
    when1:  word_q[HDR_POST1_WHEN_LSB +: HDR_POST1_WHEN_WIDTH]
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) length_q <= '0;
    else if (imem_we_i) length_q <= 32'(imem_addr_i) + 1;
    if (imem_we_i) imem_q[ImemBits'(imem_addr_i)] <= imem_data_i;
    if (start_i) word_q <= imem_q[0];
    else if (dispatch) word_q <= imem_q[ImemBits'(next_pc)];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q    <= 1'b0;
      waiting_q    <= 1'b0;
      halting_q    <= 1'b0;
      halted_o     <= 1'b0;
      fault_o      <= 1'b0;
      fault_code_o <= '0;
      fault_tag_o  <= '0;
      pc_q         <= '0;
      active_q     <= '0;
      index_q      <= '0;
      base_q       <= '0;
      ring_q       <= '0;
      modulus_q    <= {16{4'd1}};
      mask_q       <= '0;
    end else begin
      if (base_we_i) base_q[reg_addr_i] <= reg_data_i;
      if (ring_we_i) begin
        ring_q[reg_addr_i]    <= reg_data_i[3:0];
        modulus_q[reg_addr_i] <= reg_data_i[7:4];
      end
      if (start_i) running_q <= 1'b1;
      if (refused) begin
        running_q    <= 1'b0;
        fault_o      <= 1'b1;
        fault_code_o <= fault;
        fault_tag_o  <= pc_q < length_q ? word_q[HDR_TAG_LSB +: HDR_TAG_WIDTH] : '0;  // there is no word at pc
      end
      if (dispatch) begin
        pc_q <= next_pc;
        if (is_loop && word_q[LOOP_TRIP_IMM_LSB +: LOOP_TRIP_IMM_WIDTH] != 0) begin
          active_q[level] <= 1'b1;
          index_q[level]  <= '0;
          trip_q[level]   <= word_q[LOOP_TRIP_IMM_LSB +: LOOP_TRIP_IMM_WIDTH];
          body_q[level]   <= pc_q + 1;
          end_pc_q[level] <= 32'(word_q[LOOP_END_PC_LSB +: LOOP_END_PC_WIDTH]);
        end
        if (is_endloop) begin
          active_q[level] <= repeats;
          index_q[level]  <= repeats ? index_q[level] + 24'd1 : '0;
        end
        if (word_q[HDR_STEP_LSB +: HDR_STEP_WIDTH] != 0) begin
          for (int r = 0; r < lk_isa_pkg::Rings; r++) begin
            if (word_q[HDR_STEP_LSB + r]) ring_q[r] <= ring_q[r] + 4'd1 == modulus_q[r] ? 4'd0 : ring_q[r] + 4'd1;
          end
        end
      end
      // Engine words wait in their queues; SYNC and HALT hold the sequencer itself.
      if (seq_done_o) begin
        waiting_q <= 1'b0;
        if (waiting_q ? halting_q : op == OpHalt) begin
          running_q <= 1'b0;
          halted_o  <= 1'b1;
        end
      end else if (dispatch && is_barrier) begin
        waiting_q <= 1'b1;
        halting_q <= op == OpHalt;
        mask_q    <= mask;
      end
    end
  end
endmodule
