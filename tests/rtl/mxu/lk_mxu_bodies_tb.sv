// Fast body against specification body on the same random stimuli in an event-driven four-state simulator: no register
// has a value before it is written, so a flag that reset forgets shows as X. Every output is compared in every cycle.
`timescale 1ns / 1ns
module lk_mxu_bodies_tb;
  parameter int Rows = 4;
  parameter int Cols = 8;
  parameter int LoadRows = 2;
  parameter int VmemLatency = 2;
  parameter int AccLatency = 2;
  parameter int Cycles = 2000;
  localparam int VmemBytes = 1024;
  localparam int AccRows = 64;

  logic clk, rst_n;
  logic wld_issue, mm_issue, mm_first, mm_switch, acc_read;
  logic [31:0] wld_addr, mm_addr, mm_acc, mm_rows, k_valid, n_valid, acc_addr;
  logic ld_write;
  logic [31:0] ld_addr;
  logic [255:0] ld_data;

  logic [7:0] flags [0:1];
  logic [1:0] switch_ok, wld_ready, mm_ready;
  logic [32*Cols-1:0] acc_data [0:1];

  generate
    for (genvar body = 0; body < 2; body++) begin : gen_body
      logic                       vmem_mm_read;
      logic [31:0]                vmem_mm_addr;
      logic [8*Rows-1:0]          vmem_mm_data;
      logic [LoadRows-1:0]        vmem_wld_read;
      logic [32*LoadRows-1:0]     vmem_wld_addr;
      logic [8*LoadRows*Cols-1:0] vmem_wld_data;
      logic [255:0]               unused_store;
      lk_mxu #(
        .Rows(Rows), .Cols(Cols), .LoadRows(LoadRows), .AccRows(AccRows), .VmemLatency(VmemLatency),
        .AccLatency(AccLatency), .RowsPerCycle(1), .Body(body)
      ) i_mxu (
        .clk_i(clk), .rst_ni(rst_n), .csr_fill_i(8'h5a),
        .wld_issue_i(wld_issue), .wld_addr_i(wld_addr), .wld_row_stride_i(Cols), .wld_k_valid_i(k_valid),
        .wld_n_valid_i(n_valid), .wld_ready_o(wld_ready[body]), .wld_busy_o(flags[body][0]),
        .wld_sf_o(flags[body][1]), .wld_done_o(flags[body][2]),
        .mm_issue_i(mm_issue), .mm_addr_i(mm_addr), .mm_row_stride_i(Rows), .mm_acc_i(mm_acc), .mm_rows_i(mm_rows),
        .mm_k_valid_i(k_valid), .mm_n_valid_i(n_valid), .mm_first_i(mm_first), .mm_switch_i(mm_switch),
        .mm_ready_o(mm_ready[body]), .mm_switch_ok_o(switch_ok[body]), .mm_busy_o(flags[body][3]),
        .mm_sf_o(flags[body][4]), .mm_done_o(flags[body][5]),
        .vmem_mm_read_o(vmem_mm_read), .vmem_mm_addr_o(vmem_mm_addr), .vmem_mm_data_i(vmem_mm_data),
        .vmem_wld_read_o(vmem_wld_read), .vmem_wld_addr_o(vmem_wld_addr), .vmem_wld_data_i(vmem_wld_data),
        .acc_read_i(acc_read), .acc_addr_i(acc_addr), .acc_data_o(acc_data[body])
      );
      assign flags[body][7:6] = 2'b00;
      lk_vmem #(
        .Rows(Rows), .Cols(Cols), .LoadRows(LoadRows), .Lanes(Cols), .RowsPerCycle(1), .VmemBytes(VmemBytes),
        .LineBytes(64), .VmemLatency(VmemLatency), .BeatBytes(32), .GranuleBytes(32), .LoadQueues(1)
      ) i_vmem (
        .clk_i(clk), .rst_ni(rst_n), .csr_fill_i(8'h5a),
        .mm_read_i(vmem_mm_read), .mm_addr_i(vmem_mm_addr), .mm_data_o(vmem_mm_data),
        .wld_read_i(vmem_wld_read), .wld_addr_i(vmem_wld_addr), .wld_data_o(vmem_wld_data),
        .st_read_i(1'b0), .st_addr_i(32'd0), .st_data_o(unused_store),
        .ld_write_i(ld_write), .ld_addr_i(ld_addr), .ld_data_i(ld_data),
        .vx_write_i(1'b0), .vx_addr_i(32'd0), .vx_lane_mask_i({Cols{1'b0}}),
        .vx_data_i({32*Cols{1'b0}})
      );
    end
  endgenerate

  int errors, mms, rows_read;

  task automatic check;
    if (flags[0] !== flags[1] || ^flags[0] === 1'bx || wld_ready[0] !== wld_ready[1] || mm_ready[0] !== mm_ready[1] ||
        switch_ok[0] !== switch_ok[1]) begin
      $display("%0t: events differ: fast %b spec %b", $time, flags[0], flags[1]);
      errors = errors + 1;
    end
    if (rows_read > 0 && (acc_data[0] !== acc_data[1] || ^acc_data[0] === 1'bx)) begin
      $display("%0t: accumulator row differs: fast %h spec %h", $time, acc_data[0], acc_data[1]);
      errors = errors + 1;
    end
  endtask

  // Bases 0 and 32 with at most 12 rows: two MMs use equal or disjoint rows, which is always legal (MXU-4).
  task automatic drive;
    wld_issue = wld_ready[0] && ($urandom % 3 != 0);
    wld_addr  = 4 * ($urandom % 128);
    mm_switch = switch_ok[0] && ($urandom % 4 != 0);
    mm_issue  = mm_ready[0] && (mms > 0 || mm_switch) && ($urandom % 2 != 0);
    mm_addr   = $urandom % 512;
    mm_acc    = ($urandom % 2) * 32;
    mm_rows   = $urandom % 13;
    mm_first  = $urandom % 2;
    k_valid   = ($urandom % 3 == 0) ? $urandom % (Rows + 1) : Rows;
    n_valid   = ($urandom % 3 == 0) ? $urandom % (Cols + 1) : Cols;
    acc_read  = $urandom % 2;
    acc_addr  = ($urandom % 2) * 32 + $urandom % 13;
    ld_write  = 1'b1;
    ld_addr   = 32 * ($urandom % 32);
    ld_data   = {$urandom, $urandom, $urandom, $urandom, $urandom, $urandom, $urandom, $urandom};
    if (mm_issue) mms = mms + 1;
  endtask

  initial begin
    errors = 0; mms = 0; rows_read = 0;
    clk = 0; rst_n = 0;
    wld_issue = 0; mm_issue = 0; mm_first = 0; mm_switch = 0; acc_read = 0; ld_write = 0;
    wld_addr = 0; mm_addr = 0; mm_acc = 0; mm_rows = 0; k_valid = 0; n_valid = 0; acc_addr = 0;
    ld_addr = 0; ld_data = 0;
    #5 clk = 1;
    for (int t = 0; t < Cycles && errors == 0; t++) begin
      #5 clk = 0;
      rst_n = (t % 701 != 700);  // a reset in mid-flight every 701 cycles
      if (rst_n) begin
        drive;
      end else begin
        wld_issue = 0; mm_issue = 0; acc_read = 0; ld_write = 0; mms = 0;
      end
      #1 check;
      if (acc_read) rows_read = rows_read + 1;  // its data shows from the next cycle on
      #4 clk = 1;
    end
    if (errors == 0 && rows_read > Cycles / 4) $display("PASS %0d cycles, %0d accumulator reads", Cycles, rows_read);
    else $display("FAIL");
    $finish;
  end
endmodule
