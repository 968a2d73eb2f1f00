#include <fmt/format.h>

#include "tests/property/scenario_fields.h"

namespace lockstep::testgen {
namespace {

const char* kind_of(const Flow& flow) {
  constexpr const char* kNames[] = {"copy", "round trip", "fan out", "gemm", "idle"};
  return kNames[flow.index()];
}

}  // namespace

std::string describe(const Scenario& scenario) {
  std::string text = fmt::format("layout_seed {} syncs {} sync_seed {}\n", scenario.layout_seed, scenario.syncs, scenario.sync_seed);
  for (const PhaseSpec& phase : scenario.phases) {
    text += fmt::format("phase mix_seed {} fuse {} sync_after {}\n", phase.mix_seed, phase.fuse, phase.sync_after);
    for (Flow flow : phase.flows) {
      text += fmt::format("  {}:", kind_of(flow));
      visit_fields(flow, [&](const char* name, int value, int plainest) {
        if (value != plainest) text += fmt::format(" {} {}", name, value);
      });
      text += '\n';
    }
  }
  return text;
}

}  // namespace lockstep::testgen
