// One table of every flag: names, the verbs that take it, what it means and how its value is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/diag.h"
#include "sweep/cli/command_line.h"

namespace lockstep::sweep {

/// Everything a flag may change.
struct FlagTarget {
  CommandLine command;
  Console::Style style;
};

/// Reads one value into the target; on trouble returns what is wrong with the value, in words, and notes.
struct ValueProblem {
  std::string message;  // empty = the value is fine
  std::string note;
};

struct FlagSpec {
  const char* names;       // CLI11 form: "-o,--output"
  const char* value_name;  // nullptr: a switch without a value
  uint32_t verbs;          // bit = 1 << Verb
  bool repeatable;
  const char* sentence;
  ValueProblem (*read)(const std::string& value, FlagTarget& target);
};

const std::vector<FlagSpec>& flag_table();

struct VerbSpec {
  Verb verb;
  const char* words;      // "sweep run"
  const char* arguments;  // nullptr: none; else the name of the positional arguments
  const char* sentence;
};

const std::vector<VerbSpec>& verb_table();

}  // namespace lockstep::sweep
