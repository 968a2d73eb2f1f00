// What the parts of the verifier share: the program, the chip and the reporting of violations.
#pragma once

#include <string>
#include <vector>

#include "hw/base/diag.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/loop_nest.h"
#include "hw/isa/program.h"
#include "hw/isa/verify.h"

namespace lockstep::isa {

class VerifyContext {
 public:
  VerifyContext(const Program& the_program, const chip::ChipSpec& the_chip, const VerifyOptions& the_options, DiagSink& sink)
      : program(the_program), chip(the_chip), options(the_options), sink_(sink) {}

  const Program& program;
  const chip::ChipSpec& chip;
  const VerifyOptions& options;

  /// "word 12 (MM.0, tag 7 "q_proj"): message". Reports up to options.max_diags.
  void report(const char* code, size_t pc, const std::string& message);
  /// A violation of the program as a whole.
  void report(const char* code, const std::string& message);
  bool failed() const { return count_ > 0; }
  bool full() const { return count_ >= options.max_diags; }
  std::string word_name(size_t pc) const;

 private:
  DiagSink& sink_;
  size_t count_ = 0;
};

/// Chip hash, IMEM size, rings, tensors and other header fields (E0605 .. E0609).
void check_header(VerifyContext& context);

/// Fields in range, bodies, units, header words, features that are not built (E0601, E0602, E0630, E0636, E0638, E08xx).
void check_words(VerifyContext& context);

/// LOOP and ENDLOOP, HALT, levels used (E0631 .. E0635, E0639). True when the walks below may rely on the structure.
bool check_structure(VerifyContext& context);

/// Bounds, lines, alignment and shapes of every operand over all its loops and rings (E0640 .. E0649).
void check_operands(VerifyContext& context, const std::vector<Enclosing>& loops);

/// SEM-1, SEM-2, SEM-4, MXU-2 and MXU-4 by a walk in program order (E07xx). Returns the words visited.
int64_t check_tokens(VerifyContext& context, const std::vector<Enclosing>& loops);

}  // namespace lockstep::isa
