// One YAML scalar to one typed value, with the range and the unit of its field. Each function reports into the
// sink and returns nothing on error, so that a caller can go on and report everything at once.
//
// `name` is the dotted name for messages: "mxu.rows must be a power of two in [4, 256], got 100".
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/diag.h"
#include "hw/base/units.h"
#include "hw/base/yaml_node.h"

namespace lockstep {

struct IntRange {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
  bool power_of_two = false;
  Unit unit = Unit::kNone;
};

struct RealRange {
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();
  bool min_excluded = false;  // value > min instead of >= min
  Unit unit = Unit::kNone;
};

/// "a power of two in [4, 256]", "in [1, 16] cycles": what follows "must be" in a range message and in the docs.
std::string describe_range(const IntRange& range);
std::string describe_range(const RealRange& range);

/// E0209 no value, E0201 not a scalar, E0204 E0205 E0210 E0211 not such a number, E0301 range, E0302 power of two.
std::optional<int64_t> read_integer(const YamlNode& node, const std::string& name, const IntRange& range,
                                    DiagSink& sink);
std::optional<double> read_real(const YamlNode& node, const std::string& name, const RealRange& range,
                                DiagSink& sink);

/// `true` or `false`, nothing else (E0206).
std::optional<bool> read_boolean(const YamlNode& node, const std::string& name, DiagSink& sink);

/// Any non-empty text on one line (E0209, E0201, E0212 control characters).
std::optional<std::string> read_string(const YamlNode& node, const std::string& name, DiagSink& sink);

/// One of `choices` (E0207, with the nearest).
std::optional<std::string> read_choice(const YamlNode& node, const std::string& name,
                                       const std::vector<std::string>& choices, DiagSink& sink);

/// The node as a map / a sequence, or nullptr after E0201 / E0209.
const YamlNode* expect_map(const YamlNode& node, const std::string& name, DiagSink& sink);
const YamlNode* expect_sequence(const YamlNode& node, const std::string& name, DiagSink& sink);

}  // namespace lockstep
