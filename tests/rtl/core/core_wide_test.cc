// The core with 8 x 16 PEs, 8 lanes (two chunks per accumulator row), eight VX rows per cycle (I = 1), two load queues, beats
// of 128 bytes in granules of 32, bursts of 256, Lv = 1, La = 3. Figures by hand from docs/timing.md; memory latency 20.
#include <gtest/gtest.h>

#include <random>

#include "hw/isa/fault.h"

#include "tests/rtl/core/core_bench.h"
#include "tests/rtl/core/core_words.h"

namespace lockstep::rtl_test {
namespace {

using isa::DmaShape;
using isa::Instr;

Instr on_unit(Instr word, uint8_t unit) {
  word.unit = unit;
  return word;
}

class CoreWide : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937 rng(3);
    for (uint8_t& byte : bench.memory) byte = static_cast<uint8_t>(rng());
  }
  CoreBench bench;
};

TEST_F(CoreWide, three_queues_take_turns_in_ring_order_DMA_3) {
  bench.limits.quantum = 1;
  const RunLog log = bench.run({st(8192, 0, 512), ld(0, 4096, 512), on_unit(ld(4096, 8192, 512), 1), halt()});
  // Requests from 5, 6 and 7 on: ST0 alone, then LD0 (behind ST0 in the ring), LD1, ST0, LD0, LD1.
  std::vector<std::pair<int64_t, int>> grants;
  for (const Grant& grant : log.grants) grants.emplace_back(grant.cycle, grant.engine);
  EXPECT_EQ(grants, (std::vector<std::pair<int64_t, int>>{{5, 2}, {6, 0}, {7, 1}, {8, 2}, {9, 0}, {10, 1}}));
  // Both load queues return beats at once: v 27 and 28, bursts of two beats.
  EXPECT_EQ(log.events.bursts[isa::kLd0].at(0), (target::BurstEvent{isa::kLd0, 0, 6, 28, 29}));
  EXPECT_EQ(log.events.bursts[isa::kLd0 + 1].at(0), (target::BurstEvent{isa::kLd0 + 1, 0, 7, 29, 30}));
  EXPECT_EQ(log.events.bursts[isa::kLd0].at(1), (target::BurstEvent{isa::kLd0, 1, 9, 31, 32}));
  EXPECT_EQ(log.events.bursts[isa::kSt0].at(1), (target::BurstEvent{isa::kSt0, 1, 8, 9, 10}));
}

// R/b = 4 and C/b = 8 block steps, Lv = 1, La = 3.
TEST_F(CoreWide, weight_load_and_matmul_MXU_5) {
  Instr weights = wld(0, 8, 16);
  std::get<isa::WldBody>(weights.body).row_stride_bytes = 16;
  const RunLog log = bench.run({weights, mm(1024, 0, 2, true, true, 8, 16), halt()});
  const target::InstrEvent& load = log.events.instrs[isa::kWld0].at(0);
  EXPECT_EQ(load.source_free, 1 + 4 - 1 + 1);
  EXPECT_EQ(load.done, 1 + 1 + 4 + 8 - 2);
  const target::InstrEvent& matmul = log.events.instrs[isa::kMm0].at(0);
  EXPECT_EQ(matmul.issue, 2);
  EXPECT_EQ(matmul.source_free, 2 + 2 - 1 + 1);
  EXPECT_EQ(matmul.done, 2 + 1 + 2 - 1 + 4 + 8 - 2 + 3);
  EXPECT_EQ(log.busy_cycles[isa::kMm0], 3u);  // max(M, La)
}

/// The bytes of one side in order, as addresses of granules (DMA-1).
std::vector<int64_t> granules(int64_t base, const DmaShape& shape, uint32_t reps) {
  std::vector<int64_t> out;
  for (uint32_t o = 0; o < reps; ++o) {
    for (uint32_t j = 0; j < shape.n1; ++j) {
      for (uint32_t at = 0; at < shape.run_bytes; at += 32) {
        out.push_back(base + o * shape.stride2_bytes + j * shape.stride1_bytes + at);
      }
    }
  }
  return out;
}

/// `per_rep` granules as some number of runs, with gaps; spans at most 4 * per_rep granules a repetition.
DmaShape random_shape(std::mt19937& rng, uint32_t per_rep) {
  uint32_t runs = 1 + static_cast<uint32_t>(rng() % per_rep);
  while (per_rep % runs != 0) --runs;
  const uint32_t run = per_rep / runs;
  const auto gap = static_cast<uint32_t>(rng() % 3);
  const int64_t stride1 = 32 * int64_t{run + gap};
  return {32 * run, runs, stride1, stride1 * runs + 32 * static_cast<int64_t>(rng() % 3)};
}

