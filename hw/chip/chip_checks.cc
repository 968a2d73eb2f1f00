#include "hw/chip/chip_checks.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "hw/base/yaml_parse.h"
#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"

// Not here because the ranges already imply it: a VMEM of whole KiB is a multiple of the line, as a line is a power of
// two of at most 4 * 256 bytes (VMEM-1).

namespace lockstep::chip {

namespace {

constexpr int kMaxTicksPerCycle = 64;  // MEM-3

/// The chip under judgement and where its values came from.
struct Subject {
  const ChipSpec& chip;
  const Origins& origins;
  const IsKnown& is_known;
  std::vector<Diag> found;

  SourceLoc loc(std::string_view name) const {
    const auto origin = origins.find(name);
    return origin == origins.end() ? SourceLoc{} : origin->second;
  }

  /// "vpu.lanes is 8, from edge8.yaml:12:10", "dma.granule_bytes is 32, the default".
  std::string where(std::string_view name) const {
    const SourceLoc at = loc(name);
    const std::string value = fmt::format("{} is {}", name, field_text(name, chip));
    if (!at.file.empty()) return fmt::format("{}, from {}:{}:{}", value, at.file, at.line, at.column);
    return field_text(name, chip) == field_text(name, ChipSpec{}) ? value + ", the default" : value;
  }

  bool knows(std::string_view first, std::string_view second) const { return is_known(first) && is_known(second); }

  /// Placed at the first of the two fields that a file set.
  void report(std::string_view code, std::string_view first, std::string_view second, std::string message) {
    const bool first_is_set = origins.contains(first);
    std::vector<std::string> notes = {where(first_is_set ? second : first)};
    if (!first_is_set && !origins.contains(second)) notes.push_back(where(second));
    found.push_back(error(std::string(code), loc(first_is_set ? first : second), std::move(message), std::move(notes)));
  }

