#include <fmt/format.h>

#include "sweep/cli/result_table.h"
#include "sweep/cli/verbs.h"

namespace lockstep::sweep {

int run_version(const CommandLine& command, Context& context) {
  if (command.common.format == Format::kText) {
    context.console.result(fmt::format("lockstep {}\nrtl: {}\n", context.version,
                                       context.targets.rtl ? "available" : "not built: " + context.targets.rtl_missing));
    return kExitOk;
  }
  ResultTable table{{"tool", "version", "rtl"}, {}};
  table.add({std::string("lockstep"), context.version, std::string(context.targets.rtl ? "available" : "not built")});
  context.console.result(render(table, command.common.format));
  return kExitOk;
}

}  // namespace lockstep::sweep