TEST_F(CoreWide, transfers_of_any_shape_keep_the_byte_sequence_DMA_1) {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 rng(seed);
    const auto reps = static_cast<uint32_t>(1 + rng() % 4);
    const auto per_rep = static_cast<uint32_t>(1 + rng() % 24);
    const auto max_latency = static_cast<uint32_t>(1 + rng() % 40);
    bench.behaviour.latency = [&rng, max_latency](uint64_t) { return static_cast<int64_t>(rng() % max_latency); };
    bench.behaviour.slot_free = [&rng](int64_t) { return rng() % 3 != 0; };
    bench.limits.max_outstanding = static_cast<int>(1 + rng() % 6);
    Instr load = ld(32 * static_cast<int64_t>(rng() % 64), 32 * static_cast<int64_t>(rng() % 8), 0);
    Instr store = st(32768 + 32 * static_cast<int64_t>(rng() % 64), 0, 0);
    auto& in = std::get<isa::DmaBody>(load.body);
    auto& out = std::get<isa::DmaBody>(store.body);
    in.hbm_shape = random_shape(rng, per_rep);
    in.vmem_shape = random_shape(rng, per_rep);
    out.hbm_shape = random_shape(rng, per_rep);
    out.vmem_shape = in.vmem_shape;
    out.vmem.imm = in.vmem.imm;
    in.reps.imm = out.reps.imm = reps;
    load.unit = static_cast<uint8_t>(rng() % 2);

    std::vector<uint8_t> expected = bench.memory;
    const auto from = granules(in.hbm.imm, in.hbm_shape, reps);
    const auto to = granules(out.hbm.imm, out.hbm_shape, reps);
    ASSERT_EQ(from.size(), to.size());
    for (size_t i = 0; i < from.size(); ++i) {
      std::copy_n(bench.memory.begin() + from[i], 32, expected.begin() + to[i]);
    }
    const RunLog log = bench.run({post(load, 0, kDone), wait(store, 0), halt()});
    EXPECT_EQ(log.fault_code, 0) << log.fault_code;
    EXPECT_GT(log.cycles, 0);
    ASSERT_TRUE(bench.memory == expected);
  }
}

// Columns of one MM result are drained by a copy of three chunks in a row: chunks 0 and 1 from accumulator rows 0 .. 8, chunk 2
// from rows 16 .. 24 (VX-4), the last with only 4 valid columns.
TEST_F(CoreWide, chunks_and_masks_of_the_copy_kernel_VX_3_VX_4) {
  constexpr int kRows = 9;
  Instr weights = wld(0, 8, 16);
  std::get<isa::WldBody>(weights.body).row_stride_bytes = 16;
  Instr copy = vx(0, 4096, kRows, 3, 20);
  std::get<isa::VxBody>(copy.body).slots[0].chunk_stride = 16;
  for (const int load_latency : {1, 2, 3, 7}) {
    bench.limits.vx_load_latency = load_latency;
    bench.limits.fill = 0xA5;
    const std::vector<uint8_t> before = bench.memory;
    const RunLog log = bench.run({ld(0, 0, 128), ld(1024, 1024, 256), sync(1), weights, mm(1024, 0, kRows, true, true, 8, 16),
                                  mm(1024 + 128, 16, kRows, true, false, 8, 16), sync(1u << isa::kMm0), copy,
                                  sync(1u << isa::kVx0), st(32768, 4096, 32 * 3 * kRows), halt()});
    ASSERT_EQ(log.fault_code, 0);
    const target::InstrEvent& event = log.events.instrs[isa::kVx0].at(0);
    const int64_t len = load_latency + 1;  // ll + ls with I = 1
    EXPECT_EQ(event.source_free, event.issue + 4 + 5 * len + load_latency);
    EXPECT_EQ(event.done, event.issue + 4 + 6 * len);
    for (int row = 0; row < kRows; ++row) {
      for (int col = 0; col < 24; ++col) {
        int32_t expected = static_cast<int32_t>(0xA5A5A5A5);
        if (col < 20) {
          expected = 0;
          const int64_t activations = 1024 + (col < 16 ? 0 : 128) + row * 8;
          for (int k = 0; k < 8; ++k) {
            expected += int32_t{static_cast<int8_t>(before[static_cast<size_t>(activations + k)])} *
                        int32_t{static_cast<int8_t>(before[static_cast<size_t>(k * 16 + col % 16)])};
          }
        }
        uint32_t actual = 0;
        for (size_t i = 0; i < 4; ++i) actual |= uint32_t{bench.memory[32768 + static_cast<size_t>(row * 96 + col * 4) + i]} << 8 * i;
        ASSERT_EQ(static_cast<int32_t>(actual), expected) << "row " << row << " column " << col << " ll " << load_latency;
      }
    }
  }
}

TEST_F(CoreWide, ranges_of_memories_that_are_no_powers_of_two) {
  EXPECT_EQ(bench.run({ld(0, 20480 - 32, 32), halt()}).fault_code, 0);
  EXPECT_EQ(bench.run({ld(0, 20480, 32), halt()}).fault_code, static_cast<int>(isa::FaultCode::kVmemRange));
  EXPECT_EQ(bench.run({vx(47, 0, 1), halt()}).fault_code, 0);
  EXPECT_EQ(bench.run({vx(48, 0, 1), halt()}).fault_code, static_cast<int>(isa::FaultCode::kAccRange));
  EXPECT_EQ(bench.run({on_unit(ld(0, 0, 32), 2), halt()}).fault_code, static_cast<int>(isa::FaultCode::kUnit));
}

}  // namespace
}  // namespace lockstep::rtl_test
