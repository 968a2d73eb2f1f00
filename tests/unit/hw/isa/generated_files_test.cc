#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "hw/isa/doc_tables.h"
#include "hw/isa/fault.h"
#include "hw/isa/sv_package.h"
#include "hw/isa/text.h"

namespace lockstep::isa {
namespace {

constexpr const char* kHow = "run: cmake --build build/release --target isa_regenerate";

std::string source_file(const std::string& path) {
  std::ifstream in(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(in) << path << " is missing";
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(SvPackage, CheckedInFileIsWhatTheTableGenerates) {
  EXPECT_EQ(source_file("rtl/pkg/lk_isa_pkg.sv"), render_sv_package()) << kHow;
}

TEST(IsaPage, GeneratedPartsAreCurrent) {
  const std::string page = source_file("docs/isa.md");
  EXPECT_EQ(page, fill_generated_parts(page)) << kHow;
  for (const char* part : {"generated: fields", "generated: faults", "generated: keywords"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(IsaPage, FillReplacesWhatStandsBetweenTheMarkers) {
  const std::string page = "a\n<!-- generated: faults -->\nSTALE\n<!-- end -->\nb\n";
  const std::string filled = fill_generated_parts(page);
  EXPECT_EQ(filled.find("STALE"), std::string::npos);
  EXPECT_NE(filled.find("| 6 | `F-SEM-OVERFLOW` |"), std::string::npos);
  EXPECT_TRUE(filled.ends_with("<!-- end -->\nb\n"));
}

TEST(IsaPage, ExampleParses) {
  const std::string page = source_file("docs/isa.md");
  const size_t start = page.find("```\nprogram") + 4;
  ASSERT_GT(start, size_t{4});
  const Result<Program> program = parse_program(page.substr(start, page.find("```", start) - start), "docs/isa.md");
  ASSERT_TRUE(program.ok()) << format_diag(program.diags()[0]);
  EXPECT_EQ(program->code.size(), 4U);
}

std::set<std::string> codes_in(const std::string& text) {
  const auto digit = [&](size_t at, std::string_view allowed) { return at < text.size() && allowed.find(text[at]) != std::string_view::npos; };
  std::set<std::string> out;
  for (size_t at = text.find("E0"); at != std::string::npos; at = text.find("E0", at + 1)) {
    if (digit(at + 2, "678") && digit(at + 3, "0123456789") && digit(at + 4, "0123456789")) out.insert(text.substr(at, 5));
  }
  return out;
}

TEST(IsaPage, ListsExactlyTheCodesThatAreReported) {
  std::set<std::string> reported;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/hw/isa")) {
    if (entry.path().extension() == ".cc") reported.merge(codes_in(source_file("hw/isa/" + entry.path().filename().string())));
  }
  EXPECT_EQ(codes_in(source_file("docs/isa.md")), reported);
}

TEST(SvPackage, NamesFieldsOpsEnginesAndFaults) {
  const std::string text = render_sv_package();
  for (const char* expected : {"parameter int WordBits = 1536;", "localparam int LD_HBM_IMM_LSB = ", "localparam int HDR_TAG_WIDTH = 24;",
                               "OpWldT = 4", "OpHalt = 10", "localparam int EngMm3 = 11;", "localparam int EngSeq = 15;",
                               "localparam int FaultSemOverflow = 6;", "localparam int VX_SLOT5_CHUNK_STRIDE_WIDTH = 28;"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
}

TEST(Fault, NumbersFollowTheTableOrder) {
  int number = 1;
  for (const FaultInfo& fault : all_faults()) {
    EXPECT_EQ(static_cast<int>(fault.code), number++) << fault.name;
    EXPECT_STREQ(fault_name(fault.code), fault.name);
  }
}

}  // namespace
}  // namespace lockstep::isa
