#include "hw/base/csv.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "hw/base/check.h"
#include "hw/base/number.h"
#include "hw/base/printable.h"
#include "hw/base/text_check.h"

namespace lockstep {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool needs_quotes(std::string_view text) { return text.find_first_of(",\"\r\n") != std::string_view::npos; }

std::string with_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

/// Takes one record after the other off the front of a text.
class RecordReader {
 public:
  RecordReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool done() const { return text_.empty(); }
  int line() const { return line_; }

  /// The cells of the next record; nothing on a quoting error, which is then in problem().
  std::optional<std::vector<std::string>> next() {
    std::vector<std::string> cells;
    for (;;) {
      std::string cell;
      if (!take_cell(cell)) return std::nullopt;
      cells.push_back(std::move(cell));
      if (text_.starts_with(',')) {
        text_.remove_prefix(1);
        continue;
      }
      take_line_end();
      return cells;
    }
  }

  const Diag& problem() const { return problem_; }

 private:
  bool at_cell_end() const {
    return text_.empty() || text_.front() == ',' || text_.front() == '\n' || text_.starts_with("\r\n");
  }

  bool take_cell(std::string& cell) {
    if (text_.starts_with('"')) return take_quoted(cell);
    while (!at_cell_end()) {
      if (text_.front() == '"') return fail("a quote inside an unquoted cell");
      cell += text_.front();
      text_.remove_prefix(1);
    }
    return true;
  }

  bool take_quoted(std::string& cell) {
    text_.remove_prefix(1);
    for (;;) {
      const size_t quote = text_.find('"');
      if (quote == std::string_view::npos) return fail("a quoted cell that does not end");
      const std::string_view content = text_.substr(0, quote);
      line_ += static_cast<int>(std::count(content.begin(), content.end(), '\n'));
      cell += content;
      text_.remove_prefix(quote + 1);
      if (!text_.starts_with('"')) break;
      cell += '"';
      text_.remove_prefix(1);
    }
    return at_cell_end() || fail("text behind a closing quote");
  }

  void take_line_end() {
    if (text_.starts_with("\r\n")) text_.remove_prefix(1);
    if (text_.empty()) return;
    text_.remove_prefix(1);
    ++line_;
  }

  bool fail(std::string_view what) {
    problem_ = error("E0130", {file_, line_, 1}, fmt::format("not a CSV table: {}", what));
    return false;
  }

  std::string_view text_;
  const std::string& file_;
  int line_ = 1;
  Diag problem_;
};

}  // namespace

std::string csv_text(const CsvCell& cell) {
  if (const int64_t* value = std::get_if<int64_t>(&cell)) return std::to_string(*value);
  if (const double* value = std::get_if<double>(&cell)) {
    CHECK(std::isfinite(*value)) << "a CSV cell must be a number or not measured";
    return shortest_text(*value);
  }
  if (const std::string* value = std::get_if<std::string>(&cell)) {
    return needs_quotes(*value) ? with_quotes(*value) : *value;
  }
  return "";
}

CsvWriter::CsvWriter(std::vector<std::string> columns) : width_(columns.size()) {
  CHECK(width_ > 0);
  CHECK(std::set<std::string>(columns.begin(), columns.end()).size() == width_) << join_list(columns);
  for (std::string& column : columns) column = csv_text(column);
  append_line(columns);
}

void CsvWriter::add_row(const std::vector<CsvCell>& cells) {
  CHECK(cells.size() == width_) << cells.size() << " cells for " << width_ << " columns";
  std::vector<std::string> texts;
  texts.reserve(width_);
  for (const CsvCell& cell : cells) texts.push_back(csv_text(cell));
  append_line(texts);
}

void CsvWriter::append_line(const std::vector<std::string>& cells) {
  // An empty line would be no row at all.
  if (width_ == 1 && cells.front().empty()) text_ += "\"\"";
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text_ += ',';
    text_ += cells[i];
  }
  text_ += '\n';
}

std::optional<size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& file) {
  DiagSink sink;
  check_is_text(text, file, sink);
  if (sink.has_errors()) return sink.diags();
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.empty()) return error("E0130", {file, 0, 0}, "not a CSV table: the file is empty");

  CsvTable table;
  RecordReader reader(text, file);
  std::optional<std::vector<std::string>> header = reader.next();
  if (!header) return reader.problem();
  table.columns = *std::move(header);
  std::set<std::string_view> names;
  for (const std::string& name : table.columns) {
    if (!names.insert(name).second) {
      return error("E0130", {file, 1, 1}, fmt::format("not a CSV table: two columns are called {}", quote_text(name)));
    }
  }
  while (!reader.done()) {
    const int line = reader.line();
    std::optional<std::vector<std::string>> cells = reader.next();
    if (!cells) return reader.problem();
    if (cells->size() != table.columns.size()) {
      return error("E0130", {file, line, 1}, fmt::format("not a CSV table: a row of {} cells below {} columns",
                                                         cells->size(), table.columns.size()));
    }
    table.rows.push_back(*std::move(cells));
    table.lines.push_back(line);
  }
  return table;
}

}  // namespace lockstep
