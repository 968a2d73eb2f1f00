#include "tests/property/regression_case.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <variant>

#include "hw/chip/chip_checks.h"
#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"
#include "hw/isa/text.h"

namespace lockstep::testgen {
namespace {

constexpr const char* kChipPrefix = "# chip ";

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string regression_text(const isa::Program& program, const chip::ChipSpec& chip, const std::string& origin,
                            const std::string& failure) {
  std::string text = "# origin " + one_line(origin) + "\n# failure " + one_line(failure) + "\n";
  for (const chip::Field& field : chip::chip_fields()) {
    if (std::holds_alternative<chip::SlotModeMember>(field.member)) continue;
    if (field.name.starts_with("vpu.slots.")) continue;  // no built kernel uses them
    text += kChipPrefix + std::string(field.name) + " " + chip::field_text(field, chip) + "\n";
  }
  return text + isa::print_program(program);
}

Result<RegressionCase> parse_regression(const std::string& text, const std::string& file) {
  RegressionCase out;
  std::vector<Diag> diags;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.starts_with(kChipPrefix)) continue;
    std::istringstream words(line.substr(std::string(kChipPrefix).size()));
    std::string name, value;
    words >> name >> value;
    if (auto diag = chip::set_field(out.chip, name, value, {file, number, 1})) diags.push_back(*diag);
  }
  for (Diag& diag : chip::check_chip(out.chip)) diags.push_back(std::move(diag));
  Result<isa::Program> program = isa::parse_program(text, file);
  if (!program.ok()) diags.insert(diags.end(), program.diags().begin(), program.diags().end());
  if (!diags.empty()) return diags;
  out.program = std::move(*program);
  out.program.chip_hash = chip::timing_hash(out.chip);
  return out;
}

std::vector<std::string> regression_files(const std::string& source_dir) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir + "/tests/regression", ignored)) {
    if (entry.path().extension() == ".lk") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace lockstep::testgen
