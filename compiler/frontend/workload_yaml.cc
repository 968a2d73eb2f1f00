#include "compiler/frontend/workload_yaml.h"

#include <fmt/format.h>

#include "compiler/frontend/workload_name.h"
#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"

namespace lockstep::frontend {

namespace {

void read_gemm(const YamlNode& node, size_t index, ir::Workload& workload, DiagSink& sink) {
  MapReader reader(node, fmt::format("gemms[{}]", index), sink);
  const IntRange extent{.min = 1, .max = ir::kMaxExtent};
  ir::Gemm gemm;
  gemm.loc = node.loc;
  gemm.name = reader.string("name").value_or("");
  gemm.m = reader.integer("M", extent).value_or(1);
  gemm.n = reader.integer("N", extent).value_or(1);
  gemm.k = reader.integer("K", extent).value_or(1);
  gemm.count = reader.integer("repeat", extent, Need::kOptional).value_or(1);
  reader.finish();
  workload.gemms.push_back(std::move(gemm));
}

Result<ir::Workload> from_document(const YamlDocument& document) {
  DiagSink sink;
  MapReader reader(document.root, "", sink);
  reader.schema({"lockstep/workload/v1"});
  ir::Workload workload;
  workload.name = reader.string("name", Need::kOptional).value_or(workload_name(document.file));
  const std::vector<YamlNode>* gemms = reader.sequence("gemms");
  for (size_t i = 0; gemms != nullptr && i < gemms->size(); ++i) read_gemm((*gemms)[i], i, workload, sink);
  if (gemms != nullptr && gemms->empty()) {
    sink.report(error("E1006", reader.loc("gemms"), "'gemms' must list at least one gemm"));
  }
  reader.finish();
  if (!sink.has_errors()) ir::verify(workload, sink);
  if (sink.has_errors()) return sink.diags();
  return workload;
}

}  // namespace

Result<ir::Workload> parse_workload(std::string_view text, const std::string& file) {
  const Result<YamlDocument> document = parse_yaml(text, file);
  if (!document) return document.diags();
  return from_document(*document);
}

Result<ir::Workload> read_workload(const std::string& path, const SourceLoc& named_at) {
  const Result<YamlDocument> document = read_yaml(path, named_at);
  if (!document) return document.diags();
  return from_document(*document);
}

}  // namespace lockstep::frontend
