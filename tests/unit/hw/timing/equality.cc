#include "tests/unit/hw/timing/equality.h"

#include <fmt/format.h>

#include "hw/timing/timing_target.h"
#include "tests/unit/hw/timing/stepped_reference.h"

namespace lockstep::timing::test {

namespace {

std::string compare_faults(const std::optional<target::Fault>& actual, const stepped::Outcome& expected) {
  if (!actual) return "the reference faults, the model does not: " + expected.fault;
  const bool same_tag = actual->tag == expected.fault_tag || expected.fault == "F-WATCHDOG";
  if (actual->code == expected.fault && actual->cycle == expected.fault_cycle && same_tag) return {};
  return fmt::format("model: {} in {}, tag {}: {}; reference: {} in {}, tag {}", actual->code, actual->cycle, actual->tag,
                     actual->detail, expected.fault, expected.fault_cycle, expected.fault_tag);
}

}  // namespace

std::string compare(const chip::ChipSpec& chip, const isa::Program& program, const target::RunOptions& options,
                    Totals& totals) {
  target::MemoryImage image;
  const Result<target::RunResult> result = TimingTarget(chip).run(program, image, options);
  if (!result.ok()) return "refused: " + result.diags().front().message;
  const stepped::Outcome expected = stepped::SteppedReference(chip, program, options).run(options.max_cycles);
  ++totals.runs;
  if (!expected.fault.empty() || result->fault) {
    ++totals.faults;
    return compare_faults(result->fault, expected);
  }
  std::string text;
  for (const std::string& line : target::diff_events(expected.log, result->events, 6)) text += line + "\n";
  if (result->cycles != expected.cycles) {
    text += fmt::format("cycles: {}, reference {}\n", result->cycles, expected.cycles);
  }
  if (!(result->counters == expected.counters)) text += "counters differ\n";
  totals.cycles += static_cast<uint64_t>(expected.cycles);
  for (const auto& records : expected.log.instrs) totals.instrs += records.size();
  for (const auto& records : expected.log.bursts) totals.bursts += records.size();
  return text;
}

std::string describe(const Totals& totals) {
  return fmt::format("{} runs, {} cycles, {} instructions, {} bursts, {} faults", totals.runs, totals.cycles,
                     totals.instrs, totals.bursts, totals.faults);
}

}  // namespace lockstep::timing::test
