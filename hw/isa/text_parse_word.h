// Parser of one word of program text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hw/base/diag.h"
#include "hw/isa/instr.h"
#include "hw/isa/text_lexer.h"

namespace lockstep::isa {

struct ParsedWord {
  Instr instr;
  bool end_omitted = false;  // a LOOP without `end=`
};

/// Every name that may start a word: "LD", "WLD.T" ...
std::vector<std::string> mnemonics();

/// Parses tokens[at...] up to kEnd. Every problem is reported; null when there was one.
std::optional<ParsedWord> parse_word(const std::vector<Token>& tokens, size_t at, const SourceLoc& line, DiagSink& sink);

}  // namespace lockstep::isa
