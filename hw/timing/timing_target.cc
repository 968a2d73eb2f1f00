#include "hw/timing/timing_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/timing/machine.h"

namespace lockstep::timing {

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
  Machine machine(*prepared, *config, max_cycles, options.record_events ? &result.events : nullptr);
  machine.run();
  result.fault = machine.fault();
  result.cycles = result.fault ? 0 : machine.cycles();
  result.counters = machine.counters();
  return result;
}

}  // namespace lockstep::timing
