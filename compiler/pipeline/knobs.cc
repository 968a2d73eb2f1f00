#include "compiler/pipeline/knobs.h"

#include <fmt/format.h>

#include "compiler/ir/gemm.h"
#include "hw/base/number.h"
#include "hw/base/printable.h"

namespace lockstep::pipeline {

namespace {

Knob integer_knob(std::string name, int64_t min, int64_t max, std::string unit, std::string sentence, int64_t Knobs::*member) {
  Knob k;
  k.name = std::move(name);
  k.min = min;
  k.max = max;
  k.unit = std::move(unit);
  k.sentence = std::move(sentence);
  k.get = [member](const Knobs& knobs) { return std::to_string(knobs.*member); };
  k.set = [member](Knobs& knobs, const std::string& text) { knobs.*member = std::stoll(text); };
  return k;
}

Knob bool_knob(std::string name, std::string sentence, bool Knobs::*member) {
  Knob k;
  k.name = std::move(name);
  k.type = KnobType::kBool;
  k.sentence = std::move(sentence);
  k.get = [member](const Knobs& knobs) -> std::string { return knobs.*member ? "true" : "false"; };
  k.set = [member](Knobs& knobs, const std::string& text) { knobs.*member = text == "true"; };
  return k;
}

Knob word_knob(std::string name, std::vector<std::string> words, std::string sentence, std::string Knobs::*member) {
  Knob k;
  k.name = std::move(name);
  k.type = KnobType::kWord;
  k.words = std::move(words);
  k.sentence = std::move(sentence);
  k.get = [member](const Knobs& knobs) { return knobs.*member; };
  k.set = [member](Knobs& knobs, const std::string& text) { knobs.*member = text; };
  return k;
}

/// The canonical text of a value, or why it is none.
struct Canonical {
  std::string text;
  std::string why;
};

Canonical canonical(const Knob& knob, std::string_view value) {
  switch (knob.type) {
    case KnobType::kInteger: {
      const ParsedNumber<int64_t> number = parse_integer(value, Unit::kNone);
      if (!number.value) return {"", number.problem.message};
      if (*number.value >= knob.min && *number.value <= knob.max) return {std::to_string(*number.value), ""};
      return {"", fmt::format("must be in [{}, {}], got {}", knob.min, knob.max, *number.value)};
    }
    case KnobType::kBool:
      if (value == "true" || value == "false") return {std::string(value), ""};
      return {"", fmt::format("must be true or false, got {}", quote_text(value))};
    case KnobType::kWord:
      for (const std::string& word : knob.words) {
        if (value == word) return {word, ""};
      }
      return {"", fmt::format("must be {}, got {}", join_choices(knob.words), quote_text(value))};
  }
  return {"", "has no type"};
}

}  // namespace

const std::vector<Knob>& knob_table() {
  static const std::vector<Knob> kTable = {
      integer_knob("compiler.pipelining.buffers", 1, 3, "slots",
                   "VMEM slots of each operand that is streamed; with 1, loads and products take turns.", &Knobs::buffers),
      bool_knob("compiler.pipelining.drain_overlap",
                "Drain one accumulator buffer while products fill another, when both fit.", &Knobs::drain_overlap),
      integer_knob("compiler.tiling.tm", 0, ir::kMaxExtent, "rows", "Activation rows of an m block; 0 = choose.", &Knobs::tm),
      integer_knob("compiler.tiling.tn", 0, ir::kMaxExtent, "tiles", "Array tiles of mxu.cols columns in an n block; 0 = choose.", &Knobs::tn),
      integer_knob("compiler.tiling.tk", 0, ir::kMaxExtent, "tiles", "Array tiles of mxu.rows rows in a k slice; 0 = choose.", &Knobs::tk),
      word_knob("compiler.tiling.stationary", {"weights"}, "The operand held in the array.", &Knobs::stationary),
  };
  return kTable;
}

const Knob* find_knob(std::string_view name) {
  for (const Knob& knob : knob_table()) {
    if (knob.name == name) return &knob;
  }
  return nullptr;
}

std::optional<Diag> set_knob(Knobs& knobs, std::string_view name, std::string_view value, const SourceLoc& loc) {
  const Knob* knob = find_knob(name);
  if (knob == nullptr) {
    std::vector<std::string> names;
    for (const Knob& k : knob_table()) names.push_back(k.name);
    const std::string near = nearest_name(name, names);
    const std::string hint = near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
    return error("E1030", loc, fmt::format("unknown compiler knob {}{}", quote_text(name), hint));
  }
  const Canonical text = canonical(*knob, value);
  if (!text.why.empty()) return error("E1031", loc, fmt::format("{} {}", knob->name, text.why));
  knob->set(knobs, text.text);
  return std::nullopt;
}

std::string print(const Knobs& knobs) {
  std::string out;
  for (const Knob& knob : knob_table()) out += fmt::format("{}={}\n", knob.name, knob.get(knobs));
  return out;
}

}  // namespace lockstep::pipeline
