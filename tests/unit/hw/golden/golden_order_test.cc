// Program order: loops (SEQ-3), rings (SEQ-1), tokens (SEM-1, SEM-2, SEM-4), refusals, watchdog.
#include <gmock/gmock.h>

#include "tests/unit/hw/golden/golden_run.h"

namespace lockstep::golden {
namespace {

using isa::PostWhen;
using testgen::WordBuilder;

constexpr int64_t kHbmBytes = 16384;

chip::ChipSpec chip_of_test() { return testgen::small_chip(8, 8, 2); }

/// Stores granules of VMEM one by one and reads back in which order they arrived: VMEM granule g holds byte g.
class GoldenOrder : public testing::Test {
 protected:
  GoldenOrder() : chip_(chip_of_test()), b_(chip_, kHbmBytes), image_(kHbmBytes, 0) {
    for (size_t a = 0; a < 8192; ++a) image_[a] = static_cast<uint8_t>(a / 32);
    b_.ld(0, 0, 8192);
  }
  /// Appends a store of one granule whose target moves on with every store, by ring 15 and loop-free counting.
  isa::DmaBody& mark(int64_t granule) {
    isa::Instr& st = b_.st(8192 + 32 * marks_++, granule * 32, 32);
    return WordBuilder::dma_body(st);
  }
  std::vector<int> stored(int64_t count) {
    b_.halt();
    outcome_ = run_image(chip_, b_.program(), image_);
    std::vector<int> granules;
    for (int64_t k = 0; k < count; ++k) granules.push_back(outcome_.image[static_cast<size_t>(8192 + 32 * k)]);
    return granules;
  }

  chip::ChipSpec chip_;
  WordBuilder b_;
  target::MemoryImage image_;
  int64_t marks_ = 0;
  Outcome outcome_;
};

TEST_F(GoldenOrder, LoopIndicesFormBothAddresses) {
  const size_t outer = b_.loop(2);
  const size_t inner = b_.loop(3);
  isa::DmaBody& d = mark(1);
  d.hbm.loops[0] = {0, 96};
  d.hbm.loops[1] = {1, 32};
  d.vmem.loops[0] = {0, 320};
  d.vmem.loops[2] = {1, 32};
  b_.end_loop(inner);
  b_.end_loop(outer);
  EXPECT_THAT(stored(6), testing::ElementsAre(1, 2, 3, 11, 12, 13));
  EXPECT_EQ(outcome_.fault, "");
  // LD, LOOP, 2 x (LOOP, 3 x (ST, ENDLOOP), ENDLOOP), HALT
  EXPECT_EQ(outcome_.counters.words, 1u + 1 + 2 * (1 + 3 * 2 + 1) + 1);
}

TEST_F(GoldenOrder, TripZeroSkipsTheBody) {
  mark(5);
  const size_t loop = b_.loop(0);
  b_.st(0, 1 << 26, 32);  // would fault
  b_.end_loop(loop);
  mark(6);
  EXPECT_THAT(stored(2), testing::ElementsAre(5, 6));
  EXPECT_EQ(outcome_.fault, "");
  EXPECT_EQ(outcome_.counters.words, 5u) << "LD, ST, LOOP, ST, HALT";
}

TEST_F(GoldenOrder, BaseRegistersAndNegativeStrides) {
  b_.program().base_registers[3] = 8192 + 64;
  const size_t loop = b_.loop(3);
  isa::DmaBody& d = mark(9);
  d.hbm.base = 3;
  d.hbm.imm = 0;
  d.hbm.loops[3] = {0, -32};
  d.vmem.loops[0] = {0, -64};
  b_.end_loop(loop);
  EXPECT_THAT(stored(3), testing::ElementsAre(5, 7, 9));
}

TEST_F(GoldenOrder, RingsAdvanceAfterTheWordsOwnAddresses) {
  b_.program().rings[2] = {3, 1};
  const size_t loop = b_.loop(4);
  isa::DmaBody& d = mark(10);
  d.hbm.loops[0] = {0, 32};
  d.vmem.ring = {2, 32};
  b_.program().code.back().step = 1u << 2;
  b_.end_loop(loop);
  EXPECT_THAT(stored(4), testing::ElementsAre(11, 12, 10, 11));
}

TEST_F(GoldenOrder, RingsPersistWhenALoopIsReentered) {
  b_.program().rings[0] = {2, 0};
  const size_t outer = b_.loop(2);
  const size_t inner = b_.loop(3);
  isa::DmaBody& d = mark(20);
  d.hbm.loops[0] = {0, 96};
  d.hbm.loops[1] = {1, 32};
  d.vmem.ring = {0, 32};
  b_.program().code.back().step = 1;
  b_.end_loop(inner);
  b_.end_loop(outer);
  EXPECT_THAT(stored(6), testing::ElementsAre(20, 21, 20, 21, 20, 21));
}

// ---- tokens

std::string token_fault(void (*build)(WordBuilder&)) {
  WordBuilder b(chip_of_test(), kHbmBytes);
  build(b);
  return run_words(chip_of_test(), b).fault;
}

TEST(GoldenTokens, CoveredWaitsPass) {
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.ld(0, 0, 32).posts[0] = {7, 2, PostWhen::kDone};
    b.st(0, 0, 32).waits[1] = {7, 1};
    b.st(0, 0, 32).waits[0] = {7, 1};
  }), "");
}

