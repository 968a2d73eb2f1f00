// DMA-1..7 by hand on the chip of test_program.h: setup 4, bursts of 256 bytes, beats of 64. One column of 64 bytes a
// cycle, CL 10, BL 1: a burst of n columns granted in g has its data in g + 1 + (n - 1) + 11 and its command slot
// free from g + 1 + (n - 1) + 1 on, when the channel is idle.
#include "tests/unit/hw/timing/hand_computed.h"

namespace lockstep::timing::test {
namespace {

using Dma = HandComputed;
constexpr isa::EngineId kLd1 = isa::kLd0 + 1;

// DMA-2, DMA-4: issue 1, grant 5, four columns 6..9, data 20, beats 21..24.
TEST_F(Dma, Dma4OneBurstLoad) {
  const auto r = run({ld(0, 256), halt()});
  EXPECT_EQ(burst(r, isa::kLd0, 0), (Three{5, 21, 24}));
  EXPECT_EQ(times(r, isa::kLd0, 0), (Three{1, 5, 24}));
  EXPECT_EQ(r.counters.engines[isa::kLd0].busy_cycles, 5u);
  EXPECT_EQ(r.counters.hbm_read_bytes, 256u);
  EXPECT_EQ(r.counters.hbm_bus_bytes, 256u);
}

// DMA-4 (store): grant 5, reads 6..9, at the channel in 9 + Lv.
TEST_F(Dma, Dma4OneBurstStore) {
  const auto r = run({st(0, 256), halt()});
  EXPECT_EQ(burst(r, isa::kSt0, 0), (Three{5, 6, 9}));
  EXPECT_EQ(times(r, isa::kSt0, 0), (Three{1, 11, 11}));
  EXPECT_EQ(r.counters.write_bursts, 1u);
  EXPECT_EQ(r.counters.hbm_write_bytes, 256u);
  EXPECT_EQ(r.counters.read_bursts, 0u);
}

// DMA-2: setup s: first grant in issue + s.
TEST_F(Dma, Dma2SetupDelaysTheFirstRequest) {
  for (int setup : {0, 1, 2, 9}) {
    chip_.dma.setup_cycles = setup;
    EXPECT_EQ(grants(run({ld(0, 512), halt()}), isa::kLd0), (Cycles{1 + setup, 2 + setup})) << setup;
  }
}

// DMA-1: cut at multiples of 256 and at the end of each run: [0,256) [256,300), [1000,1024) [1024,1280) [1280,1300).
// 64-byte accesses touched: 4 + 1 + 1 + 4 + 1.
TEST_F(Dma, Dma1RunsAreCutAtBurstBoundaries) {
  const auto r = run({ld(0, 300, 2, 1000), halt()});
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 6, 7, 8, 9}));
  EXPECT_EQ(r.counters.read_bursts, 5u);
  EXPECT_EQ(r.counters.hbm_read_bytes, 600u);
  EXPECT_EQ(r.counters.hbm_bus_bytes, 11u * 64);
  // Columns 6..9, 10, 11, 12..15, 16: data 20, 21, 22, 26, 27; beats 4, 1, 1, 4, 1.
  EXPECT_EQ(burst(r, isa::kLd0, 0), (Three{5, 21, 24}));
  EXPECT_EQ(burst(r, isa::kLd0, 1), (Three{6, 25, 25}));
  EXPECT_EQ(burst(r, isa::kLd0, 2), (Three{7, 26, 26}));
  EXPECT_EQ(burst(r, isa::kLd0, 3), (Three{8, 27, 30}));
  EXPECT_EQ(burst(r, isa::kLd0, 4), (Three{9, 31, 31}));
}

// DMA-1: each repetition starts stride2 behind the start of the last one: [4096,4160), [4320,4352) [4352,4384), then
// [4128,4192), [4352,4416). Columns 6, 7, 8, 9..10, 11; data 17, 18, 19, 21, 22; one beat each.
TEST_F(Dma, Dma1OuterRepetition) {
  WordBuilder load = dma(isa::Op::kLd, 4096, 64, 2, 224, 2);
  std::get<isa::DmaBody>(load.instr.body).hbm_shape.stride2_bytes = 32;
  const auto r = run({std::move(load), halt()});
  EXPECT_EQ(r.counters.read_bursts, 5u);
  EXPECT_EQ(r.counters.hbm_read_bytes, 256u);
  EXPECT_EQ(r.counters.hbm_bus_bytes, 6u * 64);
  EXPECT_EQ(burst(r, isa::kLd0, 3), (Three{8, 22, 22}));
  EXPECT_EQ(times(r, isa::kLd0, 0), (Three{1, 9, 23}));
}

// DMA-1: overlapping and descending runs are cut alike.
TEST_F(Dma, Dma1NegativeStride) {
  const auto r = run({ld(4096, 96, 3, -32), halt()});  // [4096,4192) [4064,4096) [4096,4160) [4032,4096) [4096,4128)
  EXPECT_EQ(r.counters.read_bursts, 5u);
  EXPECT_EQ(r.counters.hbm_bus_bytes, 64u * (2 + 1 + 1 + 1 + 1));
}

