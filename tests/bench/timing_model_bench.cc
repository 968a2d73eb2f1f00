// Speed of the exact timing model: nanoseconds per event (an issued instruction or a granted burst) and simulated
// core cycles per second, on GEMM-shaped loop nests; and the GEMMs of a Llama-3.1-8B block walked and with jumps.
#include <benchmark/benchmark.h>

#include "compiler/frontend/huggingface.h"
#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_file.h"
#include "hw/timing/timing_target.h"
#include "tests/unit/hw/timing/test_program.h"

namespace lockstep::timing {
namespace {

using test::kAtDone;
using test::kAtSourceFree;

chip::ChipSpec tpu_like_chip() {
  chip::ChipSpec chip = test::small_chip();
  chip.name = "bench128";
  chip.clock_MHz = 1050;
  chip.mxu.rows = chip.mxu.cols = 128;
  chip.mxu.weight_load_rows = 8;
  chip.vpu.lanes = 128;
  chip.vpu.rows_per_cycle = 8;
  chip.dma.load_queues = 2;
  chip.dma.burst_bytes = 1024;
  chip.dma.beat_bytes = 1024;
  chip.dma.max_outstanding = 64;
  chip.dram.bandwidth_GBps = 614;
  chip.dram.latency_ns = 100;
  return chip;
}

chip::ChipSpec edge_like_chip() {
  chip::ChipSpec chip = test::small_chip();
  chip.name = "bench16";
  chip.clock_MHz = 800;
  chip.mxu.rows = chip.mxu.cols = 16;
  chip.mxu.weight_load_rows = 4;
  chip.vpu.lanes = 16;
  chip.dma.beat_bytes = 16;
  chip.dma.max_outstanding = 64;
  chip.dram.bandwidth_GBps = 12.8;
  chip.dram.latency_ns = 60;
  return chip;
}

isa::Instr strided(test::WordBuilder word, std::initializer_list<isa::LoopTerm> terms) {
  auto& body = std::get<isa::DmaBody>(word.instr.body);
  std::copy(terms.begin(), terms.end(), body.hbm.loops.begin());
  return std::move(word.instr);
}

/// `tiles` output tiles of `m` rows, each over `depth` weight tiles: activations and weights double buffered, the
/// result drained by VX and ST while the next tile runs.
isa::Program gemm(const chip::ChipSpec& chip, uint32_t tiles, uint32_t depth, uint32_t m) {
  const auto r = static_cast<uint32_t>(chip.mxu.rows);
  const auto c = static_cast<uint32_t>(chip.mxu.cols);
  const bool two_queues = chip.dma.load_queues == 2;
  enum : uint8_t { kWeightFree, kWeightHere, kActFree, kActHere, kResult, kResultFree };
  const auto weights = two_queues ? test::ld1 : test::ld;
  std::vector<isa::Instr> code;
  code.push_back(test::loop(0, tiles, 9));
  code.push_back(test::loop(1, depth, 6));
  code.push_back(strided(weights(0, r * c, 1, 0).wait(kWeightFree).post(kWeightHere),
                         {{0, int64_t{r} * c * depth}, {1, int64_t{r} * c}}));
  code.push_back(strided(test::ld(int64_t{1} << 30, r, m, int64_t{r} * depth).wait(kActFree).post(kActHere), {{1, r}}));
  code.push_back(test::wld().wait(kWeightHere).post(kWeightFree, kAtSourceFree));
  code.push_back(test::mm(m, true).wait(kActHere).post(kActFree, kAtSourceFree));
  code.push_back(test::endloop(1));
  code.push_back(test::vx(m, c / static_cast<uint32_t>(chip.vpu.lanes)).wait(kResultFree).post(kResult));
  code.push_back(strided(test::st(int64_t{1} << 31, 4 * c * m).wait(kResult).post(kResultFree, kAtSourceFree),
                         {{0, int64_t{4} * c * m}}));
  code.push_back(test::endloop(0));
  code.push_back(test::halt());
  isa::Program program = test::program(chip, std::move(code));
  program.hbm_bytes = int64_t{1} << 36;
  program.semaphores[kWeightFree] = program.semaphores[kActFree] = program.semaphores[kResultFree] = 2;
  return program;
}

void run(benchmark::State& state, const chip::ChipSpec& chip, const isa::Program& program, bool record) {
  TimingTarget target(chip, MemoOptions{.memoise = false});
  target::RunOptions options;
  options.record_events = record;
  target::MemoryImage image;
  int64_t events = 0;
  int64_t cycles = 0;
  for (auto _ : state) {
    const Result<target::RunResult> result = target.run(program, image, options);
    CHECK(result.ok() && !result->fault) << "the benchmark's program must run";
    for (const auto& engine : result->counters.engines) events += static_cast<int64_t>(engine.instrs);
    events += static_cast<int64_t>(result->counters.read_bursts + result->counters.write_bursts);
    cycles += result->cycles;
  }
  using benchmark::Counter;
  state.counters["events"] = Counter(static_cast<double>(events), Counter::kAvgIterations);
  state.counters["cycles"] = Counter(static_cast<double>(cycles), Counter::kAvgIterations);
  state.counters["s_per_event"] = Counter(static_cast<double>(events), Counter::kIsRate | Counter::kInvert);
  state.counters["cycles_per_s"] = Counter(static_cast<double>(cycles), Counter::kIsRate);
}

void BM_Prefill128(benchmark::State& state) {
  const chip::ChipSpec chip = tpu_like_chip();
  run(state, chip, gemm(chip, 128, 32, 512), false);
}
BENCHMARK(BM_Prefill128)->Unit(benchmark::kMillisecond);

void BM_Prefill128Recorded(benchmark::State& state) {
  const chip::ChipSpec chip = tpu_like_chip();
  run(state, chip, gemm(chip, 128, 32, 512), true);
}
BENCHMARK(BM_Prefill128Recorded)->Unit(benchmark::kMillisecond);

void BM_Decode128(benchmark::State& state) {
  const chip::ChipSpec chip = tpu_like_chip();
  run(state, chip, gemm(chip, 512, 32, 8), false);
}
BENCHMARK(BM_Decode128)->Unit(benchmark::kMillisecond);

void BM_Edge16(benchmark::State& state) {
  const chip::ChipSpec chip = edge_like_chip();
  run(state, chip, gemm(chip, 512, 16, 16), false);
}
BENCHMARK(BM_Edge16)->Unit(benchmark::kMillisecond);

/// One queue alone: the cost of a burst.
void BM_Stream128(benchmark::State& state) {
  const chip::ChipSpec chip = tpu_like_chip();
  isa::Program program =
      test::program(chip, {test::loop(0, 512, 2), test::ld(0, 1 << 20), test::endloop(0), test::halt()});
  run(state, chip, program, false);
}
BENCHMARK(BM_Stream128)->Unit(benchmark::kMillisecond);

/// No transfers: the cost of an instruction.
void BM_TilesOnly(benchmark::State& state) {
  const chip::ChipSpec chip = edge_like_chip();
  isa::Program program = test::program(chip, {test::loop(0, 200000, 3), test::wld().post(0),
                                              test::mm(8, true).wait(0), test::endloop(0), test::halt()});
  run(state, chip, program, false);
}
BENCHMARK(BM_TilesOnly)->Unit(benchmark::kMillisecond);

/// The GEMMs of one block at full size, each program once.
std::vector<isa::Program> llama_block(const chip::ChipSpec& chip, const frontend::ModelRequest& request) {
  const std::string path = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/workloads/models/llama-3.1-8b.json";
  std::vector<isa::Program> programs;
  const ir::Workload workload = frontend::read_model(path, request).value();
  for (const ir::Gemm& gemm : workload.gemms) {
    programs.push_back(std::get<pipeline::Compiled>(pipeline::compile(gemm, chip, {}).value()).program);
  }
  return programs;
}

void BM_LlamaBlock(benchmark::State& state, const std::string& chip_name, const frontend::ModelRequest& request,
                   bool memoise) {
  const std::string path = std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/" + chip_name + ".yaml";
  const chip::ChipSpec chip = chip::parse_chip(path).value().spec;
  const std::vector<isa::Program> programs = llama_block(chip, request);
  TimingTarget target(chip, MemoOptions{.memoise = memoise});
  target::MemoryImage image;
  uint64_t events = 0;
  uint64_t simulated = 0;
  int64_t cycles = 0;
  for (auto _ : state) {
    for (const isa::Program& program : programs) {
      const target::RunResult result = target.run(program, image, {}).value();
      CHECK(!result.fault) << result.fault->detail;
      events += result.certificate->events;
      simulated += result.certificate->events_simulated;
      cycles += result.cycles;
    }
  }
  using benchmark::Counter;
  state.counters["events"] = Counter(static_cast<double>(events), Counter::kAvgIterations);
  state.counters["simulated"] = Counter(static_cast<double>(simulated), Counter::kAvgIterations);
  state.counters["cycles"] = Counter(static_cast<double>(cycles), Counter::kAvgIterations);
  state.counters["cycles_per_s"] = Counter(static_cast<double>(cycles), Counter::kIsRate);
}

constexpr frontend::ModelRequest kPrefill2048 = {frontend::Phase::kPrefill, 1, 2048, 2048};
constexpr frontend::ModelRequest kDecode8 = {frontend::Phase::kDecode, 8, 1, 2048};
BENCHMARK_CAPTURE(BM_LlamaBlock, tpu128_prefill_walked, "tpu128", kPrefill2048, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_LlamaBlock, tpu128_prefill_jumped, "tpu128", kPrefill2048, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_LlamaBlock, tpu128_decode_walked, "tpu128", kDecode8, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_LlamaBlock, tpu128_decode_jumped, "tpu128", kDecode8, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep::timing

BENCHMARK_MAIN();
