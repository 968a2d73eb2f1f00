#include <algorithm>
#include <random>

#include "hw/isa/address_set.h"
#include "tests/unit/hw/isa/verify_case.h"

namespace lockstep::isa {
namespace {

TEST(VerifyOperands, VmemBounds) {
  // Rows of 8 bytes: the last of 8 with stride 8 at 0xfc0 + 56 ends at 4096.
  EXPECT_EQ(verdict(broken("vmem=[0x400]", "vmem=[0xfc0]")), "");
  expect_violation(broken("vmem=[0x400]", "vmem=[0xfc8]"), "E0640", "covers 4040 to 4103, outside [0, 4096)");
  expect_violation(broken("vmem=[0x400]", "vmem=[-8]"), "E0640", "ISA-2");
  expect_violation(broken("vmem=[0x400]", "vmem=[0x400 - i0*512]"), "E0640", "covers -512 to");
  EXPECT_EQ(verdict(broken("vmem=[0x400]", "vmem=[0x600 - i0*512]")), "");
  expect_violation(broken("vmem=[r0*256]", "vmem=[0xe00 + r0*256 + i0*64]"), "E0640", "vmem");
  expect_violation(broken("vmem=[0x800] run=1024", "vmem=[0xc20] run=1024"), "E0640", "vmem");
}

TEST(VerifyOperands, MaskedWeightRowsAreNotRead) {
  EXPECT_EQ(verdict(broken("vmem=[0x400] row_stride=8 k=8", "vmem=[0xfc8] row_stride=8 k=7")), "");
  EXPECT_EQ(verdict(broken("vmem=[0x400] row_stride=8 k=8", "vmem=[0x8000] row_stride=8 k=0")), "");
}

TEST(VerifyOperands, RingsReachAllTheirValuesOnlyWhenStepped) {
  expect_violation(broken("vmem=[0x400]", "vmem=[0xf80 + r0*128]"), "E0640", "vmem");
  EXPECT_EQ(verdict(broken("vmem=[0x400]", "vmem=[0xf80 + r7*128]")), "");
}

TEST(VerifyOperands, RowsDoNotStraddleALineVMEM1) {
  expect_violation(broken("vmem=[0x400]", "vmem=[0x41c] "), "E0641", "VMEM-1");
  EXPECT_EQ(verdict(broken("vmem=[0x400]", "vmem=[0x400 + i0*40]")), "");
  expect_violation(broken("vmem=[0x400] row_stride=8", "vmem=[0x404] row_stride=8"), "E0641", "VMEM-1");
  expect_violation(broken("vmem=[r1*256] row_stride=8", "vmem=[r1*256] row_stride=12"), "E0641", "VMEM-1");
  expect_violation(broken("slot1=vmem.int32[0x800]", "slot1=vmem.int32[0x804]"), "E0641", "VMEM-1");
}

TEST(VerifyOperands, AccumulatorBounds) {
  EXPECT_EQ(verdict(broken("acc=[0]", "acc=[32]")), "");
  expect_violation(broken("acc=[0]", "acc=[33]"), "E0642", "covers 33 to 64, outside [0, 64)");
  expect_violation(broken("slot0=acc0.int32[0] row=1", "slot0=acc0.int32[3] row=2"), "E0642", "slot0");
  expect_violation(broken("acc0.int32[0]", "acc0.int32[-1]"), "E0642", "slot0");
}

TEST(VerifyOperands, HbmBounds) {
  expect_violation(broken("hbm 0x4000", "hbm 0x2fff"), "E0643", "outside [0, 12287)");
  EXPECT_EQ(verdict(broken("hbm 0x4000", "hbm 0x3000")), "");
  expect_violation(broken("b0 + i0*256", "b0 - 0x20 + i0*256"), "E0643", "hbm");
  expect_violation(broken("base b1 = 0x2000", "base b1 = 0x7fffffffffffffe0"), "E0643", "more than 2^62");
}

TEST(VerifyOperands, GranulesDMA1) {
  expect_violation(broken("b0 + i0*256", "b0 + 0x10 + i0*256"), "E0644", "DMA-1");
  expect_violation(broken("b0 + i0*256", "b0 + i0*40"), "E0644", "DMA-1");
  expect_violation(broken("vmem=[0x800] run=1024", "vmem=[0x810] run=1024"), "E0644", "DMA-1");
  expect_violation(broken("stride1=64", "stride1=80"), "E0644", "vmem stride1 is 80");
  expect_violation(broken("run=1024 vmem=[0x800] run=1024", "run=1024 vmem=[0x800] run=16 n1=64 stride1=32"), "E0644", "vmem run is 16");
}

TEST(VerifyOperands, BothSidesMoveTheSameBytesDMA1) {
  expect_violation(broken("run=64 n1=4", "run=64 n1=3"), "E0645", "DMA-1");
}

TEST(VerifyOperands, ZeroLengthTransfersUseNoAddress) {
  EXPECT_EQ(verdict(broken("hbm=[b0 + i0*256] run=256 vmem=[r0*256] run=64", "hbm=[b0 - 0x11] run=0 vmem=[0x7fffff] run=0")), "");
  EXPECT_EQ(verdict(broken("stride1=64 wait", "stride1=64 reps=0 wait")), "");
}

TEST(VerifyOperands, OuterRepetitionsCountOnBothSides) {
  EXPECT_EQ(verdict(broken("run=256 vmem=[r0*256] run=64 n1=4 stride1=64", "run=64 stride2=64 vmem=[r0*256] run=64 stride2=64 reps=4")), "");
  expect_violation(broken("run=256 vmem=[r0*256] run=64 n1=4 stride1=64", "run=64 stride2=8192 vmem=[r0*256] run=64 stride2=64 reps=4"),
                   "E0643", "hbm");
}

TEST(VerifyOperands, MasksStayInsideTheArrayMXU4) {
  expect_violation(broken("k=8 n=8", "k=8 n=9"), "E0646", "MXU-4");
  expect_violation(broken("rows=32 k=8", "rows=32 k=9"), "E0646", "MXU-4");
}

TEST(VerifyOperands, SyncNamesEnginesOfTheChipSEQ5) {
  expect_violation(broken("{LD0,ST0}", "{LD1}"), "E0647", "no LD1");
  expect_violation(broken("{LD0,ST0}", "{MM1}"), "E0647", "no MM1");
  expect_violation(broken("{LD0,ST0}", "{e13}"), "E0647", "SEQ-5");
}

TEST(VerifyOperands, CopyKernelSlotsVX4) {
  expect_violation(broken("slot0=acc0", "slot0=vmem"), "E0648", "VX-4");
  expect_violation(broken("chunk=32 wait", "chunk=32 slot2=vmem.int32[0] wait"), "E0648", "VX-4");
  expect_violation(broken("slot0=acc0", "slot0=acc1"), "E0630", "MXU-8");
  expect_violation(broken("cols=8", "cols=9"), "E0648", "VPU-4");
  expect_violation(broken("chunk=32", "chunk=2"), "E0648", "VX-4");
}

TEST(VerifyOperands, ChunksOfAnAccumulatorRowVX4) {
  chip::ChipSpec chip = verify_chip();
  chip.vpu.lanes = 4;  // two chunks in a row: chunks 2 and 3 are in row + chunk_stride
  const auto with_chunks = [&](const std::string& stride) {
    return verdict(assemble(broken("chunks=1 cols=8 slot0=acc0.int32[0] row=1 slot1=vmem.int32[0x800] row=32 chunk=32",
                                   "chunks=4 cols=16 slot0=acc0.int32[0] row=1 chunk=" + stride +
                                       " slot1=vmem.int32[0x800] row=32 chunk=16"),
                            chip), chip);
  };
  EXPECT_EQ(with_chunks("32"), "");
  EXPECT_EQ(with_chunks("33").substr(0, 6), "E0642:");
}

// ---- the closed forms against enumeration

TEST(AddressSet, AgreesWithEnumeration) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    std::mt19937_64 rng(seed);
    const auto pick = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(rng); };
    const int64_t base = pick(-200, 200);
    AddressSet set(base);
    std::vector<int64_t> values = {base};
    for (int64_t terms = pick(0, 3); terms > 0; --terms) {
      const int64_t stride = pick(-6, 6) * (int64_t{1} << pick(0, 5));
      const int64_t count = pick(1, 9);
      set.extend(stride, count);
      std::vector<int64_t> next;
      for (const int64_t value : values) {
        for (int64_t x = 0; x < count; ++x) next.push_back(value + stride * x);
      }
      values.swap(next);
    }
    EXPECT_EQ(static_cast<int64_t>(set.low()), *std::min_element(values.begin(), values.end())) << "seed " << seed;
    EXPECT_EQ(static_cast<int64_t>(set.high()), *std::max_element(values.begin(), values.end())) << "seed " << seed;
    const int64_t line = int64_t{1} << pick(2, 7);
    const int64_t width = pick(1, line);
    const auto floor_mod = [](int64_t a, int64_t m) { return ((a % m) + m) % m; };
    const bool fits = std::all_of(values.begin(), values.end(), [&](int64_t a) { return floor_mod(a, line) + width <= line; });
    EXPECT_EQ(set.fits_lines(line, width), fits) << "seed " << seed << " line " << line << " width " << width;
    const bool multiples = std::all_of(values.begin(), values.end(), [](int64_t a) { return a % 8 == 0; });
    EXPECT_EQ(set.all_multiples_of(8), multiples) << "seed " << seed;
  }
}

TEST(AddressSet, CountZeroIsEmpty) {
  AddressSet set(5);
  set.extend(3, 0);
  EXPECT_TRUE(set.empty());
  EXPECT_TRUE(set.fits_lines(4, 4));
}

}  // namespace
}  // namespace lockstep::isa
