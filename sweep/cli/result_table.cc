#include "sweep/cli/result_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hw/base/csv.h"

namespace lockstep::sweep {

namespace {

std::string short_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.4g}", *number);
  return cell_text(cell);
}

std::string text_form(const ResultTable& table) {
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (const auto& row : table.rows) {
    auto& line = lines.emplace_back();
    for (const Cell& cell : row) line.push_back(short_text(cell));
  }
  std::vector<size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines) {
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  // A heading stands over its first value: words to the left, numbers to the right.
  const auto& under_heading = table.rows.empty() ? std::vector<Cell>(table.columns.size(), std::string()) : table.rows[0];
  std::string text;
  for (size_t r = 0; r < lines.size(); ++r) {
    std::string out;
    for (size_t c = 0; c < lines[r].size(); ++c) {
      const Cell& cell = r > 0 ? table.rows[r - 1][c] : under_heading[c];
      const bool is_word = std::holds_alternative<std::string>(cell);
      out += is_word ? fmt::format("{:<{}}  ", lines[r][c], widths[c]) : fmt::format("{:>{}}  ", lines[r][c], widths[c]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

std::string json_form(const ResultTable& table) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (size_t c = 0; c < row.size(); ++c) {
      nlohmann::ordered_json& value = object[table.columns[c]];
      if (const auto* integer = std::get_if<int64_t>(&row[c])) value = *integer;
      if (const auto* number = std::get_if<double>(&row[c])) value = *number;
      if (const auto* text = std::get_if<std::string>(&row[c])) value = *text;
    }
    list.push_back(std::move(object));
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string render(const ResultTable& table, Format format) {
  if (format == Format::kJson) return json_form(table);
  if (format == Format::kText) return text_form(table);
  CsvWriter writer(table.columns);
  for (const auto& row : table.rows) writer.add_row(row);
  return writer.text();
}

}  // namespace lockstep::sweep