// DMA-2: the next descriptor issues in last grant + 1 = 6 and has its first grant in 10.
TEST_F(Dma, Dma2TheNextDescriptorIssuesAfterTheLastGrant) {
  const auto r = run({ld(0, 64), ld(64, 64), halt()});
  EXPECT_EQ(issues(r, isa::kLd0), (Cycles{1, 6}));
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 10}));
}

// DMA-4: with beats of 16 bytes a burst takes 16 beats; the next one follows without a gap (data was there in 24).
TEST_F(Dma, Dma4BeatsOfOneQueueFollowEachOther) {
  chip_.dma.beat_bytes = 16;
  auto r = run({ld(0, 512), halt()});
  EXPECT_EQ(burst(r, isa::kLd0, 0), (Three{5, 21, 36}));
  EXPECT_EQ(burst(r, isa::kLd0, 1), (Three{6, 37, 52}));
  r = run({st(0, 512), halt()});
  EXPECT_EQ(burst(r, isa::kSt0, 0), (Three{5, 6, 21}));
  EXPECT_EQ(burst(r, isa::kSt0, 1), (Three{6, 22, 37}));
  EXPECT_EQ(times(r, isa::kSt0, 0), (Three{1, 39, 39}));
}

// DMA-6: one element outstanding: the first ends in 24, its entry is free from the start of 25.
TEST_F(Dma, Dma6TheWindowLimitsElementsBetweenGrantAndEnd) {
  chip_.dma.max_outstanding = 1;
  EXPECT_EQ(grants(run({ld(0, 512), halt()}), isa::kLd0), (Cycles{5, 25}));
  EXPECT_EQ(grants(run({st(0, 512), halt()}), isa::kSt0), (Cycles{5, 12}));  // ends in 11
  chip_.dma.max_outstanding = 2;
  EXPECT_EQ(grants(run({ld(0, 1024), halt()}), isa::kLd0), (Cycles{5, 6, 25, 29}));  // the second ends in 28
}

// DMA-6: the window holds elements of earlier descriptors too: the second one issues in 6 and has its request in 10,
// but the first burst ends in 24.
TEST_F(Dma, Dma6TheWindowIsOfTheQueueNotOfTheDescriptor) {
  chip_.dma.max_outstanding = 1;
  const auto r = run({ld(0, 256), ld(256, 256), halt()});
  EXPECT_EQ(issues(r, isa::kLd0), (Cycles{1, 6}));
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 25}));
}

// DMA-3, MEM-6: one command slot: columns 6..9, free from the start of 10; then 11..14, free from 15.
TEST_F(Dma, Dma3ARequestNeedsACommandSlot) {
  chip_.dram.command_slots = 1;
  EXPECT_EQ(grants(run({ld(0, 768), halt()}), isa::kLd0), (Cycles{5, 10, 15}));
  // A store holds its slot from its grant to its columns: arrival 11, columns 11..14.
  EXPECT_EQ(grants(run({st(0, 512), halt()}), isa::kSt0), (Cycles{5, 15}));
}

/// Single-column bursts, a wide window: grants are limited by the arbiter alone.
chip::ChipSpec arbiter_chip(int quantum) {
  chip::ChipSpec chip = small_chip();
  chip.dma.load_queues = 2;
  chip.dma.burst_bytes = 64;
  chip.dma.max_outstanding = 64;
  chip.dma.quantum = quantum;
  chip.dram.command_slots = 32;
  return chip;
}

// DMA-3: requests from 5 (LD0) and 6 (ST0); quantum 2: the holder keeps the grant once.
TEST_F(Dma, Dma3TheHolderKeepsTheGrantForItsQuantum) {
  chip_ = arbiter_chip(2);
  const auto r = run({ld(0, 384), st(4096, 384), halt()});
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 6, 9, 10, 13, 14}));
  EXPECT_EQ(grants(r, isa::kSt0), (Cycles{7, 8, 11, 12, 15, 16}));
}

// DMA-3: three queues in ring order LD0, LD1, ST0; requests from 5, 6, 7.
TEST_F(Dma, Dma3RingOrder) {
  chip_ = arbiter_chip(1);
  const auto r = run({ld(0, 192), ld1(0, 192), st(0, 192), halt()});
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 8, 11}));
  EXPECT_EQ(grants(r, kLd1), (Cycles{6, 9, 12}));
  EXPECT_EQ(grants(r, isa::kSt0), (Cycles{7, 10, 13}));
}

// DMA-3: the third burst of LD0 lies in the next stripe of 8,192 bytes: the store takes over, and keeps it.
TEST_F(Dma, Dma3ANewRowStripeEndsTheHold) {
  chip_ = arbiter_chip(16);
  const auto r = run({ld(8192 - 128, 256), st(0, 256), halt()});
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 6, 11, 12}));
  EXPECT_EQ(grants(r, isa::kSt0), (Cycles{7, 8, 9, 10}));
}