TEST(GoldenTokens, UncoveredWaitFaults) {
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.st(0, 0, 32).waits[0] = {7, 1};
    b.ld(0, 0, 32).posts[0] = {7, 1, PostWhen::kDone};
  }), "F-SEM-UNDERRUN");
}

TEST(GoldenTokens, StartCountsCoverWaits) {
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.program().semaphores[7] = 1;
    b.st(0, 0, 32).waits[0] = {7, 1};
    b.ld(0, 0, 32).posts[0] = {7, 1, PostWhen::kDone};
  }), "");
}

TEST(GoldenTokens, CountsMustReturnToTheirStart) {
  EXPECT_EQ(token_fault([](WordBuilder& b) { b.ld(0, 0, 32).posts[0] = {7, 1, PostWhen::kDone}; }), "F-SEM-BALANCE");
}

TEST(GoldenTokens, CountsAbove255Fault) {
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.program().semaphores[7] = 200;
    b.ld(0, 0, 32).posts[0] = {7, 55, PostWhen::kDone};
    b.st(0, 0, 32).waits[0] = {7, 55};
  }), "");
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.program().semaphores[7] = 200;
    b.ld(0, 0, 32).posts[0] = {7, 56, PostWhen::kDone};
    b.st(0, 0, 32).waits[0] = {7, 56};
  }), "F-SEM-OVERFLOW");
}

TEST(GoldenTokens, OneProducerOneConsumerOneMoment) {
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.ld(0, 0, 32).posts[0] = {7, 1, PostWhen::kDone};
    b.st(0, 0, 32).posts[0] = {7, 1, PostWhen::kDone};
  }), "F-SEM-OWNER");
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.ld(0, 0, 32).posts[0] = {7, 1, PostWhen::kDone};
    b.ld(0, 0, 32).posts[0] = {7, 1, PostWhen::kSourceFree};
  }), "F-SEM-OWNER");
  EXPECT_EQ(token_fault([](WordBuilder& b) {
    b.ld(0, 0, 32).posts[0] = {7, 2, PostWhen::kDone};
    b.st(0, 0, 32).waits[0] = {7, 1};
    b.ld(0, 0, 32).waits[0] = {7, 1};
  }), "F-SEM-OWNER");
}

// ---- sequencer faults, refusals, watchdog

std::string fault_of(void (*build)(WordBuilder&), const target::RunOptions& options = {}) {
  WordBuilder b(chip_of_test(), kHbmBytes);
  build(b);
  return run_image(chip_of_test(), b.program(), ramp_image(b.program().hbm_bytes), options).fault;
}

TEST(GoldenFaults, RunningPastTheLastWord) {
  EXPECT_EQ(fault_of([](WordBuilder& b) { b.ld(0, 0, 32); }), "F-PC-RANGE");
  EXPECT_EQ(fault_of([](WordBuilder&) {}), "F-PC-RANGE");
}

