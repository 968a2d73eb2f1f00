// Mutated chip files, settings, tables and tensors: whatever the bytes, a reader gives a value or a diagnostic. A signal
// or an exception fails the run. LOCKSTEP_FUZZ_SEED and LOCKSTEP_FUZZ_ROUNDS vary it; the seed is printed.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hw/base/csv.h"
#include "hw/base/file_io.h"
#include "hw/base/npy.h"
#include "hw/base/yaml_parse.h"
#include "hw/base/yaml_reader.h"
#include "hw/chip/chip_checks.h"
#include "hw/chip/chip_file.h"
#include "hw/chip/field_table.h"
#include "hw/chip/field_value.h"
#include "tests/fuzz/text_mutator.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChip =
    "# a complete chip\n"
    "schema: lockstep/chip/v1\n"
    "name: 't'\n"
    "clock_MHz: 1.05GHz\n"
    "mxu: {rows: 8, cols: 16, weight_load_rows: 2, acc_rows: 256, k_per_pe: {int8: 1}}\n"
    "vpu:\n"
    "  lanes: 8\n"
    "  slots: {load: 2, alu: 4}\n"
    "vmem: {size_KiB: 64}\n"
    "dma: {beat_bytes: 32, burst_bytes: 1_024}\n"
    "queue_depth:\n"
    "  ld: 0x4\n"
    "dram: {bandwidth_GBps: 4, latency_ns: 60, access_bytes: 32, size_GiB: 1}\n";

uint64_t number_from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

uint64_t seed() { return number_from_environment("LOCKSTEP_FUZZ_SEED", 20261201); }
uint64_t rounds() { return number_from_environment("LOCKSTEP_FUZZ_ROUNDS", 4000); }

const std::vector<std::string>& yaml_tokens() {
  static const std::vector<std::string> kTokens = {
      "[", "]", "{", "}", ": ", ":", "- ", "? ", "\n", "\n  ", "\t", "\r", "\"", "'", "|\n", ">-\n", "&a ", "*a", "!!int ",
      "! ", "<<: ", "---\n", "...\n", "%YAML 1.1\n", "#", " #", "~", "null", "true", "on", "010", "0x", "1e999", "-1",
      ".inf", ".nan", "KiB", "GHz", "99999999999999999999", "8", "mxu: ", "rows: ", "extends: x\n", "schema: ", ",",
      "\\", "\\x00", "\\ud800", "\xef\xbb\xbf", "\xc3\xa9", "\xff", "@", "`", std::string(1, '\0')};
  return kTokens;
}

std::vector<std::string> yaml_corpus() {
  std::vector<std::string> corpus = {kChip};
  const std::string root = LOCKSTEP_TEST_SOURCE_DIR;
  for (const std::string& folder : {root + "/configs/chips", root + "/tests/diag/chip"}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".yaml") continue;
      corpus.push_back(*read_file(entry.path().string(), 1 << 20));
    }
  }
  return corpus;
}

/// Runs `reader` on mutated texts; what it gives must be a value or at least one message with a place.
void expect_no_escape(std::vector<std::string> corpus, const std::function<std::vector<Diag>(const std::string&)>& reader) {
  std::cout << "seed " << seed() << ", rounds " << rounds() << "\n";
  fuzz::TextMutator mutator(std::move(corpus), yaml_tokens(), seed());
  uint64_t accepted = 0;
  for (uint64_t round = 0; round < rounds(); ++round) {
    const std::string text = mutator.next();
    try {
      const std::vector<Diag> diags = reader(text);
      accepted += diags.empty() ? 1 : 0;
      for (const Diag& diag : diags) {
        ASSERT_FALSE(diag.message.empty() || diag.code.empty()) << "round " << round;
        ASSERT_FALSE(format_diag(diag, text).empty());
      }
    } catch (const std::exception& escaped) {
      FAIL() << "round " << round << ": " << escaped.what() << "\n" << text;
    }
  }
  std::cout << accepted << " accepted\n";
  EXPECT_GT(accepted, 0u) << "mutations must leave some inputs legal, else the value side is not exercised";
  EXPECT_LT(accepted, rounds());
}

TEST(YamlMutation, ChipReaderGivesAChipOrDiagnostics) {
  expect_no_escape({kChip}, [](const std::string& text) {
    const Result<chip::ChipFile> chip = chip::parse_chip_text(text, "t.yaml");
    if (!chip.ok()) return chip.diags();
    // An accepted chip satisfies its own rules, and everything derived from it works.
    EXPECT_TRUE(chip::check_chip(chip->spec).empty()) << text;
    EXPECT_GT(chip::line_bytes(chip->spec), 0);
    chip::chip_warnings(chip->spec, chip->origins);
    return std::vector<Diag>();
  });
}

TEST(YamlMutation, YamlParserGivesATreeOrDiagnostics) {
  expect_no_escape(yaml_corpus(), [](const std::string& text) {
    const Result<YamlDocument> document = parse_yaml(text, "t.yaml");
    if (document.ok()) {
      DiagSink sink;
      MapReader reader(document->root, "", sink);
      reader.schema({"lockstep/chip/v1"});
      reader.finish();
    }
    return document.diags();
  });
}

TEST(YamlMutation, SetFieldGivesAValueOrADiagnostic) {
  std::vector<std::string> corpus;
  for (const chip::Field& field : chip::chip_fields()) {
    corpus.push_back(std::string(field.name) + "=" + chip::field_text(field, chip::ChipSpec{}));
  }
  expect_no_escape(corpus, [](const std::string& text) {
    const size_t equals = std::min(text.find('='), text.size());
    chip::ChipSpec chip;
    const std::optional<Diag> wrong =
        chip::set_field(chip, text.substr(0, equals), text.substr(std::min(equals + 1, text.size())), {"--set", 1, 1});
    return wrong ? std::vector<Diag>{*wrong} : std::vector<Diag>();
  });
}

TEST(YamlMutation, CsvReaderGivesATableOrADiagnostic) {
  const std::vector<std::string> corpus = {"a,b\n1,2\n3,\"x,\"\"y\"\"\n\"\n", "name,cycles\nx,\n", "a\n\"\"\n"};
  expect_no_escape(corpus, [](const std::string& text) {
    const Result<CsvTable> table = parse_csv(text, "t.csv");
    if (table.ok()) {
      for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->columns.size());
    }
    return table.diags();
  });
}

TEST(YamlMutation, NpyReaderGivesATensorOrADiagnostic) {
  const std::vector<std::string> corpus = {npy_text(NpyArray::of<int8_t>({1, 2, 3, 4, 5, 6}, {2, 3})),
                                           npy_text(NpyArray::of<float>({1, 2}, {2})),
                                           npy_text(NpyArray::of<int32_t>({7}, {}))};
  expect_no_escape(corpus, [](const std::string& text) {
    const Result<NpyArray> array = parse_npy(text, "t.npy");
    if (array.ok()) {
      EXPECT_EQ(array->bytes.size(), static_cast<size_t>(array->elements()) * npy_element_bytes(array->type));
    }
    return array.diags();
  });
}

}  // namespace
}  // namespace lockstep
