// The canonical relative state of the machine at a loop boundary: two boundaries of one execution of a loop with equal
// keys have equal futures, shifted in time and, for the words of the loop, in HBM addresses.
//
// The boundary is a time cut: the sequencer stands before the first word of the next iteration, to be dispatched in
// cycle T; every event before T was processed, none of T or later. So every later event has a cycle >= T, and
// what is only ever compared by max() with such a cycle may be set to the largest value that cannot win:
//
//   state                           use                                    equal when at most
//   queued word: dispatch           max(dispatch + 1, ..)                  dead: dispatch < T
//   engine: free_cycle              max(free, ..) of an issue              T
//   engine: last_done               max(SYNC's cycle, done)                T
//   plane: changed                  max(changed + 1, ..) of an issue       dead: changed < T
//   semaphore: post in cycle c      adds to what a wait in t > c sees      T - 1: part of the value
//   transfer: request registered    max(ready, ..) of a grant              T
//   transfer: issue                 counters: last grant - issue           exact
//   load: last_end                  max(data cycle, end), marker's issue   T
//   store: last_beat                max(grant or issue, beat)              T
//   load: last_beat, store: last_end   never read before written           dead
//   window: end of an element       end + 1 against a grant or issue       T - 1
//   arbiter: next_cycle             last grant + 1                         dead: at most T
//   arbiter: last stripe            only with quantum left                 dead otherwise
//   store in flight: arrival        exact; those of up to T have arrived
//   memory                          mem::Dram::append_canonical
//
// Addresses: of a word inside the loop relative to the address that it would form with the present indices (its
// frame), of any other word absolute. The frames themselves enter as the index modulo LoopInfo::phase_period: all
// that an address decides on its own repeats with it. What two addresses decide together (is the holder's next
// burst of another word in the last stripe, DMA-3) is no part of the state: see StripeTest in loop_memo.h.
// Not in the key: cycles, counters, indices, trip counts, records.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/timing/loop_table.h"
#include "hw/timing/machine_state.h"

namespace lockstep::timing {

struct Cut {
  const StaticProgram& program;
  const MachineConfig& config;
  const MachineState& state;
  const std::array<int64_t, kDmaSlots>& request_ready;
  const LoopInfo& loop;
};

/// Overwrites `key`. False when a post that is due overflows its semaphore: the run is about to end in a fault.
bool write_key(const Cut& cut, std::vector<int64_t>& key);

}  // namespace lockstep::timing
