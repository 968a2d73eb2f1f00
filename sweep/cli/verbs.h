// One function per verb; each returns the process's exit code.
#pragma once

#include "sweep/cli/command_line.h"
#include "sweep/cli/context.h"

namespace lockstep::sweep {

int run_check(const CommandLine& command, Context& context);
int run_compile(const CommandLine& command, Context& context);
int run_run(const CommandLine& command, Context& context);
int run_validate(const CommandLine& command, Context& context);
int run_sweep_verb(const CommandLine& command, Context& context);
int run_sweep_plan(const CommandLine& command, Context& context);
int run_trace(const CommandLine& command, Context& context);
int run_list(const CommandLine& command, Context& context);
int run_version(const CommandLine& command, Context& context);

/// The verb of `command`.
int run_verb(const CommandLine& command, Context& context);

}  // namespace lockstep::sweep
