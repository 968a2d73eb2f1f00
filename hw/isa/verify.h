// Static checks of a program against a chip: what passes here cannot fault or deadlock on any target, whatever the
// memory's latency and the depths of the queues. docs/isa.md lists the checks, docs/errors.md the codes.
#pragma once

#include <array>
#include <cstdint>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::isa {

struct VerifyOptions {
  bool check_chip_hash = true;
  int built_mxus = 1;                         // units the machine has today, whatever the chip asks for
  int64_t max_dynamic_words = int64_t{1} << 40;  // E0639: programs that would run longer are refused
  int64_t max_walked_words = 1'000'000'000;      // E0709: the token walk gives up; loops that repeat are not walked
  size_t max_diags = 50;
};

struct VerifyReport {
  int64_t dynamic_words = 0;  // words executed, LOOP and ENDLOOP included
  int64_t walked_words = 0;   // words the token walk of SEM-4 visited
  std::array<int64_t, kEngineCount> engine_words{};
};

/// All violations, each with pc, op, tag and the rule broken. Operand checks assume that rings take all their values.
Result<VerifyReport> verify(const Program& program, const chip::ChipSpec& chip, const VerifyOptions& options = {});

}  // namespace lockstep::isa
