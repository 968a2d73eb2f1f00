#include "hw/isa/doc_tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/base/check.h"
#include "hw/isa/fault.h"
#include "hw/isa/field_table.h"
#include "hw/isa/text_grammar.h"

namespace lockstep::isa {

namespace {

constexpr std::string_view kOpen = "<!-- generated: ";
constexpr std::string_view kOpenEnd = " -->\n";
constexpr std::string_view kClose = "<!-- end -->";

/// Slots 1 to 5 repeat the layout of slot 0; one line says so.
bool is_repeated_slot(const Field& field) {
  return field.name.starts_with("slot") && field.name[4] != '0' && !field.name.ends_with("row_stride2");
}

std::string field_row(const Field& field) {
  return fmt::format("| `{}` | {}:{} | {} | {} | {} |\n", field.name, field.lsb + field.width - 1, field.lsb,
                     field.is_signed ? "signed" : "unsigned", field.unit, field.sentence);
}

std::string field_section(const std::string& title, Op op, bool header) {
  std::string out = fmt::format("\n**{}**\n\n| field | bits | | unit | meaning |\n|---|---|---|---|---|\n", title);
  bool slots = false;
  for (const Field& field : op_fields(op)) {
    if (field.is_header != header) continue;
    slots = slots || is_repeated_slot(field);
    if (!is_repeated_slot(field)) out += field_row(field);
  }
  if (slots) {
    out += fmt::format("\n`slot1` .. `slot5` follow `slot0`, each {} bits higher than the one before.\n",
                       field_of(op, "slot1.space").lsb - field_of(op, "slot0.space").lsb);
  }
  return out;
}

std::string fields() {
  std::string out = fmt::format("\nA word has {} bits. Bits that no field of its op covers are 0.\n", word_bits());
  out += field_section("Header of every op", Op::kHalt, true);
  out += field_section("LD, ST", Op::kLd, false);
  out += field_section("WLD, WLD.T", Op::kWld, false);
  for (const Op op : {Op::kMm, Op::kVx, Op::kLoop, Op::kEndloop, Op::kSync}) out += field_section(op_name(op), op, false);
  return out + "\nHALT is a bare header.\n\n";
}

std::string faults() {
  std::string out = "\n| number | code | meaning |\n|---|---|---|\n";
  for (const FaultInfo& fault : all_faults()) {
    out += fmt::format("| {} | `{}` | {} |\n", static_cast<int>(fault.code), fault.name, fault.meaning);
  }
  return out + "\n";
}

std::string keywords() {
  std::string out = "\n| op | keyword | fields | |\n|---|---|---|---|\n";
  for (const Op op : all_ops()) {
    if (op == Op::kSt || op == Op::kWldT) continue;  // as LD and WLD
    for (const Item& item : items_of(op)) {
      if (item.field.starts_with("slot") && item.field[4] != '0') continue;
      const std::string keyword = item.keyword.empty() ? "i0 .. i7" : item.keyword;
      const std::string note = item.required               ? "needed"
                               : item.default_value != 0   ? fmt::format("default {}", item.default_value)
                               : item.keyword == "end"     ? "default: the next ENDLOOP of the level"
                               : item.kind == ItemKind::kFlag ? "flag"
                               : item.kind == ItemKind::kSlot ? "default unused; slot1 .. slot5 alike"
                                                              : "default 0";
      out += fmt::format("| {} | `{}`{} | `{}` | {} |\n", op_name(op), keyword, item.group.empty() ? "" : " behind `" + item.group + "`",
                         item.field, note);
    }
  }
  return out + "\n";
}

std::string part(std::string_view name) {
  if (name == "fields") return fields();
  if (name == "faults") return faults();
  CHECK(name == "keywords") << "no generated part " << name;
  return keywords();
}

}  // namespace

std::string fill_generated_parts(std::string_view page) {
  std::string out;
  while (true) {
    const size_t open = page.find(kOpen);
    if (open == std::string_view::npos) return out.append(page);
    const size_t name_end = page.find(kOpenEnd, open);
    const size_t close = page.find(kClose, open);
    CHECK(name_end != std::string_view::npos && close != std::string_view::npos && name_end < close) << "unpaired marker";
    const std::string_view name = page.substr(open + kOpen.size(), name_end - open - kOpen.size());
    out += page.substr(0, name_end + kOpenEnd.size());
    out += part(name);
    out += kClose;
    page.remove_prefix(close + kClose.size());
  }
}

}  // namespace lockstep::isa
