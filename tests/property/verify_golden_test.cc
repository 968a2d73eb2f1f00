// The static verifier and golden judge the same rules from different sides: whatever the verifier lets pass, golden
// must run without a fault. Checked on generated programs with one or two fields changed, where many are still legal.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "hw/base/rng.h"
#include "hw/golden/golden.h"
#include "hw/isa/field_table.h"
#include "hw/isa/verify.h"
#include "tests/property/chip_gen.h"
#include "tests/property/program_gen.h"

namespace lockstep::testgen {
namespace {

/// A small step away from the value, kept within the field.
void nudge(isa::Instr& instr, Rng& random) {
  const std::vector<isa::Field>& fields = isa::op_fields(instr.op);
  const isa::Field& field = fields[random.below(fields.size())];
  if (field.name == "op" || field.name == "tag") return;
  const int64_t steps[] = {-1, 1, 2, -32, 32, 64, -4, 4, 256, -4096, 4096};
  const int64_t now = field.get(instr);
  const int64_t value = random.chance(0.2) ? 0 : now + steps[random.below(std::size(steps))];
  if (value < field.min || value > field.max) return;
  field.set(instr, value);
}

TEST(VerifyAndGolden, WhatTheVerifierAcceptsRunsWithoutFault) {
  int accepted = 0, rejected = 0, both = 0;
  std::map<std::string, int> faults;
  for (uint64_t seed = 1; seed <= 6000; ++seed) {
    const chip::ChipSpec chip = random_chip(seed % 7);
    isa::Program program = random_program(seed % 97, chip, {.max_phases = 1, .max_flows = 2});
    Rng random(seed);
    for (uint64_t n = random.below(2) + 1; n > 0; --n) nudge(program.code[random.below(program.code.size())], random);
    if (random.chance(0.05)) program.rings[random.below(16)].modulus = static_cast<uint8_t>(random.between(1, 4));
    if (random.chance(0.05)) program.semaphores[random.below(64)] = static_cast<uint8_t>(random.between(0, 3));
    const bool passes = isa::verify(program, chip).ok();
    target::MemoryImage image = random_image(seed, program);
    const auto run = golden::GoldenTarget(chip).run(program, image, {.max_cycles = 2'000'000});
    const std::string fault = !run.ok() ? run.diags().front().code : run->fault ? run->fault->code : "";
    ++(passes ? accepted : rejected);
    if (!passes && !fault.empty()) ++both;
    if (!fault.empty()) ++faults[fault];
    if (passes && fault != "F-WATCHDOG") {
      EXPECT_EQ(fault, "") << "seed " << seed << ": " << (run.ok() ? run->fault->detail : run.diags().front().message);
    }
  }
  std::printf("%d accepted, %d rejected, %d of them refused or faulted by golden\n", accepted, rejected, both);
  for (const auto& [code, count] : faults) std::printf("%6d  %s\n", count, code.c_str());
  EXPECT_GT(accepted, 500);
  EXPECT_GT(both, 500);
  EXPECT_GT(faults.size(), 6u) << "the changes must reach many rules";
}

}  // namespace
}  // namespace lockstep::testgen
