// Assertions behind one header (rtl/README.md): live under Verilator (--assert), invisible to tools that do not take
// SVA. `LK_ASSERT(Name, Cond)` checks Cond at each rising edge of clk_i outside reset; use it at module level in a
// module that has clk_i and rst_ni. The name is the message: say the rule in it (Mxu4NeighbourRows). `LK_STATIC_ASSERT(Name, Cond)` checks parameters when the design is elaborated.
`ifndef LK_ASSERT_SVH
`define LK_ASSERT_SVH
`ifdef VERILATOR
`define LK_ASSERT(Name, Cond) \
  Name: assert property (@(posedge clk_i) disable iff (!rst_ni) (Cond)) \
    else $error("%m: assertion failed");
`define LK_STATIC_ASSERT(Name, Cond) \
  if (!(Cond)) $error("illegal parameters: Name");
`else
`define LK_ASSERT(Name, Cond)
`define LK_STATIC_ASSERT(Name, Cond)
`endif

// A loop bound that Verilator must not see as a constant, so that it keeps the loop rolled (hot code stays small
// enough for the instruction cache); other tools want the constant. `Reg` is a register that holds the constant.
`ifdef VERILATOR
`define LK_ROLLED(Reg, Constant) (Reg)
`else
`define LK_ROLLED(Reg, Constant) (Constant)
`endif
`endif
