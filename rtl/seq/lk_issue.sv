// Per engine: words between dispatch and done, their issue, and the semaphores between engines.
//
//   push -> [ queue ] -> issue -> [ in flight ] -> source_free, done
//
// One ring per engine holds the headers from dispatch to done under four pointers, since words issue, free their sources
// and finish in order (EVT-2). Body fields wait inside the engines. Semaphore waits are judged on start-of-cycle values
// and all posts of a cycle are added at its end (SEM-1/2/3).
`include "lk_assert.svh"

module lk_issue #(
  parameter int InFlightMax = 1024  // words of one engine between dispatch and done
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              stop_i,        // sticky fault: nothing issues any more

  input  logic                              sem_we_i,      // start counts
  input  logic [5:0]                        sem_addr_i,
  input  logic [7:0]                        sem_data_i,

  input  int                                depth_ld_i,
  input  int                                depth_st_i,
  input  int                                depth_vx_i,
  input  int                                depth_wld_i,
  input  int                                depth_mm_i,

  input  logic [lk_core_pkg::QueueCount-1:0]  push_i,
  input  lk_core_pkg::header_t              header_i,
  output logic [lk_core_pkg::QueueCount-1:0]  space_o,       // a word may be dispatched (SEQ-4)

  input  logic [lk_core_pkg::QueueCount-1:0]  ready_i,       // the engine takes its head, if there is one
  output logic [lk_core_pkg::QueueCount-1:0]  issue_o,
  input  logic [lk_core_pkg::QueueCount-1:0]  source_free_i,
  input  logic [lk_core_pkg::QueueCount-1:0]  done_i,
  output logic [lk_core_pkg::QueueCount-1:0]  pending_o,     // words dispatched before this cycle, not done by its end

  output logic [lk_core_pkg::QueueCount-1:0]  nonempty_o,
  output logic [lk_core_pkg::QueueCount-1:0]  wait_sem_o,    // all that keeps the head is a semaphore
  output logic                              fault_o,       // a counter passed 255 in an earlier cycle
  output logic [23:0]                       fault_tag_o
);
  import lk_core_pkg::*;

  localparam int PtrBits = $clog2(InFlightMax);
  localparam int IdxBits = $clog2(QueueCount) + PtrBits;

  // Engine e, pointer p at {e, p}.
  waits_t             waits_q [1 << IdxBits];
  posts_t             posts_q [1 << IdxBits];
  logic [23:0]        tag_q   [1 << IdxBits];
  logic [PtrBits-1:0] push_ptr_q   [QueueCount];
  logic [PtrBits-1:0] issue_ptr_q  [QueueCount];
  logic [PtrBits-1:0] source_ptr_q [QueueCount];
  logic [PtrBits-1:0] done_ptr_q   [QueueCount];
  logic [7:0]         sem_q        [lk_isa_pkg::Semaphores];

  function automatic logic [IdxBits-1:0] at(int engine, logic [PtrBits-1:0] ptr);
    return IdxBits'(engine << PtrBits) | IdxBits'(ptr);
  endfunction

  function automatic int depth_of(int engine);
    return engine == QueueSt ? depth_st_i : engine == QueueVx ? depth_vx_i : engine == QueueWld ? depth_wld_i :
           engine == QueueMm ? depth_mm_i : depth_ld_i;
  endfunction

  for (genvar e = 0; e < QueueCount; e++) begin : gen_queue
    logic [PtrBits-1:0] queued;
    assign queued        = push_ptr_q[e] - issue_ptr_q[e];
    assign space_o[e]    = 32'(queued) < 32'(depth_of(e));
    assign nonempty_o[e] = queued != 0;
    assign pending_o[e]  = (push_ptr_q[e] - done_ptr_q[e]) != PtrBits'(done_i[e]);

    logic   tokens;  // both waits are satisfied; judged only when everything else is
    waits_t waits;
    always_comb begin
      tokens = 1'b0;
      waits  = '0;
      if (ready_i[e] && nonempty_o[e]) begin
        waits  = waits_q[at(e, issue_ptr_q[e])];
        tokens = sem_q[waits.sem0] >= waits.count0 && sem_q[waits.sem1] >= waits.count1;
      end
    end
    assign wait_sem_o[e] = ready_i[e] && nonempty_o[e] && !tokens;
    assign issue_o[e]    = tokens && !stop_i;

    // Events come in order and only for words on their way (EVT-2); only a marker frees its source as it issues. (Signals of
    // their own, because 5.006 cannot sample elements of unpacked arrays.)
    logic               none_running, none_reading;
    logic [PtrBits-1:0] held;
    assign none_running = done_ptr_q[e] == issue_ptr_q[e];
    assign none_reading = source_ptr_q[e] == issue_ptr_q[e];
    assign held         = push_ptr_q[e] - done_ptr_q[e];
    `LK_ASSERT(DoneWithoutWord, !done_i[e] || !none_running)
    `LK_ASSERT(SourceFreeWithoutWord, !source_free_i[e] || !none_reading || issue_o[e])
    `LK_ASSERT(RingFull, held < PtrBits'(InFlightMax - 1))
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int e = 0; e < QueueCount; e++) begin
        push_ptr_q[e]   <= '0;
        issue_ptr_q[e]  <= '0;
        source_ptr_q[e] <= '0;
        done_ptr_q[e]   <= '0;
      end
    end else if ((push_i | issue_o | source_free_i | done_i) != '0) begin
      for (int e = 0; e < QueueCount; e++) begin
        if (push_i[e]) begin
          waits_q[at(e, push_ptr_q[e])] <= header_i.waits;
          posts_q[at(e, push_ptr_q[e])] <= header_i.posts;
          tag_q[at(e, push_ptr_q[e])]   <= header_i.tag;
          push_ptr_q[e]                 <= push_ptr_q[e] + 1;
        end
        if (issue_o[e])       issue_ptr_q[e]  <= issue_ptr_q[e] + 1;
        if (source_free_i[e]) source_ptr_q[e] <= source_ptr_q[e] + 1;
        if (done_i[e])        done_ptr_q[e]   <= done_ptr_q[e] + 1;
      end
    end
  end

  // Consume first, then add: a counter cannot go below zero, and it is above 255 at the end of the cycle exactly if an
  // addition takes it there.
  always_ff @(posedge clk_i) begin
    // Blocking: working values of this edge only.
    automatic logic [7:0]         sem [lk_isa_pkg::Semaphores];
    automatic logic [IdxBits-1:0] word;
    automatic logic [8:0]         sum;
    if (!rst_ni) begin
      fault_o     <= 1'b0;
      fault_tag_o <= '0;
      for (int s = 0; s < lk_isa_pkg::Semaphores; s++) sem_q[s] <= '0;
    end else if (sem_we_i) begin
      sem_q[sem_addr_i] <= sem_data_i;
    end else if ((issue_o | source_free_i | done_i) != '0) begin
      sem = sem_q;
      for (int e = 0; e < QueueCount; e++) begin
        if (issue_o[e]) begin
          word = at(e, issue_ptr_q[e]);
          sem[waits_q[word].sem0] = sem[waits_q[word].sem0] - waits_q[word].count0;
          sem[waits_q[word].sem1] = sem[waits_q[word].sem1] - waits_q[word].count1;
        end
      end
      for (int k = 0; k < 2 * QueueCount; k++) begin
        if (k < QueueCount ? source_free_i[k % QueueCount] : done_i[k % QueueCount]) begin
          word = at(k % QueueCount, k < QueueCount ? source_ptr_q[k % QueueCount] : done_ptr_q[k % QueueCount]);
          if (posts_q[word].when0 == (k >= QueueCount)) begin
            sum = {1'b0, sem[posts_q[word].sem0]} + {1'b0, posts_q[word].count0};
            sem[posts_q[word].sem0] = sum[7:0];
            if (sum[8]) begin
              fault_o     <= 1'b1;
              fault_tag_o <= tag_q[word];
            end
          end
          if (posts_q[word].when1 == (k >= QueueCount)) begin
            sum = {1'b0, sem[posts_q[word].sem1]} + {1'b0, posts_q[word].count1};
            sem[posts_q[word].sem1] = sum[7:0];
            if (sum[8]) begin
              fault_o     <= 1'b1;
              fault_tag_o <= tag_q[word];
            end
          end
        end
      end
      sem_q <= sem;
    end
  end
endmodule
