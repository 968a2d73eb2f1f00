#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/base/rng.h"
#include "tests/property/chip_gen.h"
#include "tests/property/program_gen.h"
#include "tests/property/race_check.h"
#include "tests/property/word_builder.h"

namespace lockstep::testgen {
namespace {

using isa::PostWhen;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

chip::ChipSpec chip_of_test() { return small_chip(8, 8, 2); }

std::vector<std::string> races(void (*build)(WordBuilder&)) {
  WordBuilder b(chip_of_test(), 8192);
  build(b);
  b.halt();
  return find_races(b.program(), chip_of_test(), 1);
}

TEST(RaceCheck, AReadMustWaitForDone) {
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64).posts[0] = {1, 1, PostWhen::kDone};
    b.st(4096, 0, 64).waits[0] = {1, 1};
  }), IsEmpty());
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64).posts[0] = {1, 1, PostWhen::kSourceFree};
    b.st(4096, 0, 64).waits[0] = {1, 1};
  }), ElementsAre(HasSubstr("VMEM 0 not ordered behind write 1 of LD0")));
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64);
    b.st(4096, 32, 64);
  }), ElementsAre(HasSubstr("VMEM 32")));
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64);
    b.st(4096, 64, 64);
  }), IsEmpty());
}

TEST(RaceCheck, AnOverwriteMustWaitForSourceFree) {
  EXPECT_THAT(races([](WordBuilder& b) {
    b.st(4096, 0, 64).posts[0] = {1, 1, PostWhen::kSourceFree};
    b.ld(0, 0, 64).waits[0] = {1, 1};
  }), IsEmpty());
  EXPECT_THAT(races([](WordBuilder& b) {
    b.st(4096, 0, 64);
    b.ld(0, 0, 64);
  }), ElementsAre(HasSubstr("written, not ordered behind read 1 of ST0")));
}

TEST(RaceCheck, OrdersChainOverEnginesAndSync) {
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64);
    b.ld(0, 512, 0).posts[0] = {1, 1, PostWhen::kDone};  // relay: done behind the LD before it
    b.st(4096, 0, 64).waits[0] = {1, 1};
  }), IsEmpty());
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64);
    b.sync(1u << isa::kLd0);
    b.st(4096, 0, 64);
  }), IsEmpty());
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64);
    b.sync(1u << isa::kSt0);
    b.st(4096, 0, 64);
  }), testing::SizeIs(1));
}

TEST(RaceCheck, TokensAreConsumedInOrderOfPosting) {
  // The second LD's data, but the token the ST takes is the first one's.
  EXPECT_THAT(races([](WordBuilder& b) {
    b.ld(0, 0, 64).posts[0] = {1, 1, PostWhen::kDone};
    b.ld(0, 512, 64).posts[0] = {1, 1, PostWhen::kDone};
    b.st(4096, 512, 64).waits[0] = {1, 1};
    b.st(4096, 0, 64).waits[0] = {1, 1};
  }), testing::SizeIs(1));
}

TEST(RaceCheck, CountersThatSomeTimingOverflowsAreFound) {
  EXPECT_THAT(races([](WordBuilder& b) {
    const size_t loop = b.loop(260);
    b.ld(0, 0, 32).posts[0] = {1, 1, PostWhen::kDone};
    b.ld(0, 64, 32, 0).waits[0] = {1, 1};
    b.end_loop(loop);
  }), IsEmpty()) << "the consumer is the same engine";
  EXPECT_THAT(races([](WordBuilder& b) {
    const size_t loop = b.loop(260);
    b.ld(0, 0, 32).posts[0] = {1, 1, PostWhen::kDone};
    b.st(4096, 64, 32).waits[0] = {1, 1};
    b.end_loop(loop);
  }), ElementsAre(HasSubstr("can reach 256")));
}

/// Removes one wait or post pair's protection: a wait that guarded something must be missed by the check.
TEST(RaceCheck, DroppedWaitsOfGeneratedProgramsAreMostlyRaces) {
  int dropped = 0, found = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const chip::ChipSpec chip = random_chip(seed % 5 + 1);
    isa::Program program = random_program(seed, chip);
    Rng random(seed);
    std::vector<isa::Wait*> waits;
    for (isa::Instr& instr : program.code) {
      for (isa::Wait& wait : instr.waits) {
        if (wait.count > 0) waits.push_back(&wait);
      }
    }
    if (waits.empty()) continue;
    *waits[random.below(waits.size())] = {};
    ++dropped;
    found += find_races(program, chip, 1).empty() ? 0 : 1;
  }
  // Not all: first waits on free slots, words of loops without trips, and tokens doubled by a SYNC guard nothing.
  EXPECT_GT(found * 2, dropped) << found << " of " << dropped;
}

}  // namespace
}  // namespace lockstep::testgen
