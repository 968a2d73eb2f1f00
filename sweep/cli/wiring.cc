#include "sweep/cli/wiring.h"

#include <utility>

#include "hw/golden/golden.h"
#include "hw/mem/dram.h"
#include "hw/timing/timing_target.h"
#ifdef LOCKSTEP_HAVE_RTL
#include "hw/sysc/rtl_target.h"
#endif

namespace lockstep::sweep {

namespace {

template <typename T>
Result<std::unique_ptr<target::Target>> make(const chip::ChipSpec& chip) {
  return std::unique_ptr<target::Target>(std::make_unique<T>(chip));
}

Result<double> memory_peak(const chip::ChipSpec& chip) {
  const Result<mem::DramConfig> config = mem::make_dram_config(chip);
  if (!config.ok()) return config.diags();
  return config->effective_bytes_per_cycle;
}

void wire_rtl(TargetFactories& targets, [[maybe_unused]] std::function<void(const std::string&)> log) {
#ifdef LOCKSTEP_HAVE_RTL
  if (!sysc::rtl_available(&targets.rtl_missing)) return;
  targets.rtl = [log = std::move(log)](const chip::ChipSpec& chip) {
    sysc::RtlOptions options;
    options.build.progress = log;
    return sysc::make_rtl_target(chip, options);
  };
#else
  targets.rtl_missing = "this lockstep was built without hw/sysc";
#endif
}

}  // namespace

TargetFactories wire_targets(std::function<void(const std::string&)> log) {
  TargetFactories targets;
  targets.model = make<timing::TimingTarget>;
  targets.golden = make<golden::GoldenTarget>;
  targets.memory_peak = memory_peak;
  wire_rtl(targets, std::move(log));
  return targets;
}

}  // namespace lockstep::sweep
