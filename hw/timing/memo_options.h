// How the fast model may shorten a run. No option changes a result, only the work it takes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::timing {

struct MemoOptions {
  bool memoise = true;
  /// After each jump one more period is simulated from the state jumped to and must lead to the same state again, in
  /// the same time and with the same counters; anything else ends the process as a bug of the model.
  bool self_check = false;
  /// Looks at every boundary of every loop, however small: tests of the canonical state.
  bool every_boundary = false;
  size_t max_states = 512;                  // of one execution of a loop; then it is walked
  size_t max_bytes = size_t{64} << 20;      // of all states kept; then they are dropped and collected anew
};

}  // namespace lockstep::timing