  /// `whole` must be a multiple of `part`.
  void check_multiple(std::string_view code, std::string_view whole, int whole_value, std::string_view part,
                      int part_value) {
    if (!knows(whole, part) || whole_value % part_value == 0) return;
    report(code, whole, part,
           fmt::format("{} must be a multiple of {}, got {} and {}", whole, part, whole_value, part_value));
  }
};

/// MEM-3: a column access may not be shorter than the finest tick, else no tick count expresses the rate.
void check_access_length(Subject& subject) {
  const ChipSpec& chip = subject.chip;
  if (!subject.knows("dram.access_bytes", "dram.bandwidth_GBps") || !subject.is_known("clock_MHz")) return;
  const double access_cycles = chip.dram.access_bytes / dram_bytes_per_cycle(chip);
  if (access_cycles * kMaxTicksPerCycle >= 1.0) return;
  subject.report("E0315", "dram.access_bytes", "dram.bandwidth_GBps",
                 fmt::format("one DRAM access of {} bytes lasts {:.4f} cycles; the shortest that is modelled is 1/{} "
                             "cycle",
                             chip.dram.access_bytes, access_cycles, kMaxTicksPerCycle));
}

/// A beat larger than the largest burst never fills, and the RTL's beat counter relies on it.
void check_beat_fits_burst(Subject& subject) {
  const DmaSpec& dma = subject.chip.dma;
  if (!subject.knows("dma.beat_bytes", "dma.burst_bytes") || dma.beat_bytes <= dma.burst_bytes) return;
  subject.report("E0316", "dma.beat_bytes", "dma.burst_bytes",
                 fmt::format("dma.beat_bytes must not exceed dma.burst_bytes, got {} and {}", dma.beat_bytes,
                             dma.burst_bytes));
}

SourceLoc origin_of(const Origins& origins, std::string_view name) {
  const auto origin = origins.find(name);
  return origin == origins.end() ? SourceLoc{} : origin->second;
}

/// Unloaded latency of one full burst in cycles: request to last byte.
double unloaded_burst_cycles(const ChipSpec& chip) {
  const double latency_cycles = chip.dram.latency_ns * chip.clock_MHz / 1000.0;
  return latency_cycles + chip.dma.burst_bytes / dram_bytes_per_cycle(chip);
}

}  // namespace

std::vector<Diag> check_relations(const ChipSpec& chip, const Origins& origins, const IsKnown& is_known) {
  Subject subject{chip, origins, is_known, {}};
  const MxuSpec& mxu = chip.mxu;
  const DmaSpec& dma = chip.dma;
  subject.check_multiple("E0310", "mxu.cols", mxu.cols, "vpu.lanes", chip.vpu.lanes);
  subject.check_multiple("E0311", "mxu.rows", mxu.rows, "mxu.weight_load_rows", mxu.weight_load_rows);
  subject.check_multiple("E0311", "mxu.cols", mxu.cols, "mxu.weight_load_rows", mxu.weight_load_rows);
  subject.check_multiple("E0312", "dma.burst_bytes", dma.burst_bytes, "dma.granule_bytes", dma.granule_bytes);
  subject.check_multiple("E0313", "dma.beat_bytes", dma.beat_bytes, "dma.granule_bytes", dma.granule_bytes);
  subject.check_multiple("E0314", "dma.burst_bytes", dma.burst_bytes, "dram.access_bytes", chip.dram.access_bytes);
  check_access_length(subject);
  check_beat_fits_burst(subject);
  return std::move(subject.found);
}

std::vector<Diag> check_chip(const ChipSpec& chip, const Origins& origins) {
  DiagSink sink;
  for (const Field& field : chip_fields()) {
    if (std::holds_alternative<SlotModeMember>(field.member)) continue;
    if (field.name.starts_with("vpu.slots.") && chip.vpu.slots.single) continue;
    ChipSpec scratch = chip;
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.loc = origin_of(origins, field.name);
    node.scalar = field_text(field, chip);
    read_field(field, node, scratch, sink);
  }
  if (sink.has_errors()) return sink.diags();
  return check_relations(chip, origins, [](std::string_view) { return true; });
}

std::vector<Diag> chip_warnings(const ChipSpec& chip, const Origins& origins) {
  std::vector<Diag> found;
  const double dram_rate = dram_bytes_per_cycle(chip);
  const int weight_rate = chip.mxu.count * chip.mxu.weight_load_rows * chip.mxu.cols;  // int8: one byte each
  if (weight_rate < dram_rate) {
    found.push_back(warning("W0301", origin_of(origins, "mxu.weight_load_rows"),
                            fmt::format("weights load at {} bytes per cycle (count x weight_load_rows x cols), DRAM "
                                        "delivers {:.1f}: decode cannot reach the bandwidth bound",
                                        weight_rate, dram_rate)));
  }
  const int load_rate = chip.dma.load_queues * chip.dma.beat_bytes;
  if (load_rate < dram_rate) {
    found.push_back(warning("W0302", origin_of(origins, "dma.beat_bytes"),
                            fmt::format("loads move {} bytes per cycle (load_queues x beat_bytes), DRAM delivers {:.1f}",
                                        load_rate, dram_rate)));
  }
  const double window_bytes = static_cast<double>(chip.dma.max_outstanding) * chip.dma.burst_bytes;
  const double needed_bytes = dram_rate * unloaded_burst_cycles(chip);
  if (window_bytes < needed_bytes) {
    found.push_back(warning("W0303", origin_of(origins, "dma.max_outstanding"),
                            fmt::format("a queue has {:.0f} bytes in flight (max_outstanding x burst_bytes), the DRAM "
                                        "rate times its latency is {:.0f}: one queue cannot stream at the DRAM rate",
                                        window_bytes, needed_bytes)));
  }
  if (!chip.vpu.slots.single) {
    found.push_back(warning("W0325", origin_of(origins, "vpu.slots"),
                            "vpu.slots changes no result yet: the copy kernel, the only one built, issues one operation "
                            "per bundle"));
  }
  return found;
}

}  // namespace lockstep::chip
