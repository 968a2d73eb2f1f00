// Types that travel between the sequencer and the engines.
package lk_core_pkg;
  // No single module uses them all.
  // verilator lint_off UNUSEDPARAM

  // Compact engine index inside the core; the flat ids of hw/isa/engine.h leave room for more instances.
  parameter int QueueLd0 = 0;
  parameter int QueueLd1 = 1;
  parameter int QueueSt = 2;
  parameter int QueueVx = 3;
  parameter int QueueWld = 4;
  parameter int QueueMm = 5;
  parameter int QueueCount = 6;

  parameter int QueueMax    = 16;   // words an engine queue can hold; the CSR depth limits it further
  parameter int WindowMax   = 256;  // elements in flight of a DMA queue (DMA-6); the CSR limits it further
  parameter int ShapeMax    = 512;  // descriptors between dispatch and last beat: <= QueueMax + WindowMax + 1
  // verilator lint_on UNUSEDPARAM

  // One side of a transfer (DMA-1) without its outer repetition, which both sides share.
  typedef struct packed {
    logic signed [39:0] addr;
    logic        [31:0] run;
    logic        [31:0] n1;
    logic signed [39:0] stride1;
    logic signed [39:0] stride2;
  } dma_side_t;

  // A descriptor after address formation. `marker`: zero-length on its HBM side (DMA-6).
  typedef struct packed {
    dma_side_t   hbm;
    dma_side_t   vmem;
    logic [31:0] reps;
    logic        marker;
    logic        continues;  // the queue's next descriptor goes on in the same row stripe (MEM-4)
  } dma_desc_t;

  // WLD and MM after address formation; a WLD leaves acc, rows, first and plane_switch zero.
  typedef struct packed {
    logic [31:0] addr;        // VMEM byte of row 0
    logic [31:0] row_stride;  // two's complement
    logic [31:0] k_valid;
    logic [31:0] n_valid;
    logic [31:0] acc;         // accumulator row of row 0
    logic [31:0] rows;
    logic        first;
    logic        plane_switch;
  } mxu_body_t;

  // The copy kernel after address formation: accumulators (slot 0) to VMEM (slot 1).
  typedef struct packed {
    logic [31:0] rows;
    logic [31:0] chunks;
    logic [31:0] cols_valid;
    logic [31:0] acc;
    logic [31:0] acc_row_stride;
    logic [31:0] acc_chunk_stride;
    logic [31:0] addr;
    logic [31:0] row_stride;
    logic [31:0] chunk_stride;
  } vx_body_t;

  // The parts of the header that travel with a word to its engine and on to its posts.
  typedef struct packed {
    logic [7:0] count1;
    logic [5:0] sem1;
    logic [7:0] count0;
    logic [5:0] sem0;
  } waits_t;

  typedef struct packed {
    logic       when1;
    logic [7:0] count1;
    logic [5:0] sem1;
    logic       when0;
    logic [7:0] count0;
    logic [5:0] sem0;
  } posts_t;

  typedef struct packed {
    logic [23:0] tag;
    posts_t      posts;
    waits_t      waits;
  } header_t;

endpackage
