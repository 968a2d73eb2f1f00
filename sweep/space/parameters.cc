// Parameters of a point by their full names: chip.* from the chip field table, compiler.* from the knob table.
#include <fmt/format.h>

#include "hw/base/printable.h"
#include "hw/chip/field_value.h"
#include "sweep/space/sweep_spec.h"

namespace lockstep::sweep {

namespace {

constexpr std::string_view kChipPrefix = "chip.";

/// The chip field of "chip.<field>"; nullptr for anything else.
const chip::Field* chip_field(const std::string& name) {
  if (name.rfind(kChipPrefix, 0) != 0) return nullptr;
  return chip::find_field(std::string_view(name).substr(kChipPrefix.size()));
}

Diag unknown_parameter(const std::string& name, const SourceLoc& loc) {
  const std::string near = nearest_name(name, axis_names());
  const std::string hint = near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
  return error("E1201", loc, fmt::format("unknown parameter {}{}", quote_text(name), hint),
               {"`lockstep list axes` names all of them"});
}

}  // namespace

std::vector<std::string> axis_names() {
  std::vector<std::string> names;
  for (const chip::Field& field : chip::chip_fields()) {
    if (field.is_sweepable) names.push_back(fmt::format("{}{}", kChipPrefix, field.name));
  }
  for (const pipeline::Knob& knob : pipeline::knob_table()) names.push_back(knob.name);
  return names;
}

std::vector<std::string> parameter_names() {
  std::vector<std::string> names;
  for (const chip::Field& field : chip::chip_fields()) names.push_back(fmt::format("{}{}", kChipPrefix, field.name));
  for (const pipeline::Knob& knob : pipeline::knob_table()) names.push_back(knob.name);
  return names;
}

std::optional<Diag> set_parameter(chip::ChipSpec& chip, pipeline::Knobs& knobs, const std::string& name,
                                  const std::string& value, const SourceLoc& loc) {
  if (const chip::Field* field = chip_field(name)) return chip::set_field(chip, field->name, value, loc);
  if (pipeline::find_knob(name) != nullptr) return pipeline::set_knob(knobs, name, value, loc);
  return unknown_parameter(name, loc);
}

std::string parameter_text(const chip::ChipSpec& chip, const pipeline::Knobs& knobs, const std::string& name) {
  if (const chip::Field* field = chip_field(name)) return chip::field_text(*field, chip);
  const pipeline::Knob* knob = pipeline::find_knob(name);
  CHECK(knob != nullptr) << name;
  return knob->get(knobs);
}

std::string parameter_sentence(const std::string& name) {
  if (const chip::Field* field = chip_field(name)) return std::string(field->sentence);
  const pipeline::Knob* knob = pipeline::find_knob(name);
  CHECK(knob != nullptr) << name;
  return knob->sentence;
}

std::string parameter_unit(const std::string& name) {
  if (const chip::Field* field = chip_field(name)) {
    const bool is_real = std::holds_alternative<chip::RealMember>(field->member);
    return std::string(unit_name(is_real ? field->real_range.unit : field->int_range.unit));
  }
  const pipeline::Knob* knob = pipeline::find_knob(name);
  CHECK(knob != nullptr) << name;
  return knob->unit;
}

}  // namespace lockstep::sweep
