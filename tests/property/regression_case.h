// A counterexample on disk: the chip in comment lines, then the program as hw/isa text.
//
//   # chip mxu.rows 8
//   # origin seed 17 on random_chip 3
//   # failure MM0 instruction seq 4 ...
#pragma once

#include <string>
#include <vector>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

struct RegressionCase {
  chip::ChipSpec chip;
  isa::Program program;  // chip_hash is set for `chip`, so a change of the hash keeps old files alive
};

std::string regression_text(const isa::Program& program, const chip::ChipSpec& chip, const std::string& origin,
                            const std::string& failure);

Result<RegressionCase> parse_regression(const std::string& text, const std::string& file);

/// Paths of all files of tests/regression, sorted.
std::vector<std::string> regression_files(const std::string& source_dir);

}  // namespace lockstep::testgen
