#include "hw/timing/timing_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/timing/machine.h"

namespace lockstep::timing {

namespace {

/// Why a run is simulated event by event from end to end; empty when it need not be.
std::string obstacle(const MemoOptions& memo, const chip::ChipSpec& chip, const MachineConfig& config,
                     const target::RunOptions& options) {
  if (!memo.memoise) return "memoisation is off";
  if (options.record_events) return "events are recorded";
  if (options.jitter_max_cycles > 0) return "memory jitter is a function of the absolute burst number";
  if (config.dram.banks > 0) return fmt::format("the state of dram.preset '{}' has no canonical form", chip.dram.preset);
  return {};
}

}  // namespace

Result<target::RunResult> TimingTarget::run(const isa::Program& program, target::MemoryImage&,
                                            const target::RunOptions& options) {
  const uint64_t hash = chip::timing_hash(chip_);
  if (program.chip_hash != hash) {
    return error("E0605", {},
                 fmt::format("program '{}' was compiled for another chip: its chip hash is {:016x}, '{}' has {:016x}",
                             program.name, program.chip_hash, chip_.name, hash));
  }
  Result<MachineConfig> config = make_machine_config(chip_);
  if (!config.ok()) return config.diags();
  config->dram.jitter_seed = options.jitter_seed;
  config->dram.jitter_max_cycles = options.jitter_max_cycles;
  const Result<StaticProgram> prepared = prepare(program, *config);
  if (!prepared.ok()) return prepared.diags();

  target::RunResult result;
  int64_t max_cycles = kDefaultMaxCycles;
  if (options.max_cycles > 0) max_cycles = std::min(max_cycles, options.max_cycles);
  const std::string walked = obstacle(memo_, chip_, *config, options);
  std::optional<LoopTable> loops;
  std::optional<LoopMemo> memo;
  if (walked.empty()) {
    loops.emplace(*prepared, *config);
    memo.emplace(*loops, memo_);
  }
  Machine machine(*prepared, *config, max_cycles, options.record_events ? &result.events : nullptr,
                  memo ? &*memo : nullptr);
  machine.run();
  result.certificate = memo ? memo->certificate(machine.events()) : target::Certificate{};
  if (!memo) {
    result.certificate->events = result.certificate->events_simulated = machine.events();
    result.certificate->fallbacks.push_back(walked);
  }
  result.fault = machine.fault();
  result.cycles = result.fault ? 0 : machine.cycles();
  result.counters = machine.counters();
  return result;
}

}  // namespace lockstep::timing
