// Golden must survive any Program: random bodies, and sound programs with one random field broken.
#include <random>

#include "hw/isa/field_table.h"
#include "tests/unit/hw/golden/gemm_case.h"
#include "tests/unit/hw/golden/golden_run.h"

namespace lockstep::golden {
namespace {

/// Mostly small, often at a power of two, sometimes anything.
int64_t awkward(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0: return static_cast<int64_t>(random() % 9);
    case 1: return static_cast<int64_t>(random() % 64) * 32;
    case 2: return -static_cast<int64_t>(random() % 64) * 32;
    case 3: return (int64_t{1} << random() % 63) - static_cast<int64_t>(random() % 3) + 1;
    case 4: return -(int64_t{1} << random() % 63) + static_cast<int64_t>(random() % 3);
    default: return static_cast<int64_t>(random());
  }
}

void break_field(isa::Instr& instr, std::mt19937_64& random) {
  if (!isa::is_op(static_cast<uint64_t>(instr.op))) return;  // broken before
  const std::vector<isa::Field>& fields = isa::op_fields(instr.op);
  const isa::Field& field = fields[random() % fields.size()];
  if (field.name == "op") {
    instr.op = static_cast<isa::Op>(random() % 12);
    if (random() % 2 == 0 && isa::is_op(static_cast<uint64_t>(instr.op))) instr.body = isa::blank_instr(instr.op).body;
    return;
  }
  if (isa::body_matches_op(instr) || field.is_header) field.set(instr, awkward(random));
}

/// Reports are counted so that the test cannot pass by refusing everything.
struct Tally {
  int refused = 0, faulted = 0, clean = 0;
  void add(const Outcome& outcome) {
    ++(outcome.fault.empty() ? clean : outcome.fault.starts_with("refused") ? refused : faulted);
  }
};

TEST(GoldenFuzz, BrokenGemmsNeverCrash) {
  const chip::ChipSpec chip = testgen::small_chip(8, 8, 4);
  const GemmCase gemm{5, 19, 11};
  const isa::Program sound = gemm_program(chip, gemm);
  const target::MemoryImage image = gemm_image(chip, gemm, 3);
  target::RunOptions options;
  options.max_cycles = 20000;
  Tally tally;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    std::mt19937_64 random(seed);
    isa::Program program = sound;
    for (uint64_t n = random() % 3 + 1; n > 0; --n) break_field(program.code[random() % program.code.size()], random);
    if (random() % 8 == 0) program.rings[random() % 16].modulus = static_cast<uint8_t>(random());
    if (random() % 8 == 0) program.base_registers[random() % 16] = awkward(random);
    if (random() % 16 == 0) program.code.erase(program.code.begin() + static_cast<int64_t>(random() % program.code.size()));
    tally.add(run_image(chip, program, image, options));
  }
  EXPECT_GT(tally.clean, 500);
  EXPECT_GT(tally.faulted, 2000);
  EXPECT_GT(tally.refused, 500);
}

TEST(GoldenFuzz, WordSaladNeverCrashes) {
  chip::ChipSpec chip = testgen::small_chip(4, 8, 4);
  chip.mxu.count = 2;
  chip.dma.load_queues = 2;
  target::RunOptions options;
  options.max_cycles = 3000;
  Tally tally;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    std::mt19937_64 random(seed);
    testgen::WordBuilder b(chip, 4096);
    isa::Program& program = b.program();
    for (uint64_t n = random() % 12; n > 0; --n) {
      isa::Instr instr = isa::blank_instr(isa::all_ops()[random() % isa::kOpCount]);
      for (uint64_t f = random() % 12; f > 0; --f) break_field(instr, random);
      program.code.push_back(instr);
    }
    if (random() % 2 == 0) b.halt();
    for (uint8_t& start : program.semaphores) start = static_cast<uint8_t>(random() % 256);
    tally.add(run_image(chip, program, ramp_image(4096), options));
  }
  EXPECT_GT(tally.clean, 100);
  EXPECT_GT(tally.faulted, 1000);
  EXPECT_GT(tally.refused, 1000);
}

}  // namespace
}  // namespace lockstep::golden
