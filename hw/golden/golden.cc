#include "hw/golden/golden.h"

#include <fmt/format.h>

#include "hw/golden/admission.h"
#include "hw/golden/sequencer.h"

namespace lockstep::golden {

Result<target::RunResult> GoldenTarget::run(const isa::Program& program, target::MemoryImage& image,
                                            const target::RunOptions& options) {
  std::vector<Diag> objections = check_admission(program, chip_);
  if (static_cast<int64_t>(image.size()) != program.hbm_bytes) {
    objections.push_back(error("E0504", {program.name, 0, 0}, fmt::format("the memory image has {} bytes, the program needs {}",
                                                                       image.size(), program.hbm_bytes)));
  }
  if (!objections.empty()) return objections;
  Machine machine(chip_, image, options.vmem_fill, options.max_cycles > 0 ? options.max_cycles : kDefaultMaxCycles);
  Sequencer sequencer(program, machine);
  target::RunResult result;
  if (Trap trap = sequencer.run()) result.fault = target::Fault{isa::fault_name(trap->code), sequencer.fault_tag(), -1, trap->detail};
  result.counters = machine.counters();
  return result;
}

}  // namespace lockstep::golden
