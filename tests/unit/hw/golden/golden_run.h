// Runs a hand-built program on golden and tells its fault.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

#include "hw/golden/golden.h"
#include "tests/property/word_builder.h"

namespace lockstep::golden {

struct Outcome {
  std::string fault;  // code, empty = none; "refused E0501" when not run
  uint32_t tag = 0;
  target::MemoryImage image;
  metrics::Counters counters;

  int32_t word(int64_t address) const {
    int32_t value = 0;
    std::memcpy(&value, image.data() + address, 4);
    return value;
  }
};

inline Outcome run_image(const chip::ChipSpec& chip, const isa::Program& program, target::MemoryImage image,
                         const target::RunOptions& options = {}) {
  Outcome outcome;
  const Result<target::RunResult> run = GoldenTarget(chip).run(program, image, options);
  outcome.image = std::move(image);
  if (!run.ok()) {
    outcome.fault = "refused " + run.diags().front().code;
    return outcome;
  }
  outcome.counters = run->counters;
  if (run->fault) {
    outcome.fault = run->fault->code;
    outcome.tag = run->fault->tag;
  }
  return outcome;
}

/// HBM byte a starts as a * 7 + 3.
inline target::MemoryImage ramp_image(int64_t bytes) {
  target::MemoryImage image(static_cast<size_t>(bytes));
  for (size_t a = 0; a < image.size(); ++a) image[a] = static_cast<uint8_t>(a * 7 + 3);
  return image;
}

/// Runs what `builder` holds, closed by HALT.
inline Outcome run_words(const chip::ChipSpec& chip, testgen::WordBuilder& builder, const target::RunOptions& options = {}) {
  builder.halt();
  return run_image(chip, builder.program(), ramp_image(builder.program().hbm_bytes), options);
}

}  // namespace lockstep::golden
