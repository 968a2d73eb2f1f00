// What the co-simulation tests share: an RTL target per chip, and a comparison of RTL against golden and model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/chip/chip_spec.h"
#include "hw/target/target.h"

namespace lockstep::testcosim {

/// The RTL of `chip`, built on first use; fails the test with the build log when it cannot be built.
std::unique_ptr<target::Target> rtl_of(const chip::ChipSpec& chip);

/// `bytes` of reproducible noise.
target::MemoryImage noise(int64_t bytes, uint64_t seed);

/// First differing byte as text, empty when equal.
std::string diff_images(const target::MemoryImage& expected, const target::MemoryImage& actual);

/// What three independent readings of one program say.
struct Agreement {
  std::vector<std::string> problems;  // empty = lockstep: bits, events, counters and cycles agree
  int64_t cycles = 0;
  size_t instrs = 0;
  size_t bursts = 0;
};

/// Runs `program` on golden, the fast model and `rtl`, from `image`, and compares RTL with golden bit for bit and with the
/// model event for event. Options' record_events is set.
Agreement run_trio(const isa::Program& program, const chip::ChipSpec& chip, target::Target& rtl,
                   const target::MemoryImage& image, target::RunOptions options = {});

}  // namespace lockstep::testcosim
