#include "compiler/pipeline/knobs.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::pipeline {
namespace {

using ::testing::HasSubstr;

TEST(Knobs, DefaultsRoundTripThroughText) {
  Knobs knobs;
  for (const Knob& knob : knob_table()) {
    EXPECT_FALSE(set_knob(knobs, knob.name, knob.get(Knobs{}), {})) << knob.name;
    EXPECT_FALSE(knob.sentence.empty());
  }
  EXPECT_EQ(knobs, Knobs{});
}

TEST(Knobs, EveryKnobChangesItsMemberAndItsText) {
  const std::vector<std::pair<std::string, std::string>> values = {{"compiler.pipelining.buffers", "1"},
                                                                   {"compiler.pipelining.drain_overlap", "false"},
                                                                   {"compiler.tiling.tm", "64"},
                                                                   {"compiler.tiling.tn", "2"},
                                                                   {"compiler.tiling.tk", "8"}};
  for (const auto& [name, value] : values) {
    Knobs knobs;
    ASSERT_FALSE(set_knob(knobs, name, value, {})) << name;
    EXPECT_NE(knobs, Knobs{}) << name;
    EXPECT_EQ(find_knob(name)->get(knobs), value);
    EXPECT_THAT(print(knobs), HasSubstr(name + "=" + value + "\n"));
  }
}

TEST(Knobs, WrongTextsAreRefusedWithTheRange) {
  const auto message = [](const char* name, const char* value) {
    Knobs knobs;
    const auto diag = set_knob(knobs, name, value, {"s.yaml", 3, 4});
    EXPECT_EQ(knobs, Knobs{});
    return diag ? format_diag(*diag) : "accepted";
  };
  EXPECT_EQ(message("compiler.pipelining.buffer", "2"),
            "s.yaml:3:4: error[E1030]: unknown compiler knob 'compiler.pipelining.buffer' (did you mean 'compiler.pipelining.buffers'?)\n");
  EXPECT_EQ(message("compiler.pipelining.buffers", "4"), "s.yaml:3:4: error[E1031]: compiler.pipelining.buffers must be in [1, 3], got 4\n");
  EXPECT_THAT(message("compiler.pipelining.buffers", "two"), HasSubstr("must be a whole number"));
  EXPECT_THAT(message("compiler.pipelining.drain_overlap", "yes"), HasSubstr("must be true or false, got 'yes'"));
  EXPECT_THAT(message("compiler.tiling.stationary", "outputs"), HasSubstr("must be weights, got 'outputs'"));
}

}  // namespace
}  // namespace lockstep::pipeline
