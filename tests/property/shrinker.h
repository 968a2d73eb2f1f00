// Makes a failing program small. Works on the Scenario it came from, so that everything tried is legal: fewer flows,
// trips of 1, loops taken off, no SYNCs, smaller transfers, plain values. A last pass works on the program: it drops
// words and token pairs and keeps what golden and the race check still accept.
#pragma once

#include <cstdint>
#include <functional>

#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "tests/property/scenario.h"

namespace lockstep::testgen {

/// True when the program still shows the failure.
using Failing = std::function<bool(const isa::Program&)>;

struct ShrinkOptions {
  int max_tries = 2000;  // calls of the predicate
};

struct Shrunk {
  Scenario scenario;     // smallest failing description
  isa::Program program;  // lowered from it, then thinned out
  int tries = 0;
};

/// `scenario` must fail when lowered for `chip`.
Shrunk shrink(const Scenario& scenario, const chip::ChipSpec& chip, const Failing& failing, const ShrinkOptions& options = {});

}  // namespace lockstep::testgen
