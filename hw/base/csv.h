// Comma-separated values: UTF-8, LF, RFC 4180 quoting, shortest round-trip floats. The bytes depend on the values
// alone, so two runs can be compared with cmp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hw/base/result.h"

namespace lockstep {

/// std::monostate = not measured, an empty cell.
using CsvCell = std::variant<std::monostate, int64_t, double, std::string>;

/// The cell as it stands in a file. CHECKs that a double is finite: "not measured" is std::monostate, not NaN.
std::string csv_text(const CsvCell& cell);

class CsvWriter {
 public:
  /// CHECKs that there are columns and that their names differ.
  explicit CsvWriter(std::vector<std::string> columns);

  /// CHECKs that there is a cell for each column.
  void add_row(const std::vector<CsvCell>& cells);

  /// Header and rows so far; every line ends with LF.
  const std::string& text() const { return text_; }

 private:
  void append_line(const std::vector<std::string>& cells);

  size_t width_;
  std::string text_;
};

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as wide as `columns`
  std::vector<int> lines;                      // of each row: the line of the file where it starts

  std::optional<size_t> column(std::string_view name) const;
};

/// E0103 not text, E0130 empty, broken quoting, a row of another width, or a repeated column name. Accepts CRLF and a
/// byte order mark.
Result<CsvTable> parse_csv(std::string_view text, const std::string& file);

}  // namespace lockstep
