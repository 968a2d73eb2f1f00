#include "tests/unit/hw/timing/jump_equality.h"

#include <fmt/format.h>

#include "hw/timing/timing_target.h"

namespace lockstep::timing::test {

std::string compare_jumps(const chip::ChipSpec& chip, const isa::Program& program, const target::RunOptions& options,
                          const MemoOptions& memo, JumpTotals& totals) {
  target::MemoryImage image;
  const auto jumped = TimingTarget(chip, memo).run(program, image, options);
  const auto walked = TimingTarget(chip, MemoOptions{.memoise = false}).run(program, image, options);
  if (!jumped.ok()) return "refused: " + jumped.diags().front().message;
  const target::Certificate& certificate = *jumped->certificate;
  ++totals.runs;
  totals.jumps += certificate.jump_count;
  totals.runs_with_jumps += certificate.jump_count > 0 ? 1 : 0;
  totals.self_checks += certificate.self_checks;
  if (walked->fault || jumped->fault) {
    ++totals.faults;
    const auto text = [](const std::optional<target::Fault>& fault) {
      return fault ? fmt::format("{} in {}, tag {}", fault->code, fault->cycle, fault->tag) : std::string("no fault");
    };
    const std::string actual = text(jumped->fault);
    const std::string expected = text(walked->fault);
    return actual == expected ? std::string() : fmt::format("with jumps: {}; walked: {}", actual, expected);
  }
  totals.cycles += static_cast<uint64_t>(walked->cycles);
  totals.events += certificate.events;
  totals.events_simulated += certificate.events_simulated;
  if (jumped->cycles != walked->cycles) return fmt::format("cycles: {}, walked {}", jumped->cycles, walked->cycles);
  if (!(jumped->counters == walked->counters)) return "counters differ";
  if (certificate.events != walked->certificate->events) return "numbers of events differ";
  return {};
}

std::string describe(const JumpTotals& totals) {
  return fmt::format("{} runs, {} with jumps, {} jumps, {} self-checks, {} faults, {} cycles, {} events, {} simulated",
                     totals.runs, totals.runs_with_jumps, totals.jumps, totals.self_checks, totals.faults, totals.cycles,
                     totals.events, totals.events_simulated);
}

}  // namespace lockstep::timing::test
