// Whole programs: a double-buffered GEMM computes the right numbers whatever the memory does, and a reset in the middle of
// a run leaves nothing behind.
#include <gtest/gtest.h>

#include <random>

#include "tests/rtl/core/core_bench.h"
#include "tests/rtl/core/core_words.h"

namespace lockstep::rtl_test {
namespace {

using isa::Instr;

// C[24][16] = A[24][16] * B[16][16], int8 to int32. HBM: A as two column blocks of 24 x 8, B as four 8 x 8 tiles
// (n outer, k inner), C as two column blocks of 24 x 8 words. VMEM: A, two B slots, one C block.
constexpr int kRows = 24;
constexpr int64_t kHbmA = 0, kHbmB = 4096, kHbmC = 8192;
constexpr int64_t kVmemA = 0, kVmemB = 1024, kVmemC = 4096;
constexpr int kBlockA = kRows * 8, kTileB = 64, kBlockC = kRows * 32;

// Semaphores: free B slots; B tiles loaded; accumulators free; tile finished; C buffer free; C written.
enum Sem { kSlot, kLoaded, kAccFree, kAccFull, kOutFree, kOutFull };

isa::Program gemm() {
  Instr load = post(wait(ld(kHbmB, kVmemB, kTileB), kSlot), kLoaded, kDone);
  auto& load_body = std::get<isa::DmaBody>(load.body);
  load_body.hbm.loops = {{{0, 2 * kTileB}}};
  load_body.vmem.ring = {0, kTileB};
  load.step = 1u << 0;
  Instr load_k1 = load;
  std::get<isa::DmaBody>(load_k1.body).hbm.imm += kTileB;

  Instr weights = post(wait(wld(kVmemB), kLoaded), kSlot, kSourceFree);
  std::get<isa::WldBody>(weights.body).vmem.ring = {1, kTileB};
  weights.step = 1u << 1;

  const Instr mm_k0 = wait(mm(kVmemA, 0, kRows), kAccFree);
  const Instr mm_k1 = post(mm(kVmemA + kBlockA, 0, kRows, false), kAccFull, kDone);
  const Instr copy = post(post(wait(wait(vx(0, kVmemC, kRows), kAccFull), kOutFree), kAccFree, kSourceFree), kOutFull, kDone);
  Instr store = post(wait(st(kHbmC, kVmemC, kBlockC), kOutFull), kOutFree, kSourceFree);
  std::get<isa::DmaBody>(store.body).hbm.loops = {{{0, kBlockC}}};

  isa::Program program = program_of({ld(kHbmA, kVmemA, 2 * kBlockA), sync(1u << isa::kLd0), loop(0, 2, 10), load, load_k1, weights,
                                mm_k0, weights, mm_k1, copy, store, endloop(0), halt()});
  std::get<isa::LoopBody>(program.code[2].body).end_pc = 11;
  program.rings[0] = {2, 0};
  program.rings[1] = {2, 0};
  program.semaphores[kSlot] = 2;
  program.semaphores[kAccFree] = 1;
  program.semaphores[kOutFree] = 1;
  return program;
}

class CoreProgram : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937 rng(7);
    for (uint8_t& byte : bench.memory) byte = static_cast<uint8_t>(rng());
    input = bench.memory;
    expected = input;
    const auto at = [&](int64_t address) { return int32_t{static_cast<int8_t>(input[static_cast<size_t>(address)])}; };
    for (int n = 0; n < 16; ++n) {
      for (int m = 0; m < kRows; ++m) {
        int32_t sum = 0;
        for (int k = 0; k < 16; ++k) {
          const int64_t a = kHbmA + k / 8 * kBlockA + m * 8 + k % 8;
          const int64_t b = kHbmB + (n / 8 * 2 + k / 8) * kTileB + k % 8 * 8 + n % 8;
          sum += at(a) * at(b);
        }
        const auto c = static_cast<size_t>(kHbmC + n / 8 * kBlockC + m * 32 + n % 8 * 4);
        for (size_t i = 0; i < 4; ++i) expected[c + i] = static_cast<uint8_t>(static_cast<uint32_t>(sum) >> 8 * i);
      }
    }
  }

  RunLog run_gemm() {
    bench.memory = input;
    return bench.run(gemm());
  }

