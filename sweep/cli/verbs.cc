#include "sweep/cli/verbs.h"

namespace lockstep::sweep {

int run_verb(const CommandLine& command, Context& context) {
  switch (command.verb) {
    case Verb::kCheck: return run_check(command, context);
    case Verb::kCompile: return run_compile(command, context);
    case Verb::kRun: return run_run(command, context);
    case Verb::kValidate: return run_validate(command, context);
    case Verb::kSweepRun: return run_sweep_verb(command, context);
    case Verb::kSweepPlan: return run_sweep_plan(command, context);
    case Verb::kTrace: return run_trace(command, context);
    case Verb::kList: return run_list(command, context);
    case Verb::kVersion: return run_version(command, context);
  }
  return kExitInternal;
}

}  // namespace lockstep::sweep
