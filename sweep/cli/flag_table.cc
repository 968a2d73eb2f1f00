#include "sweep/cli/flag_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "hw/base/number.h"
#include "hw/base/printable.h"

namespace lockstep::sweep {

namespace {

constexpr uint32_t bit(Verb verb) { return 1U << static_cast<uint32_t>(verb); }
constexpr uint32_t kAll = 0xffffffffU;
constexpr uint32_t kSweep = bit(Verb::kSweepRun) | bit(Verb::kSweepPlan);
constexpr uint32_t kOneProgram = bit(Verb::kCompile) | bit(Verb::kRun) | bit(Verb::kTrace);
constexpr uint32_t kPrograms = kOneProgram | bit(Verb::kValidate);

template <typename T>
struct Word {
  const char* text;
  T value;
};

/// Picks the value whose word is `text`, or names the nearest and all words.
template <typename T, size_t kCount>
ValueProblem read_word(const std::string& text, const std::array<Word<T>, kCount>& words, T& out) {
  std::vector<std::string> names;
  for (const Word<T>& word : words) {
    if (text == word.text) {
      out = word.value;
      return {};
    }
    names.emplace_back(word.text);
  }
  const std::string near = nearest_name(text, names);
  return {fmt::format("must be {}, got {}", join_choices(names), quote_text(text)),
          near.empty() ? std::string() : fmt::format("did you mean '{}'?", near)};
}

ValueProblem read_whole(const std::string& text, int64_t min, int64_t max, int64_t& out) {
  const ParsedNumber<int64_t> number = parse_integer(text, Unit::kNone);
  if (!number.value) return {number.problem.message, number.problem.note};
  if (*number.value < min || *number.value > max) {
    return {fmt::format("must be in [{}, {}], got {}", min, max, *number.value), {}};
  }
  out = *number.value;
  return {};
}

ValueProblem read_gemm(const std::string& text, FlagTarget& target) {
  std::array<int64_t, 3> sizes{};
  size_t at = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t comma = text.find(',', at);
    const bool last = i + 1 == sizes.size();
    if ((comma == std::string::npos) != last) return {fmt::format("must be M,N,K, got {}", quote_text(text)), {}};
    if (ValueProblem problem = read_whole(text.substr(at, comma - at), 1, 1 << 24, sizes[i]); !problem.message.empty()) {
      problem.message = fmt::format("{} {}", "MNK"[i], problem.message);
      return problem;
    }
    at = comma + 1;
  }
  target.command.workload.gemm = GemmShape{sizes[0], sizes[1], sizes[2]};
  return {};
}

ValueProblem read_override(const std::string& text, FlagTarget& target) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return {fmt::format("must be name=value, got {}", quote_text(text)), {}};
  }
  target.command.common.overrides.push_back({text.substr(0, equals), text.substr(equals + 1)});
  return {};
}

ValueProblem read_timeout(const std::string& text, FlagTarget& target) {
  const ParsedNumber<double> number = parse_real(text, Unit::kNone);
  if (!number.value) return {number.problem.message, number.problem.note};
  if (!(*number.value > 0 && *number.value <= 1e9)) return {fmt::format("must be seconds above 0, got {}", text), {}};
  target.command.common.timeout_s = *number.value;
  return {};
}

ValueProblem read_path(const std::string& text, std::string& out) {
  if (text.empty()) return {"must not be empty", {}};
  out = text;
  return {};
}

/// Adapts read_whole to a member of the command.
template <typename T, T CommonOptions::*kMember, int64_t kMin, int64_t kMax>
ValueProblem read_common(const std::string& text, FlagTarget& target) {
  int64_t value = 0;
  ValueProblem problem = read_whole(text, kMin, kMax, value);
  target.command.common.*kMember = static_cast<T>(value);
  return problem;
}

template <int64_t WorkloadChoice::*kMember>
ValueProblem read_size(const std::string& text, FlagTarget& target) {
  return read_whole(text, 1, 1 << 24, target.command.workload.*kMember);
}

template <bool CommonOptions::*kMember>
ValueProblem set_switch(const std::string&, FlagTarget& target) {
  target.command.common.*kMember = true;
  return {};
}

ValueProblem read_format(const std::string& text, FlagTarget& target) {
  return read_word<Format, 3>(text, {{{"text", Format::kText}, {"json", Format::kJson}, {"csv", Format::kCsv}}},
                              target.command.common.format);
}

ValueProblem read_target(const std::string& text, FlagTarget& target) {
  return read_word<RunTarget, 4>(text,
                                 {{{"model", RunTarget::kModel},
                                   {"rtl", RunTarget::kRtl},
                                   {"golden", RunTarget::kGolden},
                                   {"both", RunTarget::kBoth}}},
                                 target.command.target);
}

ValueProblem read_color(const std::string& text, FlagTarget& target) {
  const bool terminal = target.style.color;  // what "auto" found
  return read_word<bool, 3>(text, {{{"auto", terminal}, {"always", true}, {"never", false}}}, target.style.color);
}

ValueProblem read_phase(const std::string& text, FlagTarget& target) {
  return read_word<std::string, 2>(text, {{{"prefill", "prefill"}, {"decode", "decode"}}},
                                   target.command.workload.phase);
}

}  // namespace

