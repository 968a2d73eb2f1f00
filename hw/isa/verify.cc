#include "hw/isa/verify.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/isa/verify_context.h"

namespace lockstep::isa {

std::string VerifyContext::word_name(size_t pc) const {
  const Instr& instr = program.code[pc];
  std::string out = fmt::format("word {} ({}", pc, op_name(instr.op));
  if (is_engine_op(instr.op)) out += fmt::format(".{}", int{instr.unit});
  if (instr.tag != 0) {
    out += fmt::format(", tag {}", instr.tag);
    const auto named = std::find_if(program.ops.begin(), program.ops.end(), [&](const OpName& op) { return op.tag == instr.tag; });
    if (named != program.ops.end()) out += fmt::format(" \"{}\"", named->name);
  }
  return out + ")";
}

void VerifyContext::report(const char* code, size_t pc, const std::string& message) {
  report(code, fmt::format("{}: {}", word_name(pc), message));
}

void VerifyContext::report(const char* code, const std::string& message) {
  if (full()) return;
  sink_.report(error(code, {}, message));
  if (++count_ == options.max_diags) sink_.report(error("E0616", {}, fmt::format("{} violations, giving up here", count_)));
}

namespace {

void add_saturating(int64_t& total, int64_t more) { total = more > kManyExecutions - total ? kManyExecutions : total + more; }

/// Totals in closed form; false (E0639) when the program would run for too long to be meant.
bool count_words(VerifyContext& context, const std::vector<Enclosing>& loops, VerifyReport& report) {
  for (size_t pc = 0; pc < loops.size(); ++pc) {
    const int64_t runs = loops[pc].executions;
    add_saturating(report.dynamic_words, runs);
    const Instr& instr = context.program.code[pc];
    if (is_engine_op(instr.op)) add_saturating(report.engine_words[engine_of(instr)], runs);
  }
  if (report.dynamic_words <= context.options.max_dynamic_words) return true;
  context.report("E0639", fmt::format("the program executes {} words, more than the limit of {}", report.dynamic_words,
                                      context.options.max_dynamic_words));
  return false;
}

}  // namespace

Result<VerifyReport> verify(const Program& program, const chip::ChipSpec& chip, const VerifyOptions& options) {
  DiagSink sink;
  VerifyContext context(program, chip, options, sink);
  VerifyReport report;
  check_header(context);
  check_words(context);
  // What follows reads bodies and loops, and would only repeat what is wrong with them.
  if (!context.failed() && check_structure(context)) {
    const std::vector<Enclosing> loops = enclosing_loops(program);
    if (count_words(context, loops, report)) {
      check_operands(context, loops);
      report.walked_words = check_tokens(context, loops);
    }
  }
  if (sink.has_errors()) return sink.diags();
  return report;
}

}  // namespace lockstep::isa
