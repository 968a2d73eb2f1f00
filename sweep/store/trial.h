// One trial of a sweep and its form as a JSON line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/base/result.h"
#include "sweep/store/cell.h"

namespace lockstep::sweep {

enum class TrialState : uint8_t { kComplete, kInfeasible, kFailed };

std::string_view state_word(TrialState state);

/// Named cells in the order they were measured. Names are CSV columns.
using CellRow = std::vector<std::pair<std::string, Cell>>;

/// The cell of that name; an empty cell when there is none.
const Cell& find_cell(const CellRow& row, std::string_view name);

/// What evaluating one point of the space gave.
struct TrialRecord {
  std::string id;     // trial_id()
  int64_t point = 0;  // index in the space
  TrialState state = TrialState::kComplete;
  std::string reason;            // code and detail when not complete
  CellRow metrics;
  std::vector<CellRow> layers;   // one per op and workload
};

/// What re-running a point's schedule on RTL gave; a line of its own, because it is known only after the sweep.
struct RtlRecord {
  std::string id;
  int64_t point = 0;
  CellRow cells;  // rtl_scope, rtl_cycles, model_cycles_rtl_image, rtl_check
};

/// 32 hexadecimal digits: XXH3-128 of the canonical configuration text, the workload text and the tool version.
std::string trial_id(std::string_view config, std::string_view workload, std::string_view tool_version);

/// One line without newline. Equal records give equal bytes.
std::string trial_line(const TrialRecord& record);
std::string rtl_line(const RtlRecord& record);

/// Parsed lines of a store file.
struct StoreLines {
  std::vector<TrialRecord> trials;
  std::vector<RtlRecord> rtl;
  size_t complete_bytes = 0;  // the text after this offset is a torn last line
};

/// Reads every line that ends in a newline; E1212 for a line that is not a record. `path` names the file in errors.
Result<StoreLines> parse_store(std::string_view text, const std::string& path);

}  // namespace lockstep::sweep