const std::vector<FlagSpec>& flag_table() {
  static const std::vector<FlagSpec> kFlags = {
      {"--chip", "CHIP", kPrograms, true, "chip file, or name of a file in configs/chips; repeatable for validate",
       [](const std::string& v, FlagTarget& t) { return read_path(v, t.command.chips.emplace_back()); }},
      {"--workload", "FILE", kPrograms, true, "layers file, Hugging Face config.json, or a name of `list workloads`",
       [](const std::string& v, FlagTarget& t) { return read_path(v, t.command.workload.files.emplace_back()); }},
      {"--gemm", "M,N,K", kPrograms, false, "one int8 GEMM C[M,N] = A[M,K] x B[K,N] instead of a workload", read_gemm},
      {"--phase", "PHASE", kPrograms, false, "of a model: prefill or decode", read_phase},
      {"--batch", "N", kPrograms, false, "of a model: requests at once (default 1)", read_size<&WorkloadChoice::batch>},
      {"--sequence", "N", kPrograms, false, "of a model: new tokens per request in prefill",
       read_size<&WorkloadChoice::sequence>},
      {"--context", "N", kPrograms, false, "of a model: keys each new token reads, its own included",
       read_size<&WorkloadChoice::context>},
      {"--target", "TARGET", bit(Verb::kRun), false, "model (time), golden (data), rtl, or both (model and RTL)", read_target},
      {"--op", "NAME", kOneProgram, false, "only this GEMM of the workload",
       [](const std::string& v, FlagTarget& t) { return read_path(v, t.command.workload.op); }},
      {"--reduced", nullptr, kPrograms, false, "the same schedule with every tile loop cut to at most 3 rounds",
       [](const std::string&, FlagTarget& t) { t.command.workload.reduced = true; return ValueProblem{}; }},
      {"--rtl", nullptr, bit(Verb::kTrace), false, "trace the RTL beside the model",
       [](const std::string&, FlagTarget& t) { t.command.trace.rtl = true; return ValueProblem{}; }},
      {"--max-mb", "MB", bit(Verb::kTrace), false, "largest trace, cut loudly (default 200)",
       [](const std::string& v, FlagTarget& t) { return read_whole(v, 1, 100000, t.command.trace.max_mb); }},
      {"-o,--output", "PATH", bit(Verb::kCompile) | bit(Verb::kTrace) | bit(Verb::kSweepRun), false,
       "folder (compile; sweep run, default results/NAME) or file (trace, default standard output)",
       [](const std::string& v, FlagTarget& t) { return read_path(v, t.command.common.output); }},
      {"--set", "NAME=VALUE", kPrograms | kSweep | bit(Verb::kCheck), true,
       "override a chip.* field or compiler.* knob; repeatable", read_override},
      {"--seed", "N", bit(Verb::kRun) | bit(Verb::kValidate), false, "of the random operands (default 1)",
       read_common<uint64_t, &CommonOptions::seed, 0, INT64_MAX>},
      {"-j,--jobs", "N", bit(Verb::kSweepRun), false, "threads (default: one a processor)",
       read_common<int, &CommonOptions::jobs, 1, 1024>},
      {"--format", "FORMAT", kAll & ~bit(Verb::kTrace), false, "of the result: text, json or csv", read_format},
      {"--timeout", "SECONDS", bit(Verb::kSweepRun), false, "start no trial after this time; the sweep can be resumed",
       read_timeout},
      {"--force", nullptr, bit(Verb::kSweepRun), false, "discard what earlier runs left in the folder",
       set_switch<&CommonOptions::force>},
      {"--print-config", nullptr, bit(Verb::kCheck) | bit(Verb::kRun) | kSweep, false,
       "print the resolved configuration with the origin of each value and stop", set_switch<&CommonOptions::print_config>},
      {"--dry-run", nullptr, bit(Verb::kSweepRun), false, "say what would run and stop", set_switch<&CommonOptions::dry_run>},
      {"--color", "WHEN", kAll, false, "auto, always or never; NO_COLOR in the environment means never", read_color},
      {"-q,--quiet", nullptr, kAll, false, "errors only on stderr",
       [](const std::string&, FlagTarget& t) { t.style.verbosity = 0; return ValueProblem{}; }},
      {"-v,--verbose", nullptr, kAll, false, "more on stderr",
       [](const std::string&, FlagTarget& t) { t.style.verbosity = 2; return ValueProblem{}; }},
  };
  return kFlags;
}

const std::vector<VerbSpec>& verb_table() {
  static const std::vector<VerbSpec> kVerbs = {
      {Verb::kCheck, "check", "FILE", "validate chip, sweep, layers and technology files and print what follows from them"},
      {Verb::kCompile, "compile", nullptr, "compile a workload to programs"},
      {Verb::kRun, "run", nullptr, "compile and run a workload, and print cycles, utilisation and the limiter"},
      {Verb::kValidate, "validate", nullptr, "compare RTL, model and golden on every workload and chip"},
      {Verb::kSweepRun, "sweep run", "SWEEP", "run or resume a sweep"},
      {Verb::kSweepPlan, "sweep plan", "SWEEP", "count a sweep's points without running them"},
      {Verb::kTrace, "trace", nullptr, "write a Chrome trace of one program"},
      {Verb::kList, "list", "WHAT", "chips, workloads, axes, knobs, metrics or counters"},
      {Verb::kVersion, "version", nullptr, "print the version"},
  };
  return kVerbs;
}

}  // namespace lockstep::sweep
