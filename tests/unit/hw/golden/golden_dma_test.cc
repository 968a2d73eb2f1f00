// LD and ST: shapes of both sides, zero lengths, granule, ranges, bursts (DMA-1).
#include "tests/unit/hw/golden/golden_run.h"

namespace lockstep::golden {
namespace {

using testgen::WordBuilder;

constexpr int64_t kHbmBytes = 65536;

chip::ChipSpec chip_of_test() { return testgen::small_chip(8, 8, 2); }

isa::DmaBody& body(isa::Instr& instr) { return WordBuilder::dma_body(instr); }

/// Loads `bytes` from `from`, stores them back at `to`.
Outcome round_trip(int64_t from, int64_t to, int64_t bytes) {
  WordBuilder b(chip_of_test(), kHbmBytes);
  b.ld(from, 256, bytes);
  b.st(to, 256, bytes);
  return run_words(chip_of_test(), b);
}

TEST(GoldenDma, MovesBytesBetweenOddGranules) {
  // 1,952 bytes = 61 granules of 32, from an odd granule to an odd granule.
  const Outcome o = round_trip(33 * 32, 1001 * 32, 1952);
  ASSERT_EQ(o.fault, "");
  target::MemoryImage expected = ramp_image(kHbmBytes);
  std::copy_n(expected.begin() + 33 * 32, 1952, expected.begin() + 1001 * 32);
  EXPECT_TRUE(o.image == expected);
}

TEST(GoldenDma, LengthsOffTheGranuleFault) { EXPECT_EQ(round_trip(33 * 32, 1001 * 32, 1958).fault, "F-DMA-ALIGN"); }

TEST(GoldenDma, AddressesAndStridesOffTheGranuleFault) {
  const auto fault_with = [](auto change) {
    WordBuilder b(chip_of_test(), kHbmBytes);
    isa::DmaBody& d = body(b.ld(0, 0, 64));
    d.hbm_shape.n1 = d.vmem_shape.n1 = 2;
    d.hbm_shape.stride1_bytes = d.vmem_shape.stride1_bytes = 128;
    change(d);
    return run_words(chip_of_test(), b).fault;
  };
  EXPECT_EQ(fault_with([](isa::DmaBody&) {}), "");
  EXPECT_EQ(fault_with([](isa::DmaBody& d) { d.hbm.imm += 16; }), "F-DMA-ALIGN");
  EXPECT_EQ(fault_with([](isa::DmaBody& d) { d.vmem.imm += 1; }), "F-DMA-ALIGN");
  EXPECT_EQ(fault_with([](isa::DmaBody& d) { d.hbm_shape.stride1_bytes += 16; }), "F-DMA-ALIGN");
  EXPECT_EQ(fault_with([](isa::DmaBody& d) { d.vmem_shape.stride2_bytes = -8; }), "F-DMA-ALIGN");
}

TEST(GoldenDma, ThreeDimensionalShapesOnBothSides) {
  WordBuilder b(chip_of_test(), kHbmBytes);
  isa::Instr& ld = b.ld(1024, 8192, 0);
  body(ld).hbm_shape = {96, 2, 512, -128};  // 2 runs of 96, per repetition 128 lower
  body(ld).vmem_shape = {64, 3, 160, 1024};  // the same 192 bytes as 3 runs of 64
  body(ld).reps.imm = 3;
  b.st(32768, 8192, 4096);
  const Outcome o = run_words(chip_of_test(), b, {.vmem_fill = 0xEE});
  ASSERT_EQ(o.fault, "");
  target::MemoryImage expected = ramp_image(kHbmBytes);
  std::vector<uint8_t> vmem(4096, 0xEE);
  for (int64_t rep = 0; rep < 3; ++rep) {
    for (int64_t byte = 0; byte < 192; ++byte) {
      const int64_t from = 1024 + rep * -128 + byte / 96 * 512 + byte % 96;
      vmem[static_cast<size_t>(rep * 1024 + byte / 64 * 160 + byte % 64)] = expected[static_cast<size_t>(from)];
    }
  }
  std::copy(vmem.begin(), vmem.end(), expected.begin() + 32768);
  EXPECT_TRUE(o.image == expected);
  EXPECT_EQ(o.counters.hbm_read_bytes, 576u);
}

TEST(GoldenDma, ZeroLengthsMoveNothingAndPost) {
  const auto outcome_with = [](auto change) {
    WordBuilder b(chip_of_test(), kHbmBytes);
    isa::Instr& ld = b.ld(-4096, 1 << 20, 64);  // any address will do
    change(body(ld));
    ld.posts[0] = {3, 1, isa::PostWhen::kDone};
    b.st(0, 0, 32).waits[0] = {3, 1};
    return run_words(chip_of_test(), b);
  };
  for (const Outcome& o : {outcome_with([](isa::DmaBody& d) { d.reps.imm = 0; }),
                           outcome_with([](isa::DmaBody& d) { d.hbm_shape.n1 = d.vmem_shape.n1 = 0; }),
                           outcome_with([](isa::DmaBody& d) { d.hbm_shape.run_bytes = d.vmem_shape.run_bytes = 0; })}) {
    EXPECT_EQ(o.fault, "");
    EXPECT_EQ(o.counters.read_bursts, 0u);
    EXPECT_EQ(o.counters.engines[isa::kLd0].instrs, 1u);
  }
}

TEST(GoldenDma, UnequalSidesFault) {
  WordBuilder b(chip_of_test(), kHbmBytes);
  body(b.ld(0, 0, 64)).vmem_shape.n1 = 2;
  EXPECT_EQ(run_words(chip_of_test(), b).fault, "F-DMA-LENGTH");
}

TEST(GoldenDma, RangesFaultByOneGranule) {
  const int64_t vmem = chip::vmem_bytes(chip_of_test());
  const auto fault = [](int64_t hbm, int64_t at, int64_t bytes) {
    WordBuilder b(chip_of_test(), kHbmBytes);
    b.ld(hbm, at, bytes);
    return run_words(chip_of_test(), b).fault;
  };
  EXPECT_EQ(fault(kHbmBytes - 64, vmem - 64, 64), "");
  EXPECT_EQ(fault(kHbmBytes - 32, 0, 64), "F-HBM-RANGE");
  EXPECT_EQ(fault(-32, 0, 64), "F-HBM-RANGE");
  EXPECT_EQ(fault(0, vmem - 32, 64), "F-VMEM-RANGE");
  EXPECT_EQ(fault(0, -32, 64), "F-VMEM-RANGE");
}

TEST(GoldenDma, NegativeStridesReachTheFirstByte) {
  const auto fault = [](int64_t start) {
    WordBuilder b(chip_of_test(), kHbmBytes);
    isa::Instr& ld = b.ld(start, 0, 32);
    body(ld).hbm_shape = {32, 4, -64, 0};
    body(ld).vmem_shape = {128, 1, 0, 0};
    return run_words(chip_of_test(), b).fault;
  };
  EXPECT_EQ(fault(192), "");
  EXPECT_EQ(fault(160), "F-HBM-RANGE");
}

TEST(GoldenDma, StoresReadWhatWasWrittenBefore) {
  WordBuilder b(chip_of_test(), kHbmBytes);
  b.ld(0, 0, 64);
  b.st(4096, 0, 64);
  b.ld(4096, 512, 64);
  b.st(8192, 512, 64);
  const Outcome o = run_words(chip_of_test(), b);
  EXPECT_TRUE(std::equal(o.image.begin(), o.image.begin() + 64, o.image.begin() + 8192));
}

TEST(GoldenDma, CountsBurstsAndColumnAccesses) {
  // Bursts of 256, accesses of 32: [224, 800) = 32 + 256 + 256 + 32; then a second run of the same length.
  WordBuilder b(chip_of_test(), kHbmBytes);
  isa::Instr& ld = b.ld(224, 0, 576);
  body(ld).hbm_shape = {576, 2, 4096, 0};
  body(ld).vmem_shape = {1152, 1, 0, 0};
  b.st(0, 0, 256);
  const Outcome o = run_words(chip_of_test(), b);
  ASSERT_EQ(o.fault, "");
  EXPECT_EQ(o.counters.read_bursts, 8u);
  EXPECT_EQ(o.counters.write_bursts, 1u);
  EXPECT_EQ(o.counters.hbm_bus_bytes, 1152u + 256u);
  EXPECT_EQ(o.counters.words, 3u);
}

TEST(GoldenDma, BusBytesRoundUpToAccesses) {
  chip::ChipSpec chip = chip_of_test();
  chip.dram.access_bytes = 64;
  WordBuilder b(chip, kHbmBytes);
  b.ld(32, 0, 64);  // touches two accesses
  b.ld(64, 0, 64);  // one
  EXPECT_EQ(run_words(chip, b).counters.hbm_bus_bytes, 192u);
}

TEST(GoldenDma, BothLoadQueuesLoad) {
  chip::ChipSpec chip = chip_of_test();
  WordBuilder one(chip, kHbmBytes);
  one.ld(0, 0, 64, 1);
  EXPECT_EQ(run_words(chip, one).fault, "refused E0501");
  chip.dma.load_queues = 2;
  WordBuilder two(chip, kHbmBytes);
  two.ld(0, 0, 64, 1);
  two.st(256, 0, 64);
  const Outcome o = run_words(chip, two);
  EXPECT_EQ(o.fault, "");
  EXPECT_EQ(o.counters.engines[1].instrs, 1u);
  EXPECT_EQ(o.image[256 + 63], o.image[63]);
}

}  // namespace
}  // namespace lockstep::golden
