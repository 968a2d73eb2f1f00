// The one table of chip fields. Everything that names a chip parameter comes from it: the YAML parser, defaults,
// range checks, `--set`, sweep axes, the timing hash and the page configs/SCHEMA.md.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hw/base/yaml_values.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::chip {

/// How the RTL takes a field.
enum class RtlRole {
  kNone,            // not seen by the core (DRAM, clock, host)
  kBuildParameter,  // a module parameter: another value is another build
  kRunTimeLimit,    // a CSR written before start
};

/// Where a field lives in ChipSpec; the alternative is the field's type.
using IntMember = int& (*)(ChipSpec&);
using RealMember = double& (*)(ChipSpec&);
using TextMember = std::string& (*)(ChipSpec&);
struct SlotModeMember {};  // vpu.slots: `single`, or a map whose keys are fields of their own
using Member = std::variant<IntMember, RealMember, TextMember, SlotModeMember>;

/// Of a field that some later part of the core will use: the only value accepted today. A key that changes
/// nothing is worse than no key, so any other value is refused with `code`.
struct BuiltOnly {
  std::string_view value;  // empty: every value in range is built
  std::string_view code;
  std::string_view why;
};

struct Field {
  std::string_view name;  // dotted, the YAML path and the sweep axis name
  Member member;
  IntRange int_range = {};            // when member is an IntMember
  RealRange real_range = {};           // when member is a RealMember
  std::vector<std::string> choices = {};  // when member is a TextMember; empty: an identifier
  bool is_required = false;           // otherwise the default is the value in ChipSpec{}
  bool is_timing_relevant = true;     // part of timing_hash
  bool is_sweepable = true;
  RtlRole rtl = RtlRole::kNone;
  BuiltOnly built_only = {};
  std::string_view sentence = {};  // for the documentation
};

/// All fields, in the order of the documentation and of the timing hash.
const std::vector<Field>& chip_fields();

/// The field of that name, or nullptr.
const Field* find_field(std::string_view name);

/// Names of all fields.
std::vector<std::string> field_names();

/// The keys allowed below `group` ("" for the root), dotted: fields and sub-groups, in table order.
std::vector<std::string> keys_below(std::string_view group);

/// "a power of two in [4, 256]", "ideal", "an identifier": the field's rule in words.
std::string describe_rule(const Field& field);

}  // namespace lockstep::chip
