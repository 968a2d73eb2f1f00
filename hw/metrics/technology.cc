#include "hw/metrics/technology.h"

#include <fmt/format.h>

#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"

namespace lockstep::metrics {

namespace {

constexpr RealRange kAmount = {.min = 0, .max = 1e9, .min_excluded = true};

/// The words of `source`; E1301 when it is missing or says nothing.
std::string read_source(MapReader& reader) {
  if (!reader.has("source")) {
    reader.sink().report(error("E1301", reader.loc(), fmt::format("{} has no source", reader.dotted("value")),
                               {"every technology number names where it comes from, or says `assumed: why`"}));
    return {};
  }
  return reader.string("source").value_or("");
}

void read_unit(MapReader& reader, const std::string& unit) {
  const auto got = reader.string("unit");
  if (got && *got != unit) {
    reader.sink().report(error("E1302", reader.loc("unit"), fmt::format("{} must be {}, got {}", reader.dotted("unit"),
                                                                        unit, *got)));
  }
}

TechNumber read_number(MapReader& root, const std::string& key, const std::string& unit) {
  TechNumber number;
  number.unit = unit;
  std::optional<MapReader> reader = root.map(key);
  if (!reader) return number;
  if (const auto value = reader->real("value", kAmount)) number.value = *value;
  read_unit(*reader, unit);
  number.source = read_source(*reader);
  reader->finish();
  return number;
}

void read_bank_row(const YamlNode& node, const std::string& name, Technology& technology, DiagSink& sink) {
  MapReader row(node, name, sink);
  const auto size = row.real("bank_KiB", kAmount);
  const auto percent = row.real("value", {.min = 0, .max = 100, .min_excluded = true});
  row.finish();
  if (!size || !percent) return;
  if (!technology.bank_efficiency.empty() && *size <= technology.bank_efficiency.back().bank_KiB) {
    sink.report(error("E1303", row.loc("bank_KiB"), fmt::format("{}.bank_KiB must grow from row to row", name)));
    return;
  }
  technology.bank_efficiency.push_back({*size, *percent});
}

void read_bank_table(MapReader& root, Technology& technology) {
  const std::string key = "sram_bank_efficiency";
  std::optional<MapReader> reader = root.map(key);
  if (!reader) return;
  read_unit(*reader, "%");
  technology.bank_efficiency_source = read_source(*reader);
  if (const auto* rows = reader->sequence("table")) {
    for (size_t i = 0; i < rows->size(); ++i) {
      read_bank_row((*rows)[i], fmt::format("{}.table[{}]", key, i), technology, root.sink());
    }
    if (rows->empty()) root.sink().report(error("E1303", reader->loc("table"), key + ".table is empty"));
  }
  reader->finish();
}

}  // namespace

Result<Technology> load_technology(const std::string& path, const SourceLoc& named_at) {
  const Result<YamlDocument> document = read_yaml(path, named_at);
  if (!document.ok()) return document.diags();
  DiagSink sink;
  MapReader root(document->root, "", sink);
  Technology technology;
  root.schema({"lockstep/technology/v1"});
  technology.name = root.string("name").value_or("");
  technology.mac_int8 = read_number(root, "mac_int8", "um2");
  technology.sram_mm2_per_MiB = read_number(root, "sram_mm2_per_MiB", "mm2/MiB");
  read_bank_table(root, technology);
  technology.vmem_bank_KiB = read_number(root, "vmem_bank_KiB", "KiB");
  technology.accumulator_bank_KiB = read_number(root, "accumulator_bank_KiB", "KiB");
  technology.accumulator_port_factor = read_number(root, "accumulator_port_factor", "ratio");
  technology.weight_port_um2_per_byte = read_number(root, "weight_port_um2_per_byte", "um2");
  technology.hbm_stack_mm2 = read_number(root, "hbm_stack_mm2", "mm2");
  technology.hbm_stack_GBps = read_number(root, "hbm_stack_GBps", "GB/s");
  root.finish();
  if (sink.has_errors()) return sink.diags();
  technology.text = *document->text;
  return technology;
}

}  // namespace lockstep::metrics