TEST(GoldenFaults, BrokenLoops) {
  EXPECT_EQ(fault_of([](WordBuilder& b) { b.loop(2); b.halt(); }), "F-LOOP");
  EXPECT_EQ(fault_of([](WordBuilder& b) {
    const size_t outer = b.loop(2);
    const size_t inner = b.loop(2);
    b.end_loop(inner);
    b.end_loop(outer);
    std::get<isa::LoopBody>(b.program().code[inner].body).level = 0;
    std::get<isa::EndloopBody>(b.program().code[inner + 1].body).level = 0;
    b.halt();
  }), "F-LOOP");
  EXPECT_EQ(fault_of([](WordBuilder& b) {
    const size_t loop = b.loop(2);
    b.end_loop(loop);
    b.halt();
    b.program().code.erase(b.program().code.begin());
  }), "F-LOOP");
  EXPECT_EQ(fault_of([](WordBuilder& b) {
    WordBuilder::dma_body(b.ld(0, 0, 32)).vmem.loops[0] = {2, 32};  // level 2 is not in use
    b.halt();
  }), "F-LOOP");
}

TEST(GoldenFaults, AddressesThatOverflowSixtyFourBits) {
  EXPECT_EQ(fault_of([](WordBuilder& b) {
    b.program().base_registers[0] = INT64_MAX;
    b.ld(INT64_MAX, 0, 32);
    b.halt();
  }), "F-HBM-RANGE");
  EXPECT_EQ(fault_of([](WordBuilder& b) {
    WordBuilder::dma_body(b.ld(0, 0, 32)).vmem.imm = INT64_MIN;
    b.halt();
  }), "F-VMEM-RANGE");
}

TEST(GoldenFaults, WatchdogStopsWhatCannotEndInTime) {
  const auto long_loop = [](WordBuilder& b) {
    const size_t loop = b.loop(1000);
    b.sync(0);
    b.end_loop(loop);
    b.halt();
  };
  EXPECT_EQ(fault_of(long_loop, {.max_cycles = 2002}), "") << "1 + 2000 + 1 words";
  EXPECT_EQ(fault_of(long_loop, {.max_cycles = 2001}), "F-WATCHDOG");
  EXPECT_EQ(fault_of([](WordBuilder& b) {
    isa::DmaBody& d = WordBuilder::dma_body(b.ld(0, 0, 32));
    d.hbm_shape = d.vmem_shape = {32, 0xFFFFFF, 0, 0};
    d.reps.imm = 0xFFFFFF;
    b.halt();
  }, {.max_cycles = 1'000'000}), "F-WATCHDOG");
}

TEST(GoldenRefusals, WrongChipImageAndUnbuiltWords) {
  EXPECT_EQ(fault_of([](WordBuilder& b) { b.halt(); ++b.program().chip_hash; }), "refused E0503");
  EXPECT_EQ(fault_of([](WordBuilder& b) { b.wld(0, 32).op = isa::Op::kWldT; b.halt(); }), "refused E0502");
  EXPECT_EQ(fault_of([](WordBuilder& b) { WordBuilder::dma_body(b.ld(0, 0, 32)).fill = true; b.halt(); }), "refused E0502");
  EXPECT_EQ(fault_of([](WordBuilder& b) { WordBuilder::dma_body(b.ld(0, 0, 32)).hbm.table.scale_granules = 1; b.halt(); }),
            "refused E0502");
  EXPECT_EQ(fault_of([](WordBuilder& b) { WordBuilder::mm_body(b.mm(0, 8, 0, 4, true, true)).k_valid = 9; b.halt(); }),
            "refused E0501");
  EXPECT_EQ(fault_of([](WordBuilder& b) { b.ld(0, 0, 32).op = isa::Op::kMm; b.halt(); }), "refused E0501");
  WordBuilder b(chip_of_test(), 64);
  b.halt();
  EXPECT_EQ(run_image(chip_of_test(), b.program(), ramp_image(63)).fault, "refused E0504");
}

}  // namespace
}  // namespace lockstep::golden
