#include "sweep/space/sweep_spec.h"

#include <algorithm>
#include <cctype>
#include <climits>

#include <fmt/format.h>

#include "hw/base/file_io.h"
#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"
#include "hw/chip/chip_checks.h"
#include "sweep/space/axis_reader.h"
#include "sweep/space/goal_reader.h"
#include "sweep/space/workload_reader.h"

namespace lockstep::sweep {

namespace {

constexpr int64_t kDefaultTrialLimit = 10000;
constexpr int64_t kMaxTrialLimit = 10000000;

class SweepReader {
 public:
  SweepReader(const YamlDocument& document, DiagSink& sink) : root_(document.root, "", sink), sink_(sink) {
    sweep_.file = document.file;
  }

  SweepSpec read(const std::vector<OverrideText>& overrides) {
    root_.schema({"lockstep/sweep/v1"});
    read_name();
    read_base(overrides);
    read_method();
    read_limits();
    read_verify();
    if (const YamlNode* node = root_.node("objectives")) read_objectives(*node, sweep_.workloads, sweep_.objectives, sink_);
    if (const YamlNode* node = root_.node("constraints", Need::kOptional)) {
      read_constraints(*node, sweep_.workloads, sweep_.constraints, sink_);
    }
    if (root_.has("inner")) not_built(root_, "inner");
    read_parameters(overrides);
    root_.finish();
    return std::move(sweep_);
  }

 private:
  void not_built(MapReader& reader, const std::string& key) {
    (void)reader.node(key);
    sink_.report(error("E1202", reader.loc(key), fmt::format("'{}' is not built yet", reader.dotted(key))));
  }

  void read_name() {
    const auto name = root_.string("name");
    if (!name) return;
    const bool fine = std::all_of(name->begin(), name->end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
    });
    if (fine && name->front() != '.') sweep_.name = *name;
    else sink_.report(error("E1203", root_.loc("name"), "name may hold letters, digits, '-', '_' and '.' only"));
  }

  void read_base(const std::vector<OverrideText>& overrides) {
    std::optional<MapReader> base = root_.map("base");
    if (!base) return;
    if (const auto path = base->string("chip")) {
      sweep_.chip_path = resolve_path(*path, sweep_.file);
      if (const Result<std::string> text = read_file(sweep_.chip_path, int64_t{4} << 20, base->loc("chip")); !text.ok()) {
        for (const Diag& diag : text.diags()) sink_.report(diag);
      } else {
        read_chip(overrides);
      }
    }
    if (const YamlNode* node = base->node("workloads")) {
      sweep_.workloads = read_sweep_workloads(*node, sweep_.file, sink_);
    }
    base->finish();
  }

  void read_chip(const std::vector<OverrideText>& overrides) {
    Result<chip::ChipFile> chip = chip::parse_chip(sweep_.chip_path);
    if (!chip.ok()) {
      for (const Diag& diag : chip.diags()) sink_.report(diag);
      return;
    }
    sweep_.base = *std::move(chip);
    for (const auto& [name, value] : overrides) {
      if (auto problem = set_parameter(sweep_.base.spec, sweep_.knobs, name, value, {})) sink_.report(*std::move(problem));
      else if (name.rfind("chip.", 0) == 0) sweep_.base.origins[name.substr(5)] = SourceLoc{};
    }
    has_chip_ = true;
  }

  void read_method() {
    std::optional<MapReader> method = root_.map("method");
    if (!method) return;
    const auto name = method->choice("name", {"grid", "random", "sobol", "nsga2"});
    if (name && *name != "grid") {
      sink_.report(error("E1202", method->loc("name"), fmt::format("method {} is not built yet", *name),
                         {"grid is what this version searches with"}));
      for (const char* key : {"population", "generations", "seed", "trials"}) (void)method->node(key, Need::kOptional);
    }
    method->finish();
  }

  void read_limits() {
    sweep_.trial_limit = kDefaultTrialLimit;
    std::optional<MapReader> limits = root_.map("limits", Need::kOptional);
    if (!limits) return;
    if (const auto trials = limits->integer("trials", {.min = 1, .max = kMaxTrialLimit}, Need::kOptional)) {
      sweep_.trial_limit = *trials;
    }
    for (const char* key : {"wall_min", "trial_timeout_s", "retries"}) {
      if (limits->has(key)) not_built(*limits, key);
    }
    limits->finish();
  }

  void read_verify() {
    std::optional<MapReader> verify = root_.map("verify", Need::kOptional);
    if (!verify) return;
    (void)verify->choice("target", {"rtl"});
    (void)verify->choice("select", {"pareto"});
    if (const auto trials = verify->integer("max_trials", {.min = 1, .max = 10000})) sweep_.verify.max_trials = *trials;
    sweep_.verify.enabled = true;
    verify->finish();
  }

  void read_parameters(const std::vector<OverrideText>& overrides) {
    const YamlNode* node = root_.node("parameters");
    if (node == nullptr || !has_chip_) return;
    if (expect_map(*node, "parameters", sink_) == nullptr) return;
    sweep_.space = Space(read_axes(*node, sweep_.base.spec, sweep_.knobs, sink_));
    for (const Axis& axis : sweep_.space.axes()) {
      const bool fixed = std::any_of(overrides.begin(), overrides.end(), [&](const auto& o) { return o.first == axis.name; });
      if (fixed) sink_.report(error("E1207", axis.loc, fmt::format("--set {}: this sweep varies it", axis.name)));
    }
    const int64_t points = sweep_.space.points();
    if (points > sweep_.trial_limit) {
      sink_.report(error("E1204", node->loc, fmt::format("the grid has {} points, above the limit of {}", points,
                                                         sweep_.trial_limit),
                         {"thin out an axis, or raise limits.trials"}));
    }
  }

  MapReader root_;
  DiagSink& sink_;
  SweepSpec sweep_;
  bool has_chip_ = false;
};

/// The sweep file's own errors by line, then those of files it names: sections are not read in the order they stand.
std::vector<Diag> in_file_order(std::vector<Diag> diags, const std::string& path) {
  const auto rank = [&path](const Diag& diag) { return diag.loc.file == path ? diag.loc.line : INT_MAX; };
  std::stable_sort(diags.begin(), diags.end(), [&](const Diag& a, const Diag& b) { return rank(a) < rank(b); });
  return diags;
}

}  // namespace

Result<SweepSpec> load_sweep(const std::string& path, const std::vector<OverrideText>& overrides) {
  const Result<YamlDocument> document = read_yaml(path);
  if (!document.ok()) return document.diags();
  DiagSink sink;
  SweepSpec sweep = SweepReader(*document, sink).read(overrides);
  if (sink.has_errors()) return in_file_order(sink.diags(), path);
  return sweep;
}

PointConfig config_at(const SweepSpec& sweep, int64_t point) {
  PointConfig config{sweep.base.spec, sweep.knobs, sweep.space.values_at(point), {}};
  const std::vector<Axis>& axes = sweep.space.axes();
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto problem = set_parameter(config.chip, config.knobs, axes[i].name, config.axis_values[i], axes[i].loc);
    CHECK(!problem) << axes[i].name << '=' << config.axis_values[i] << " was accepted when the sweep was read";
  }
  const std::vector<Diag> problems = chip::check_chip(config.chip);
  if (!problems.empty()) config.infeasible = fmt::format("{}: {}", problems.front().code, problems.front().message);
  return config;
}

}  // namespace lockstep::sweep
