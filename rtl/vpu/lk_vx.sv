// VX engine with its one built-in kernel, the copy of accumulator rows to VMEM (VX-1..4).
//
// One iteration moves 8 rows of one chunk (len = ll + ls cycles, pos counts them):
//
//   pos   0 .. I-1         accumulator rows are addressed, RowsPerCycle a cycle (the load bundle)
//         1 .. I           their chunk is captured in the row buffer
//         ll .. ll+I-1     the rows are written to VMEM (the store bundle)
//
// With ll = 1 (only possible if I = 1) the row buffer is too late and the read data goes straight to VMEM.
module lk_vx #(
  parameter int Cols         = 8,
  parameter int Lanes        = 8,
  parameter int RowsPerCycle = 1  // 1, 2, 4 or 8
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  int                                 start_cycles_i,   // latency.start >= 1
  input  int                                 load_latency_i,
  input  int                                 store_latency_i,

  input  logic                               push_i,
  input  lk_core_pkg::vx_body_t              body_i,
  input  logic                               issue_i,
  output logic                               ready_o,
  output logic                               busy_o,
  output logic                               source_free_o,
  output logic                               done_o,

  output logic [RowsPerCycle-1:0]            acc_read_o,
  output logic [32*RowsPerCycle-1:0]         acc_addr_o,
  input  logic [32*RowsPerCycle*Cols-1:0]    acc_data_i,       // one cycle after its address

  output logic [RowsPerCycle-1:0]            vmem_write_o,
  output logic [32*RowsPerCycle-1:0]         vmem_addr_o,
  output logic [Lanes-1:0]                   vmem_lane_mask_o,
  output logic [32*RowsPerCycle*Lanes-1:0]   vmem_data_o
);
  localparam int GroupRows = 8;
  localparam int Interval  = GroupRows / RowsPerCycle;  // I
  localparam int ColChunks = Cols / Lanes;              // G of VX-4
  localparam int QueueBits = $clog2(lk_core_pkg::QueueMax);

  lk_core_pkg::vx_body_t  queue_q [lk_core_pkg::QueueMax];
  logic [QueueBits-1:0]   push_ptr_q, issue_ptr_q;

  logic                   busy_q, done_q, empty_q;
  logic [31:0]            start_q;                   // cycles before the first iteration
  logic [31:0]            pos_q;                     // cycle within the iteration
  // verilator lint_off UNUSEDSIGNAL
  lk_core_pkg::vx_body_t  body_q;                    // its two addresses live on in the registers below
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0]            row_q, chunk_q, col_q;     // first row of the group; chunk; its column chunk within a row
  logic [31:0]            acc_group_q, acc_chunk_q;  // accumulator row of (row_q, chunk 0) and (row_q, chunk_q)
  logic [31:0]            addr_group_q, addr_chunk_q;  // VMEM byte of the same
  logic [Lanes-1:0]       mask_q;                    // lanes of this chunk below cols_valid
  logic [32*Lanes-1:0]    buffer_q [GroupRows];
  logic [RowsPerCycle-1:0] capture_q;
  logic [2:0]             capture_row_q;             // row of the group behind capture bit 0

  logic [31:0]            load_len, store_len, rows_left;
  logic                   active, loading, storing, last_pos, last_chunk, last_group, touched;
  logic                   empty_head;

  assign load_len   = load_latency_i > Interval ? 32'(load_latency_i) : 32'(Interval);
  assign store_len  = store_latency_i > Interval ? 32'(store_latency_i) : 32'(Interval);
  assign active     = busy_q && start_q == 0;
  assign loading    = active && pos_q < 32'(Interval);
  assign storing    = active && pos_q >= load_len && pos_q < load_len + 32'(Interval);
  assign last_pos   = pos_q == load_len + store_len - 1;
  assign last_chunk = chunk_q + 1 == body_q.chunks;
  assign rows_left  = body_q.rows - row_q;
  assign last_group = rows_left <= GroupRows;
  assign touched    = mask_q != '0;
  assign empty_head = queue_q[issue_ptr_q].rows == 0 || queue_q[issue_ptr_q].chunks == 0;

  assign ready_o       = !busy_q;
  assign busy_o        = issue_i || busy_q;
  // The last load bundle was issued at pos 0 of the last iteration.
  assign source_free_o = empty_q || (active && pos_q == load_len && last_chunk && last_group);
  assign done_o        = empty_q || done_q;

  always_comb begin
    acc_read_o = '0;
    acc_addr_o = '0;
    if (loading && touched) begin
      for (int r = 0; r < RowsPerCycle; r++) begin
        acc_read_o[r]        = pos_q * RowsPerCycle + r < rows_left;
        acc_addr_o[r*32+:32] = acc_chunk_q + (pos_q * RowsPerCycle + r) * body_q.acc_row_stride;
      end
    end
  end

  logic [31:0] store_row;  // row of the group behind write port 0
  assign store_row        = (pos_q - load_len) * RowsPerCycle;
  assign vmem_lane_mask_o = mask_q;
  always_comb begin
    vmem_write_o = '0;
    vmem_addr_o  = '0;
    // verilator lint_off WIDTHCONCAT
    vmem_data_o  = '0;  // wide on purpose
    // verilator lint_on WIDTHCONCAT
    if (storing && touched) begin
      for (int r = 0; r < RowsPerCycle; r++) begin
        vmem_write_o[r]        = store_row + r < rows_left;
        vmem_addr_o[r*32+:32]  = addr_chunk_q + (store_row + r) * body_q.row_stride;
        if (load_len == 1) vmem_data_o[r*32*Lanes +: 32*Lanes] = acc_data_i[(r*Cols + col_q*Lanes)*32 +: 32*Lanes];
        else vmem_data_o[r*32*Lanes +: 32*Lanes] = buffer_q[3'(store_row + r)];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      push_ptr_q  <= '0;
      issue_ptr_q <= '0;
      busy_q      <= 1'b0;
      done_q      <= 1'b0;
      empty_q     <= 1'b0;
      capture_q   <= '0;
      mask_q      <= '0;
    end else begin
      done_q  <= 1'b0;
      empty_q <= 1'b0;
      if (push_i) begin
        queue_q[push_ptr_q] <= body_i;
        push_ptr_q          <= push_ptr_q + 1;
      end
      if (issue_i) begin
        issue_ptr_q <= issue_ptr_q + 1;
        empty_q     <= empty_head;
        if (!empty_head) begin
          busy_q       <= 1'b1;
          start_q      <= 32'(start_cycles_i) - 1;
          pos_q        <= 0;
          body_q       <= queue_q[issue_ptr_q];
          row_q        <= 0;
          chunk_q      <= 0;
          col_q        <= 0;
          acc_group_q  <= queue_q[issue_ptr_q].acc;
          acc_chunk_q  <= queue_q[issue_ptr_q].acc;
          addr_group_q <= queue_q[issue_ptr_q].addr;
          addr_chunk_q <= queue_q[issue_ptr_q].addr;
          for (int l = 0; l < Lanes; l++) mask_q[l] <= l < queue_q[issue_ptr_q].cols_valid;
        end
      end else if (busy_q) begin
        if (start_q != 0) begin
          start_q <= start_q - 1;
        end else if (!last_pos) begin
          pos_q <= pos_q + 1;
        end else begin
          pos_q <= 0;
          if (!last_chunk) begin
            chunk_q      <= chunk_q + 1;
            col_q        <= col_q + 1 == ColChunks ? 0 : col_q + 1;
            acc_chunk_q  <= col_q + 1 == ColChunks ? acc_chunk_q + body_q.acc_chunk_stride : acc_chunk_q;
            addr_chunk_q <= addr_chunk_q + body_q.chunk_stride;
            for (int l = 0; l < Lanes; l++) mask_q[l] <= (chunk_q + 1) * Lanes + l < body_q.cols_valid;
          end else begin
            chunk_q      <= 0;
            col_q        <= 0;
            row_q        <= row_q + GroupRows;
            acc_group_q  <= acc_group_q + GroupRows * body_q.acc_row_stride;
            acc_chunk_q  <= acc_group_q + GroupRows * body_q.acc_row_stride;
            addr_group_q <= addr_group_q + GroupRows * body_q.row_stride;
            addr_chunk_q <= addr_group_q + GroupRows * body_q.row_stride;
            for (int l = 0; l < Lanes; l++) mask_q[l] <= l < body_q.cols_valid;
            if (last_group) begin
              busy_q <= 1'b0;
              done_q <= 1'b1;
            end
          end
        end
      end
      if (loading) capture_row_q <= 3'(pos_q * RowsPerCycle);
      capture_q <= acc_read_o;
      for (int r = 0; r < RowsPerCycle; r++) begin
        if (capture_q[r]) buffer_q[capture_row_q + 3'(r)] <= acc_data_i[(r*Cols + col_q*Lanes)*32 +: 32*Lanes];
      end
    end
  end
endmodule
