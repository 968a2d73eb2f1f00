// The only place that names concrete targets.
#pragma once

#include <functional>
#include <string>

#include "sweep/runner/factories.h"

namespace lockstep::sweep {

/// Model, golden and, when this build has a simulator, RTL. `log` hears what a cold RTL build does and how long it takes.
TargetFactories wire_targets(std::function<void(const std::string&)> log);

}  // namespace lockstep::sweep
