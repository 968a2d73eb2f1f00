#include "sweep/store/trial.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep::sweep {

namespace {

using nlohmann::ordered_json;

constexpr TrialState kStates[] = {TrialState::kComplete, TrialState::kInfeasible, TrialState::kFailed};

ordered_json cell_json(const Cell& cell) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return *integer;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

ordered_json row_json(const CellRow& row) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, cell] : row) object[name] = cell_json(cell);
  return object;
}

/// False when the value is none of the cell types.
bool read_cell(const ordered_json& json, Cell& cell) {
  if (json.is_null()) cell = std::monostate{};
  else if (json.is_number_float()) cell = json.get<double>();
  else if (json.is_number_integer()) cell = json.get<int64_t>();
  else if (json.is_string()) cell = json.get<std::string>();
  else return false;
  return true;
}

bool read_row(const ordered_json& json, CellRow& row) {
  if (!json.is_object()) return false;
  for (const auto& item : json.items()) {
    Cell cell;
    if (!read_cell(item.value(), cell)) return false;
    row.emplace_back(item.key(), std::move(cell));
  }
  return true;
}

bool read_text(const ordered_json& object, const char* key, std::string& out) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return false;
  out = found->get<std::string>();
  return true;
}

bool read_point(const ordered_json& object, int64_t& out) {
  const auto found = object.find("point");
  if (found == object.end() || !found->is_number_integer()) return false;
  out = found->get<int64_t>();
  return true;
}

bool read_state(const ordered_json& object, TrialState& out) {
  std::string word;
  if (!read_text(object, "state", word)) return false;
  for (const TrialState state : kStates) {
    if (word != state_word(state)) continue;
    out = state;
    return true;
  }
  return false;
}

bool read_trial(const ordered_json& object, TrialRecord& record) {
  if (!read_text(object, "id", record.id) || !read_point(object, record.point)) return false;
  if (!read_state(object, record.state) || !read_text(object, "reason", record.reason)) return false;
  const auto metrics = object.find("metrics");
  const auto layers = object.find("layers");
  if (metrics == object.end() || layers == object.end() || !layers->is_array()) return false;
  if (!read_row(*metrics, record.metrics)) return false;
  for (const ordered_json& layer : *layers) {
    if (!read_row(layer, record.layers.emplace_back())) return false;
  }
  return true;
}

bool read_rtl(const ordered_json& object, RtlRecord& record) {
  const auto cells = object.find("cells");
  return read_text(object, "id", record.id) && read_point(object, record.point) && cells != object.end() &&
         read_row(*cells, record.cells);
}

bool read_line(std::string_view line, StoreLines& lines) {
  const ordered_json object = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
  std::string kind;
  if (!object.is_object() || !read_text(object, "kind", kind)) return false;
  if (kind == "trial") return read_trial(object, lines.trials.emplace_back());
  if (kind == "rtl") return read_rtl(object, lines.rtl.emplace_back());
  return false;
}

}  // namespace

std::string_view state_word(TrialState state) {
  switch (state) {
    case TrialState::kComplete: return "complete";
    case TrialState::kInfeasible: return "infeasible";
    case TrialState::kFailed: return "failed";
  }
  return "failed";
}

const Cell& find_cell(const CellRow& row, std::string_view name) {
  static const Cell kEmpty;
  for (const auto& [key, cell] : row) {
    if (key == name) return cell;
  }
  return kEmpty;
}

std::string trial_id(std::string_view config, std::string_view workload, std::string_view tool_version) {
  // Lengths in front: no two triples concatenate to the same text.
  const std::string text = fmt::format("{}:{}:{}:{}{}{}", config.size(), workload.size(), tool_version.size(), config,
                                       workload, tool_version);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string trial_line(const TrialRecord& record) {
  ordered_json object = {{"kind", "trial"},
                         {"id", record.id},
                         {"point", record.point},
                         {"state", state_word(record.state)},
                         {"reason", record.reason},
                         {"metrics", row_json(record.metrics)},
                         {"layers", ordered_json::array()}};
  for (const CellRow& layer : record.layers) object["layers"].push_back(row_json(layer));
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string rtl_line(const RtlRecord& record) {
  const ordered_json object = {
      {"kind", "rtl"}, {"id", record.id}, {"point", record.point}, {"cells", row_json(record.cells)}};
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<StoreLines> parse_store(std::string_view text, const std::string& path) {
  StoreLines lines;
  for (int number = 1; lines.complete_bytes < text.size(); ++number) {
    const size_t end = text.find('\n', lines.complete_bytes);
    if (end == std::string_view::npos) break;
    if (!read_line(text.substr(lines.complete_bytes, end - lines.complete_bytes), lines)) {
      return error("E1212", {path, number, 1}, "this line is not a trial record",
                   {"the file was changed by something else than lockstep; --force starts the folder afresh"});
    }
    lines.complete_bytes = end + 1;
  }
  return lines;
}

}  // namespace lockstep::sweep
