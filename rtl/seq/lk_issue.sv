// Per engine: words between dispatch and done, their issue, and the semaphores between engines.
//
//   push -> [ queue ] -> issue -> [ in flight ] -> source_free, done
//
// One ring per engine holds the headers from dispatch to done under four pointers, since words issue, free their sources
// and finish in order (EVT-2). Body fields wait inside the engines. Semaphore waits are judged on start-of-cycle values
// and all posts of a cycle are added at its end (SEM-1/2/3).
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
  output logic [lk_core_pkg::QueueCount-1:0]  wait_sem_o,    // the head waits for a semaphore
  output logic                              fault_o,       // a counter passed 255 in an earlier cycle
  output logic [23:0]                       fault_tag_o
);
  import lk_core_pkg::*;

  localparam int PtrBits = $clog2(InFlightMax);
  localparam int IdxBits = $clog2(QueueCount) + PtrBits;

  header_t            ring_q [1 << IdxBits];  // engine e, pointer p at {e, p}
  logic [PtrBits-1:0] push_ptr_q [QueueCount];
  logic [PtrBits-1:0] issue_ptr_q [QueueCount];
  logic [PtrBits-1:0] source_ptr_q [QueueCount];
  logic [PtrBits-1:0] done_ptr_q [QueueCount];
  logic [63:0][7:0]   sem_q;

  function automatic logic [IdxBits-1:0] at(int engine, logic [PtrBits-1:0] ptr);
    return IdxBits'(engine << PtrBits) | IdxBits'(ptr);
  endfunction

  // Heads: a copy of the header at the issue pointer would be stale for one cycle after a push into an empty queue, so
  // the wait fields are read from the ring itself.
  always_comb begin
    for (int e = 0; e < QueueCount; e++) begin
      logic [PtrBits-1:0] queued;
      int                 depth;
      queued = push_ptr_q[e] - issue_ptr_q[e];
      depth  = e == QueueSt ? depth_st_i : e == QueueVx ? depth_vx_i : e == QueueWld ? depth_wld_i :
               e == QueueMm ? depth_mm_i : depth_ld_i;
      space_o[e]    = 32'(queued) < 32'(depth);
      nonempty_o[e] = queued != 0;
      pending_o[e]  = (push_ptr_q[e] - done_ptr_q[e]) != PtrBits'(done_i[e]);
      wait_sem_o[e] = 1'b0;
      if (queued != 0) begin
        wait_sem_o[e] = sem_q[ring_q[at(e, issue_ptr_q[e])].wait0_sem] < ring_q[at(e, issue_ptr_q[e])].wait0_count ||
                        sem_q[ring_q[at(e, issue_ptr_q[e])].wait1_sem] < ring_q[at(e, issue_ptr_q[e])].wait1_count;
      end
      issue_o[e] = queued != 0 && ready_i[e] && !wait_sem_o[e] && !stop_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int e = 0; e < QueueCount; e++) begin
        push_ptr_q[e]   <= '0;
        issue_ptr_q[e]  <= '0;
        source_ptr_q[e] <= '0;
        done_ptr_q[e]   <= '0;
      end
    end else begin
      for (int e = 0; e < QueueCount; e++) begin
        if (push_i[e]) begin
          ring_q[at(e, push_ptr_q[e])] <= header_i;
          push_ptr_q[e]                <= push_ptr_q[e] + 1;
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
    automatic logic [63:0][7:0]   sem;
    automatic logic [IdxBits-1:0] word;
    automatic logic [8:0]         sum;
    if (!rst_ni) begin
      sem_q       <= '0;
      fault_o     <= 1'b0;
      fault_tag_o <= '0;
    end else if (sem_we_i) begin
      sem_q[sem_addr_i] <= sem_data_i;
    end else if ((issue_o | source_free_i | done_i) != '0) begin
      sem = sem_q;
      for (int e = 0; e < QueueCount; e++) begin
        if (issue_o[e]) begin
          word = at(e, issue_ptr_q[e]);
          sem[ring_q[word].wait0_sem] = sem[ring_q[word].wait0_sem] - ring_q[word].wait0_count;
          sem[ring_q[word].wait1_sem] = sem[ring_q[word].wait1_sem] - ring_q[word].wait1_count;
        end
      end
      for (int k = 0; k < 2 * QueueCount; k++) begin
        if (k < QueueCount ? source_free_i[k % QueueCount] : done_i[k % QueueCount]) begin
          word = at(k % QueueCount, k < QueueCount ? source_ptr_q[k % QueueCount] : done_ptr_q[k % QueueCount]);
          if (ring_q[word].post0_when == (k >= QueueCount)) begin
            sum = {1'b0, sem[ring_q[word].post0_sem]} + {1'b0, ring_q[word].post0_count};
            sem[ring_q[word].post0_sem] = sum[7:0];
            if (sum[8]) begin
              fault_o     <= 1'b1;
              fault_tag_o <= ring_q[word].tag;
            end
          end
          if (ring_q[word].post1_when == (k >= QueueCount)) begin
            sum = {1'b0, sem[ring_q[word].post1_sem]} + {1'b0, ring_q[word].post1_count};
            sem[ring_q[word].post1_sem] = sum[7:0];
            if (sum[8]) begin
              fault_o     <= 1'b1;
              fault_tag_o <= ring_q[word].tag;
            end
          end
        end
      end
      sem_q <= sem;
    end
  end
endmodule