// DMA-3: a holder alone starts a new quantum with each stripe or when its quantum is used up: grants go on, and the
// count is that of the present hold. LD0 has 5 bursts alone (quantum 4: 1 2 3 4 1), then ST0 joins in 10: LD0 may
// keep the grant until its count is 4: 10, 11, 12, then ST0.
TEST_F(Dma, Dma3AnUncontestedHolderRestartsItsQuantum) {
  chip_ = arbiter_chip(4);
  const auto r = run({ld(0, 640), sync(0), sync(0), sync(0), sync(0), st(4096, 64), halt()});
  EXPECT_EQ(grants(r, isa::kSt0), (Cycles{13}));
  EXPECT_EQ(grants(r, isa::kLd0), (Cycles{5, 6, 7, 8, 9, 10, 11, 12, 14, 15}));
}

// DMA-6, DMA-7 (load markers): alone, end = max(1, -1) + 1. Behind a load that ends in 24: issue 6, end 25; the load
// behind it (grant 11, columns 12..15, data 26) begins in max(26, 25) + 1.
TEST_F(Dma, Dma6LoadMarkers) {
  auto r = run({ld(0, 0), halt()});
  EXPECT_EQ(times(r, isa::kLd0, 0), (Three{1, 1, 2}));
  EXPECT_EQ(r.counters.engines[isa::kLd0].busy_cycles, 1u);
  r = run({ld(0, 256), ld(0, 64, 0), ld(256, 256), halt()});
  EXPECT_EQ(times(r, isa::kLd0, 1), (Three{6, 6, 25}));
  EXPECT_EQ(burst(r, isa::kLd0, 1), (Three{11, 27, 30}));
}

// DMA-6: two markers behind a load: each takes a cycle of the element order, so done stays strictly increasing (EVT-2).
TEST_F(Dma, Evt2MarkersEndInDifferentCycles) {
  const auto r = run({ld(0, 256), ld(0, 0), ld(0, 0), dma(isa::Op::kLd, 0, 64, 1, 0, 0), halt()});
  EXPECT_EQ(times(r, isa::kLd0, 1), (Three{6, 6, 25}));
  EXPECT_EQ(times(r, isa::kLd0, 2), (Three{7, 7, 26}));
  EXPECT_EQ(times(r, isa::kLd0, 3), (Three{8, 8, 27}));
}

// DMA-6 (store markers): alone f = 2, end = f + Lv. Behind a store read in 6..9: f = 10, end 12, and the next store
// (issue 7, grant 11) reads from 12.
TEST_F(Dma, Dma6StoreMarkers) {
  auto r = run({st(0, 0), halt()});
  EXPECT_EQ(times(r, isa::kSt0, 0), (Three{1, 4, 4}));
  r = run({st(0, 256), st(0, 0), st(256, 256), halt()});
  EXPECT_EQ(times(r, isa::kSt0, 1), (Three{6, 12, 12}));
  EXPECT_EQ(burst(r, isa::kSt0, 1), (Three{11, 12, 15}));
}

// DMA-6: a marker needs a window entry: the load ends in 24, so 25; the next marker: this one ends in 26, so 27.
TEST_F(Dma, Dma6MarkersWaitForTheWindow) {
  chip_.dma.max_outstanding = 1;
  const auto r = run({ld(0, 256), ld(0, 0), ld(0, 0), halt()});
  EXPECT_EQ(times(r, isa::kLd0, 1), (Three{25, 25, 26}));
  EXPECT_EQ(times(r, isa::kLd0, 2), (Three{27, 27, 28}));
}

// Memory: arrivals of one cycle in the order LD0, LD1, ST0. The store granted in 5 arrives in 8 (one beat, 6, + Lv);
// the load granted in 7 arrives in 8 too and has the column of 8; the store's columns follow.
TEST_F(Dma, MemoryServesLoadsBeforeStoresOfTheSameCycle) {
  chip_ = arbiter_chip(16);
  const auto r = run({st(0, 64), sync(0), ld(64, 64), ld1(128, 64), halt()});
  EXPECT_EQ(burst(r, isa::kSt0, 0), (Three{5, 6, 6}));
  EXPECT_EQ(burst(r, isa::kLd0, 0), (Three{7, 20, 20}));  // column 8, data 19
  EXPECT_EQ(burst(r, kLd1, 0), (Three{8, 22, 22}));       // arrives in 9, the store has the column of 9: 10, data 21
}

// SEM-3: source_free of a load is its last grant, of a store the arrival of its last burst.
TEST_F(Dma, PostsOfTransfers) {
  auto r = run({ld(0, 512).post(0, kAtSourceFree), vx(0).wait(0), halt()});
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{7}));
  r = run({ld(0, 512).post(0, kAtDone), vx(0).wait(0), halt()});
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{29}));
  r = run({st(0, 512).post(0, kAtSourceFree), vx(0).wait(0), halt()});
  EXPECT_EQ(issues(r, isa::kVx0), (Cycles{16}));  // reads 6..9, 10..13, arrival 15
}

}  // namespace
}  // namespace lockstep::timing::test