  CoreBench bench;
  std::vector<uint8_t> input, expected;
};

TEST_F(CoreProgram, a_double_buffered_gemm_is_right) {
  const RunLog log = run_gemm();
  EXPECT_EQ(log.fault_code, 0);
  EXPECT_GT(log.cycles, 0);
  EXPECT_TRUE(bench.memory == expected);
  EXPECT_EQ(log.macs, 2u * 2u * kRows * 64u);
}

TEST_F(CoreProgram, memory_latency_slots_and_queue_depths_never_change_the_result) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 rng(seed);
    bench.limits.depth = std::array{1, 2, 8, 16}[rng() % 4];
    bench.limits.max_outstanding = static_cast<int>(1 + rng() % 5);
    bench.limits.quantum = static_cast<int>(1 + rng() % 4);
    bench.limits.setup_cycles = static_cast<int>(1 + rng() % 6);
    bench.limits.vx_start = static_cast<int>(1 + rng() % 6);
    bench.limits.vx_load_latency = static_cast<int>(1 + rng() % 12);
    bench.limits.fill = static_cast<uint8_t>(rng());
    const auto max_latency = 1 + rng() % 60;
    const auto busy_eighths = rng() % 8;
    bench.behaviour.latency = [&rng, max_latency](uint64_t) { return static_cast<int64_t>(rng() % max_latency); };
    bench.behaviour.slot_free = [&rng, busy_eighths](int64_t) { return rng() % 8 >= busy_eighths; };
    const RunLog log = run_gemm();
    EXPECT_EQ(log.fault_code, 0);
    EXPECT_GT(log.cycles, 0);
    EXPECT_TRUE(bench.memory == expected);
  }
}

TEST_F(CoreProgram, a_reset_in_mid_run_leaves_nothing_behind) {
  const RunLog fresh = run_gemm();
  std::mt19937 rng(11);
  for (int trial = 0; trial < 40; ++trial) {
    const auto cut = static_cast<int64_t>(rng() % static_cast<uint32_t>(fresh.cycles));
    SCOPED_TRACE(testing::Message() << "cut after " << cut << " cycles");
    bench.memory = input;
    bench.run_partly(gemm(), cut);
    const RunLog again = run_gemm();
    EXPECT_EQ(again.cycles, fresh.cycles);
    EXPECT_TRUE(again.events == fresh.events);
    EXPECT_TRUE(bench.memory == expected);
  }
}

TEST_F(CoreProgram, addresses_follow_loop_indices_and_rings_SEQ_1) {
  Instr load = ld(0, 0, 32);
  auto& body = std::get<isa::DmaBody>(load.body);
  body.hbm.base = 5;
  body.hbm.loops[2] = {3, 32};
  body.vmem.ring = {2, 32};
  load.step = 1u << 2;
  isa::Program program = program_of({loop(3, 4, 2), load, endloop(3), sync(1u << isa::kLd0), st(8192, 0, 96), halt()});
  program.base_registers[5] = 2048;
  program.rings[2] = {3, 1};
  for (size_t i = 0; i < 128; ++i) bench.memory[2048 + i] = static_cast<uint8_t>(i / 32 + 1);
  const RunLog log = bench.run(program);
  EXPECT_EQ(log.grants.at(3).address, 2048 + 96);
  // Ring values 1, 2, 0, 1: transfer 3 ends where transfer 0 began.
  EXPECT_EQ(bench.memory[8192], 3);
  EXPECT_EQ(bench.memory[8192 + 32], 4);
  EXPECT_EQ(bench.memory[8192 + 64], 2);
}

TEST_F(CoreProgram, engines_stop_behind_a_fault) {
  isa::Program program = gemm();
  program.code[8] = ld(kHbmA, kVmemA, 33);  // off the granule, in the middle of the loop
  bench.memory = input;
  const RunLog log = bench.run(program);
  EXPECT_NE(log.fault_code, 0);
  EXPECT_EQ(log.cycles, -1);
  EXPECT_TRUE(run_gemm().events == [&] { return run_gemm().events; }());
  EXPECT_TRUE(bench.memory == expected);
}

}  // namespace
}  // namespace lockstep::rtl_test
