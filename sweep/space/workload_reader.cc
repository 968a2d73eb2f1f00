#include "sweep/space/workload_reader.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "compiler/frontend/huggingface.h"
#include "compiler/frontend/workload_yaml.h"
#include "hw/base/file_io.h"
#include "hw/base/printable.h"

namespace lockstep::sweep {

namespace {

constexpr IntRange kSize = {.min = 1, .max = 1 << 24};
constexpr int64_t kMaxFileBytes = int64_t{4} << 20;

void append(const std::vector<Diag>& diags, DiagSink& sink) {
  for (const Diag& diag : diags) sink.report(diag);
}

/// A missing file is reported where it is named, not at a place nobody wrote.
bool is_readable(const std::string& path, const SourceLoc& named_at, DiagSink& sink) {
  const Result<std::string> text = read_file(path, kMaxFileBytes, named_at);
  append(text.diags(), sink);
  return text.ok();
}

std::optional<ir::Workload> read_model_entry(MapReader& reader, const std::string& path, DiagSink& sink) {
  frontend::ModelRequest request;
  const auto phase = reader.choice("phase", {"prefill", "decode"});
  request.batch = reader.integer("batch", kSize, Need::kOptional).value_or(1);
  const bool is_decode = phase == "decode";
  const Need sequence_need = is_decode ? Need::kOptional : Need::kRequired;
  const auto sequence = reader.integer("sequence", kSize, sequence_need);
  const auto context = reader.integer("context", kSize, is_decode ? Need::kRequired : Need::kOptional);
  if (!phase || (!is_decode && !sequence) || (is_decode && !context)) return std::nullopt;
  request.phase = *frontend::phase_of(*phase);
  request.sequence = sequence.value_or(1);
  request.context = context.value_or(0);
  if (!is_readable(path, reader.loc("model"), sink)) return std::nullopt;
  Result<ir::Workload> workload = frontend::read_model(path, request, reader.loc("model"), reader.loc());
  append(workload.diags(), sink);
  if (!workload.ok()) return std::nullopt;
  return *std::move(workload);
}

std::optional<ir::Workload> read_layers_entry(MapReader& reader, const std::string& path, DiagSink& sink) {
  if (!is_readable(path, reader.loc("layers"), sink)) return std::nullopt;
  Result<ir::Workload> workload = frontend::read_workload(path, reader.loc("layers"));
  append(workload.diags(), sink);
  if (!workload.ok()) return std::nullopt;
  return *std::move(workload);
}

void read_entry(const YamlNode& node, size_t index, const std::string& sweep_file, std::vector<SweepWorkload>& out,
                DiagSink& sink) {
  MapReader reader(node, fmt::format("base.workloads[{}]", index), sink);
  SweepWorkload entry;
  const auto name = reader.string("name", Need::kOptional);
  entry.weight = reader.real("weight", {.min = 0, .max = 1e9, .min_excluded = true}, Need::kOptional).value_or(1.0);
  std::optional<ir::Workload> workload;
  if (reader.has("model") == reader.has("layers")) {
    (void)reader.node("model", Need::kOptional);
    (void)reader.node("layers", Need::kOptional);
    sink.report(error("E1203", reader.loc(), fmt::format("base.workloads[{}] needs either model or layers", index)));
  } else if (const auto path = reader.string(reader.has("model") ? "model" : "layers")) {
    const std::string resolved = resolve_path(*path, sweep_file);
    workload = reader.has("model") ? read_model_entry(reader, resolved, sink) : read_layers_entry(reader, resolved, sink);
  }
  // Keys of a request that could not be read are known all the same.
  if (reader.has("model")) {
    for (const char* key : {"phase", "batch", "sequence", "context"}) (void)reader.node(key, Need::kOptional);
  }
  reader.finish();
  if (!workload) return;
  entry.name = name ? *name : column_word(workload->name);
  if (entry.name != column_word(entry.name)) {
    sink.report(error("E1203", reader.loc("name"), fmt::format("a workload name is part of a column name: {} may hold "
                                                               "a-z, 0-9 and '_' only", quote_text(entry.name))));
  }
  const bool repeated = std::any_of(out.begin(), out.end(), [&](const SweepWorkload& w) { return w.name == entry.name; });
  if (repeated) {
    sink.report(error("E1203", reader.loc(), fmt::format("two workloads are called {}; give one a `name:`", entry.name)));
  }
  entry.workload = *std::move(workload);
  out.push_back(std::move(entry));
}

}  // namespace

std::string column_word(const std::string& name) {
  std::string word;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    word += byte < 0x80 && std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return word;
}

std::vector<SweepWorkload> read_sweep_workloads(const YamlNode& node, const std::string& sweep_file, DiagSink& sink) {
  std::vector<SweepWorkload> workloads;
  if (expect_sequence(node, "base.workloads", sink) == nullptr) return workloads;
  if (node.items.empty()) sink.report(error("E1203", node.loc, "base.workloads is empty"));
  for (size_t i = 0; i < node.items.size(); ++i) read_entry(node.items[i], i, sweep_file, workloads, sink);
  return workloads;
}

}  // namespace lockstep::sweep
