// Test top: one matrix unit on one VMEM, wired as in the core, every other port brought out.
module lk_mxu_bench #(
  parameter int Rows = 8,
  parameter int Cols = 8,
  parameter int LoadRows = 2,
  parameter int AccRows = 128,
  parameter int VmemLatency = 2,
  parameter int AccLatency = 2,
  parameter int RowsPerCycle = 8,   // accumulator rows observed per cycle
  parameter int WriteRows = 2,      // VX rows written per cycle
  parameter int VmemBytes = 4096,
  parameter int BeatBytes = 64,
  parameter int GranuleBytes = 32,
  parameter int LoadQueues = 2,
  parameter int Body = 0,
  parameter int Datapath = 1,
  localparam int Granules = BeatBytes / GranuleBytes
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [7:0]                        csr_fill_i,
  input  logic                              wld_issue_i,
  input  logic [31:0]                       wld_addr_i,
  input  logic [31:0]                       wld_row_stride_i,
  input  logic [31:0]                       wld_k_valid_i,
  input  logic [31:0]                       wld_n_valid_i,
  output logic                              wld_ready_o,
  output logic                              wld_busy_o,
  output logic                              wld_sf_o,
  output logic                              wld_done_o,
  input  logic                              mm_issue_i,
  input  logic [31:0]                       mm_addr_i,
  input  logic [31:0]                       mm_row_stride_i,
  input  logic [31:0]                       mm_acc_i,
  input  logic [31:0]                       mm_rows_i,
  input  logic [31:0]                       mm_k_valid_i,
  input  logic [31:0]                       mm_n_valid_i,
  input  logic                              mm_first_i,
  input  logic                              mm_switch_i,
  output logic                              mm_ready_o,
  output logic                              mm_switch_ok_o,
  output logic                              mm_busy_o,
  output logic                              mm_sf_o,
  output logic                              mm_done_o,
  input  logic [RowsPerCycle-1:0]           acc_read_i,
  input  logic [32*RowsPerCycle-1:0]        acc_addr_i,
  output logic [32*RowsPerCycle*Cols-1:0]   acc_data_o,
  input  logic [Granules-1:0]               st_read_i,
  input  logic [32*Granules-1:0]            st_addr_i,
  output logic [8*BeatBytes-1:0]            st_data_o,
  input  logic [LoadQueues*Granules-1:0]    ld_write_i,
  input  logic [32*LoadQueues*Granules-1:0] ld_addr_i,
  input  logic [8*LoadQueues*BeatBytes-1:0] ld_data_i,
  input  logic [WriteRows-1:0]              vx_write_i,
  input  logic [32*WriteRows-1:0]           vx_addr_i,
  input  logic [Cols-1:0]                   vx_lane_mask_i,
  input  logic [32*WriteRows*Cols-1:0]      vx_data_i
);
  logic                        vmem_mm_read;
  logic [31:0]                 vmem_mm_addr;
  logic [8*Rows-1:0]           vmem_mm_data;
  logic [LoadRows-1:0]         vmem_wld_read;
  logic [32*LoadRows-1:0]      vmem_wld_addr;
  logic [8*LoadRows*Cols-1:0]  vmem_wld_data;

  lk_mxu #(
    .Rows(Rows), .Cols(Cols), .LoadRows(LoadRows), .AccRows(AccRows), .VmemLatency(VmemLatency),
    .AccLatency(AccLatency), .RowsPerCycle(RowsPerCycle), .Body(Body), .Datapath(Datapath)
  ) i_mxu (
    .clk_i, .rst_ni, .csr_fill_i,
    .wld_issue_i, .wld_addr_i, .wld_row_stride_i, .wld_k_valid_i, .wld_n_valid_i,
    .wld_ready_o, .wld_busy_o, .wld_sf_o, .wld_done_o,
    .mm_issue_i, .mm_addr_i, .mm_row_stride_i, .mm_acc_i, .mm_rows_i, .mm_k_valid_i, .mm_n_valid_i, .mm_first_i,
    .mm_switch_i, .mm_ready_o, .mm_switch_ok_o, .mm_busy_o, .mm_sf_o, .mm_done_o,
    .vmem_mm_read_o(vmem_mm_read), .vmem_mm_addr_o(vmem_mm_addr), .vmem_mm_data_i(vmem_mm_data),
    .vmem_wld_read_o(vmem_wld_read), .vmem_wld_addr_o(vmem_wld_addr), .vmem_wld_data_i(vmem_wld_data),
    .acc_read_i, .acc_addr_i, .acc_data_o
  );

  lk_vmem #(
    .Rows(Rows), .Cols(Cols), .LoadRows(LoadRows), .Lanes(Cols), .RowsPerCycle(WriteRows), .VmemBytes(VmemBytes),
    .LineBytes(4 * ((Rows > Cols) ? Rows : Cols)), .VmemLatency(VmemLatency), .BeatBytes(BeatBytes),
    .GranuleBytes(GranuleBytes), .LoadQueues(LoadQueues), .Datapath(Datapath)
  ) i_vmem (
    .clk_i, .rst_ni, .csr_fill_i,
    .mm_read_i(vmem_mm_read), .mm_addr_i(vmem_mm_addr), .mm_data_o(vmem_mm_data),
    .wld_read_i(vmem_wld_read), .wld_addr_i(vmem_wld_addr), .wld_data_o(vmem_wld_data),
    .st_read_i, .st_addr_i, .st_data_o,
    .ld_write_i, .ld_addr_i, .ld_data_i,
    .vx_write_i, .vx_addr_i, .vx_lane_mask_i, .vx_data_i
  );
endmodule
