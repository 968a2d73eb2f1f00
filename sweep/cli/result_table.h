// A result as the user asked for it: aligned text, CSV, or a JSON list of objects.
#pragma once

#include <string>
#include <vector>

#include "sweep/cli/command_line.h"
#include "sweep/store/cell.h"

namespace lockstep::sweep {

struct ResultTable {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // each as wide as `columns`

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
};

/// Text shows 4 significant digits of a double and groups nothing; CSV and JSON hold exact values. Ends with a newline.
std::string render(const ResultTable& table, Format format);

}  // namespace lockstep::sweep
