#include "sweep/cli/command_line.h"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "hw/base/printable.h"
#include "sweep/cli/flag_table.h"

namespace lockstep::sweep {

namespace {

bool takes(const FlagSpec& flag, Verb verb) { return (flag.verbs >> static_cast<uint32_t>(verb) & 1U) != 0; }

std::string top_level_help() {
  std::string text = "lockstep: LLM workloads on systolic accelerators, exact to the cycle\n\nusage: lockstep VERB [flags]\n\n";
  for (const VerbSpec& verb : verb_table()) text += fmt::format("  {:<12} {}\n", verb.words, verb.sentence);
  return text + "\n`lockstep VERB --help` lists the flags of a verb.\n";
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h" || word == "help"; }

/// Help of all verbs that begin with `word`, the first of two: "sweep".
std::string group_help(const std::string& word) {
  std::string text;
  for (const VerbSpec& verb : verb_table()) {
    if (std::string(verb.words).rfind(word + " ", 0) != 0) continue;
    text += fmt::format("  {:<12} {}\n", verb.words, verb.sentence);
  }
  if (text.empty()) return {};
  return fmt::format("usage: lockstep {} VERB FILE [flags]\n\n{}\n`lockstep {} VERB --help` lists the flags of a verb.\n", word,
                     text, word);
}

/// "run", or for the two-word verbs what the user should have typed.
Diag unknown_verb(const std::string& word, bool second_word) {
  std::vector<std::string> names;
  for (const VerbSpec& verb : verb_table()) {
    const std::string words = verb.words;
    const size_t space = words.find(' ');
    names.push_back(second_word && space != std::string::npos ? words.substr(space + 1) : words.substr(0, space));
  }
  const std::string near = nearest_name(word, names);
  std::vector<std::string> notes;
  if (!near.empty()) notes.push_back(fmt::format("did you mean '{}'?", near));
  notes.emplace_back("`lockstep --help` lists the verbs");
  return error("E1101", {}, fmt::format("unknown verb {}", quote_text(word)), std::move(notes));
}

/// The verb in front of `arguments`; `used` = how many words it took.
Result<VerbSpec> find_verb(const std::vector<std::string>& arguments, size_t& used) {
  const std::string& first = arguments.front();
  for (const VerbSpec& verb : verb_table()) {
    const std::string words = verb.words;
    const size_t space = words.find(' ');
    if (first != words.substr(0, space)) continue;
    if (space == std::string::npos) {
      used = 1;
      return verb;
    }
    if (arguments.size() < 2) {
      return error("E1105", {}, fmt::format("'{}' needs a second word", first), {"sweep run FILE, or sweep plan FILE"});
    }
    if (arguments[1] == words.substr(space + 1)) {
      used = 2;
      return verb;
    }
  }
  const bool second_word = first == "sweep";
  return unknown_verb(second_word ? arguments[1] : first, second_word);
}

struct RawFlag {
  const FlagSpec* spec = nullptr;
  std::vector<std::string> values;
  bool is_set = false;
  CLI::Option* option = nullptr;
};

/// "--output" of "-o,--output".
std::string long_name(const FlagSpec& flag) {
  const std::string names = flag.names;
  const size_t comma = names.find(',');
  return comma == std::string::npos ? names : names.substr(comma + 1);
}

void add_flags(CLI::App& app, Verb verb, std::vector<std::unique_ptr<RawFlag>>& flags) {
  for (const FlagSpec& spec : flag_table()) {
    if (!takes(spec, verb)) continue;
    auto& raw = *flags.emplace_back(std::make_unique<RawFlag>());
    raw.spec = &spec;
    if (spec.value_name == nullptr) {
      raw.option = app.add_flag(spec.names, raw.is_set, spec.sentence);
    } else {
      raw.option = app.add_option(spec.names, raw.values, spec.sentence);
      raw.option->allow_extra_args(false)->type_name(spec.value_name);
    }
  }
}

/// What CLI11 could not place: unknown flags, and the positional arguments.
void sort_extras(const VerbSpec& verb, const std::vector<std::string>& extras, std::vector<std::string>& files,
                 DiagSink& sink) {
  std::vector<std::string> names;
  for (const FlagSpec& spec : flag_table()) {
    if (takes(spec, verb.verb)) names.push_back(long_name(spec));
  }
  bool may_be_a_value = false;  // of the unknown flag before it
  for (const std::string& extra : extras) {
    if (extra.size() > 1 && extra.front() == '-') {
      may_be_a_value = extra.find('=') == std::string::npos;
      const std::string flag = extra.substr(0, extra.find('='));
      const std::string near = nearest_name(flag, names);
      std::vector<std::string> notes;
      if (!near.empty()) notes.push_back(fmt::format("did you mean '{}'?", near));
      notes.push_back(fmt::format("`lockstep {} --help` lists the flags", verb.words));
      sink.report(error("E1102", {}, fmt::format("unknown flag {} of '{}'", quote_text(flag), verb.words), std::move(notes)));
    } else if (may_be_a_value) {
      may_be_a_value = false;
    } else if (verb.arguments == nullptr) {
      sink.report(error("E1103", {}, fmt::format("'{}' takes no argument, got {}", verb.words, quote_text(extra))));
    } else {
      files.push_back(extra);
    }
  }
}

void read_flags(const std::vector<std::unique_ptr<RawFlag>>& flags, FlagTarget& target, DiagSink& sink) {
  for (const auto& raw : flags) {
    const std::string name = long_name(*raw->spec);
    if (raw->is_set) raw->spec->read({}, target);
    if (!raw->spec->repeatable && raw->values.size() > 1) {
      sink.report(error("E1104", {}, fmt::format("{} is given {} times", name, raw->values.size())));
    }
    for (const std::string& value : raw->values) {
      ValueProblem problem = raw->spec->read(value, target);
      if (problem.message.empty()) continue;
      std::vector<std::string> notes;
      if (!problem.note.empty()) notes.push_back(problem.note);
      sink.report(error("E1104", {}, fmt::format("{} {}", name, problem.message), std::move(notes)));
    }
  }
}

/// What a verb needs beyond single flags.
void check_needs(const VerbSpec& verb, const CommandLine& command, DiagSink& sink) {
  const auto missing = [&](const std::string& text) { sink.report(error("E1105", {}, text)); };
  if (verb.arguments != nullptr && command.files.empty()) {
    const std::string choices = verb.verb == Verb::kList ? fmt::format(": {}", verb.sentence) : std::string();
    missing(fmt::format("'{}' needs a {}{}", verb.words, verb.arguments, choices));
  }
  const bool sweep = verb.verb == Verb::kSweepRun || verb.verb == Verb::kSweepPlan;
  if ((sweep || verb.verb == Verb::kList) && command.files.size() > 1) {
    sink.report(error("E1103", {}, fmt::format("'{}' takes one {}, got {}", verb.words, verb.arguments,
                                               command.files.size())));
  }
  if (command.common.print_config && command.common.format != Format::kText) {
    sink.report(error("E1104", {}, "--print-config prints YAML and takes no --format"));
  }
  const bool one_program = verb.verb == Verb::kCompile || verb.verb == Verb::kRun || verb.verb == Verb::kTrace;
  if (!one_program && verb.verb != Verb::kValidate) return;
  if (command.chips.empty()) missing(fmt::format("'{}' needs --chip", verb.words));
  if (one_program && command.chips.size() > 1) sink.report(error("E1104", {}, "--chip is given more than once"));
  const WorkloadChoice& work = command.workload;
  if (!work.gemm && work.files.empty()) missing(fmt::format("'{}' needs --gemm or --workload", verb.words));
  if (work.gemm && !work.files.empty()) sink.report(error("E1104", {}, "--gemm and --workload exclude each other"));
  if (work.gemm && work.has_request()) sink.report(error("E1104", {}, "--phase, --batch, --sequence and --context are of a model"));
}

Result<ParsedCommand> parse_verb(const VerbSpec& verb, std::vector<std::string> arguments, FlagTarget target) {
  CLI::App app(verb.sentence, std::string("lockstep ") + verb.words);
  app.allow_extras();
  std::vector<std::unique_ptr<RawFlag>> flags;
  add_flags(app, verb.verb, flags);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    std::string help = app.help();
    if (verb.arguments != nullptr) help += fmt::format("Arguments:\n  {}\n", verb.arguments);
    return ParsedCommand{{}, target.style, help};
  } catch (const CLI::ParseError& problem) {
    return error("E1104", {}, problem.what());
  }
  DiagSink sink;
  target.command.verb = verb.verb;
  sort_extras(verb, app.remaining(), target.command.files, sink);
  read_flags(flags, target, sink);
  if (!sink.has_errors()) check_needs(verb, target.command, sink);
  if (sink.has_errors()) return sink.diags();
  return ParsedCommand{std::move(target.command), target.style, {}};
}

}  // namespace

Result<ParsedCommand> parse_command_line(const std::vector<std::string>& arguments, const Terminal& terminal) {
  FlagTarget target;
  target.style.err_is_tty = terminal.err_is_tty;
  target.style.color = terminal.err_is_tty && !terminal.no_color;
  if (arguments.empty()) return error("E1105", {}, "a verb is needed", {"`lockstep --help` lists the verbs"});
  if (is_help(arguments.front())) return ParsedCommand{{}, target.style, top_level_help()};
  if (arguments.size() > 1 && is_help(arguments[1])) {
    if (std::string help = group_help(arguments.front()); !help.empty()) return ParsedCommand{{}, target.style, help};
  }
  size_t used = 0;
  const Result<VerbSpec> verb = find_verb(
      arguments.front() == "--version" ? std::vector<std::string>{"version"} : arguments, used);
  if (!verb.ok()) return verb.diags();
  const auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(used);
  return parse_verb(*verb, {rest, arguments.end()}, std::move(target));
}

}  // namespace lockstep::sweep
