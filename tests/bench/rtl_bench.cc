// Speed of the RTL (Verilated core, SystemC wrapper, memory) and of the model on one and the same program.
//
//   GEMM 512 x 1024 x 1024 int8: the array is busy in nearly every cycle, the worst case for the RTL's speed.
//   GEMM 1 x 1024 x 1024: decode; weight loads dominate and the array is mostly idle.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <ctime>
#include <string>

#include "compiler/pipeline/compile.h"
#include "hw/chip/chip_file.h"
#include "hw/sysc/rtl_target.h"
#include "hw/timing/timing_target.h"

namespace lockstep {
namespace {

chip::ChipSpec load_chip(const std::string& name) {
  const auto parsed = chip::parse_chip(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/configs/chips/" + name + ".yaml");
  CHECK(parsed.ok()) << name;
  return parsed->spec;
}

isa::Program gemm_program(const chip::ChipSpec& chip, int64_t m, int64_t n, int64_t k) {
  ir::Gemm gemm;
  gemm.name = "bench";
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  const auto compiled = pipeline::compile(gemm, chip, {});
  CHECK(compiled.ok() && std::holds_alternative<pipeline::Compiled>(*compiled)) << chip.name;
  return std::get<pipeline::Compiled>(*compiled).program;
}

void report(benchmark::State& state, const target::RunResult& result, double seconds) {
  const auto cycles = static_cast<double>(result.cycles);
  state.counters["cycles"] = cycles;
  state.counters["cycles_per_cpu_s"] = cycles * static_cast<double>(state.iterations()) / seconds;
  state.counters["mm_busy_pct"] = 100.0 * static_cast<double>(result.counters.engines[isa::kMm0].busy_cycles) / cycles;
}

void rtl(benchmark::State& state, const std::string& chip_name, int64_t m) {
  const chip::ChipSpec chip = load_chip(chip_name);
  sysc::RtlOptions options;
  options.build.progress = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  auto target = sysc::make_rtl_target(chip, options);
  CHECK(target.ok()) << target.diags().front().message;
  const isa::Program program = gemm_program(chip, m, 1024, 1024);
  target::MemoryImage image(static_cast<size_t>(program.hbm_bytes), 1);
  double seconds = 0;
  target::RunResult last;
  for (auto _ : state) {
    auto result = (*target)->run(program, image, {});
    CHECK(result.ok() && !result->fault) << chip_name;
    state.SetIterationTime(result->host_cpu_seconds);
    seconds += result->host_cpu_seconds;
    last = std::move(*result);
  }
  report(state, last, seconds);
}

void model(benchmark::State& state, const std::string& chip_name, int64_t m) {
  const chip::ChipSpec chip = load_chip(chip_name);
  timing::TimingTarget target(chip);
  const isa::Program program = gemm_program(chip, m, 1024, 1024);
  target::MemoryImage none;
  target::RunResult last;
  const std::clock_t start = std::clock();
  for (auto _ : state) {
    auto result = target.run(program, none, {});
    CHECK(result.ok() && !result->fault) << chip_name;
    last = std::move(*result);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  report(state, last, seconds);
  double events = static_cast<double>(last.counters.read_bursts + last.counters.write_bursts);
  for (const auto& engine : last.counters.engines) events += static_cast<double>(engine.instrs);
  state.counters["ns_per_event"] = 1e9 * seconds / (events * static_cast<double>(state.iterations()));
}

BENCHMARK_CAPTURE(rtl, edge16_512, std::string("edge16"), 512)->UseManualTime()->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(model, edge16_512, std::string("edge16"), 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rtl, edge32_512, std::string("edge32"), 512)->UseManualTime()->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(model, edge32_512, std::string("edge32"), 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rtl, tpu128_512, std::string("tpu128"), 512)->UseManualTime()->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(model, tpu128_512, std::string("tpu128"), 512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rtl, edge16_decode, std::string("edge16"), 1)->UseManualTime()->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rtl, tpu128_decode, std::string("tpu128"), 1)->UseManualTime()->Iterations(2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep

BENCHMARK_MAIN();
