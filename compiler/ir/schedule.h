// Every decision about one GEMM, made by the passes and written down before any code is made.
//
//   for m block (tm rows)                      drained once per (m block, n block)
//     for n block (tn array columns tiles)
//       for k slice (tk array row tiles)       one LD of weights per n tile, activations by `activations`
//         for n tile in block
//           for k tile in slice: WLD, MM
//
// The text form is what `--schedule` takes and what a result records, so that a schedule can be pinned and replayed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hw/base/result.h"

namespace lockstep::ir {

enum class Activations : uint8_t {
  kResident,  // the rows of an m block are loaded once and stay in VMEM for all n blocks (then tn = 1)
  kStreamed,  // a slice of tm x tk is loaded again for every n block
};

struct Schedule {
  int64_t tm = 0;  // rows of an m block
  int64_t tn = 0;  // n tiles (of `mxu.cols` columns) of an n block
  int64_t tk = 0;  // k tiles (of `mxu.rows` rows) of a k slice
  Activations activations = Activations::kResident;
  int weight_buffers = 1;       // VMEM slots of one weight slice
  int activation_buffers = 1;   // resident: copies of the m block; streamed: slots of one slice
  int accumulator_buffers = 1;  // 2: the drain of one n block overlaps the products of the next
  int output_buffers = 1;       // VMEM slots of one drained n block
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// "tm=512 tn=1 tk=4 activations=resident weight_buffers=3 activation_buffers=1 accumulator_buffers=2 output_buffers=2"
std::string print(const Schedule& schedule);

/// All keys, each once, any order. E1020 with the nearest name or the range.
Result<Schedule> parse_schedule(std::string_view text, const SourceLoc& loc);

}  // namespace lockstep::ir
