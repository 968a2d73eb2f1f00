#include "compiler/ir/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::ir {
namespace {

using ::testing::HasSubstr;

std::string errors_of(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += format_diag(diag);
  return out;
}

TEST(ScheduleText, RoundTripsAndRefusesWrongKeys) {
  const Schedule s{512, 1, 4, Activations::kStreamed, 3, 2, 2, 2};
  const auto back = parse_schedule(print(s), {});
  ASSERT_TRUE(back.ok()) << errors_of(back.diags());
  EXPECT_EQ(*back, s);
  const std::string text = errors_of(parse_schedule("tm=0 tn=1 tk=4 tk=5 activations=both weigth_buffers=3", {}).diags());
  EXPECT_THAT(text, HasSubstr("tm must be a whole number in [1, 16777215], got '0'"));
  EXPECT_THAT(text, HasSubstr("key 'tk' is given twice"));
  EXPECT_THAT(text, HasSubstr("activations must be resident or streamed, got 'both'"));
  EXPECT_THAT(text, HasSubstr("unknown key 'weigth_buffers' (did you mean 'weight_buffers'?)"));
  EXPECT_THAT(text, HasSubstr("key 'output_buffers' is missing"));
}

}  // namespace
}  // namespace lockstep::ir
