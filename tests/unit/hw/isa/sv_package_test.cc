#include "hw/isa/sv_package.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "hw/isa/fault.h"

namespace lockstep::isa {
namespace {

TEST(SvPackage, CheckedInFileIsWhatTheTableGenerates) {
  std::ifstream in(std::string(LOCKSTEP_TEST_SOURCE_DIR) + "/rtl/pkg/lk_isa_pkg.sv", std::ios::binary);
  ASSERT_TRUE(in) << "rtl/pkg/lk_isa_pkg.sv is missing";
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), render_sv_package()) << "run: cmake --build build/release --target isa_regenerate";
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
