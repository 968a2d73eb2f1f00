// What a user or a sweep may choose about the compiler: one table of names, ranges, defaults and sentences.
// Sweep axes and `--set` use exactly these names.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/diag.h"

namespace lockstep::pipeline {

struct Knobs {
  int64_t buffers = 3;         // compiler.pipelining.buffers
  bool drain_overlap = true;   // compiler.pipelining.drain_overlap
  int64_t tm = 0;              // compiler.tiling.tm; 0 = choose
  int64_t tn = 0;              // compiler.tiling.tn; 0 = choose
  int64_t tk = 0;              // compiler.tiling.tk; 0 = choose
  std::string stationary = "weights";  // compiler.tiling.stationary
  friend bool operator==(const Knobs&, const Knobs&) = default;
};

enum class KnobType : uint8_t { kInteger, kBool, kWord };

struct Knob {
  std::string name;
  KnobType type = KnobType::kInteger;
  int64_t min = 0;                 // kInteger
  int64_t max = 0;                 // kInteger
  std::vector<std::string> words;  // kWord: every accepted value
  std::string unit;                // "", "rows", "tiles", "slots"
  std::string sentence;
  std::function<std::string(const Knobs&)> get;            // canonical text of the value
  std::function<void(Knobs&, const std::string&)> set;     // of a canonical, checked text
};

/// In documentation order. The default of a knob is get(Knobs{}).
const std::vector<Knob>& knob_table();

/// nullptr when there is no such knob.
const Knob* find_knob(std::string_view name);

/// Sets one knob from text. E1030 unknown name (with the nearest), E1031 not a value of its type or out of range.
[[nodiscard]] std::optional<Diag> set_knob(Knobs& knobs, std::string_view name, std::string_view value, const SourceLoc& loc);

/// Canonical "name=value" lines in table order: what a result is keyed by.
std::string print(const Knobs& knobs);

}  // namespace lockstep::pipeline
