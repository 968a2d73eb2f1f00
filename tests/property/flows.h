// Lowering of each kind of flow to words. Sticky failure in Resources means: drop the flow.
#pragma once

#include "tests/property/channel.h"

namespace lockstep::testgen {

Block lower_flow(Resources& res, const CopySpec& spec);
Block lower_flow(Resources& res, const RoundTripSpec& spec);
Block lower_flow(Resources& res, const FanOutSpec& spec);
Block lower_flow(Resources& res, const GemmSpec& spec);
Block lower_flow(Resources& res, const IdleSpec& spec);

/// WLD of nothing, then an MM of no rows that switches to it: hands on tokens without work.
Block gate_pair(Resources& res, int mxu, const std::vector<Access>& wld, const std::vector<Access>& mm, uint16_t wld_step);

/// An MM of no rows with tokens.
isa::Instr mm_gate(Resources& res, int mxu, const std::vector<Access>& accesses, uint16_t step);

}  // namespace lockstep::testgen
