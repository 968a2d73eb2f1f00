// Walker: the words a program executes, in program order, with the addresses each one forms. This is the one
// definition of ISA-2 (address forming), SEQ-1 (rings) and SEQ-3 (loops) in C++; it knows nothing of time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/isa/fault.h"
#include "hw/isa/program.h"

namespace lockstep::isa {

/// Per word, what a walk needs, laid out once so that a step is a few adds. Immutable; shared by many walkers.
/// Keeps a pointer to the program, which must outlive it.
class WalkPlan {
 public:
  explicit WalkPlan(const Program& program);
  const Program& program() const { return *program_; }

 private:
  friend class Walker;

  /// imm + sum of strides times variables: indices of the loop levels first, then ring values.
  struct Sum {
    int64_t imm = 0;
    std::array<int64_t, 5> strides{};
    std::array<uint8_t, 5> variables{};
    uint8_t terms = 0;
    uint8_t place = 0;  // index into DynamicWord::addresses
  };
  enum class Flow : uint8_t { kNext, kLoop, kEndloop, kHalt, kFault };
  struct Word {
    Flow flow = Flow::kNext;
    uint8_t level = 0;
    uint16_t step = 0;
    uint32_t count = 0;
    uint32_t end_pc = 0;
    uint32_t first_sum = 0;
    uint32_t sum_count = 0;  // operands that form an address
    FaultCode fault = FaultCode::kIllegalOp;
  };

  void plan_word(const Instr& instr);
  void plan_body(const Instr& instr, Word& word);
  void add_sum(uint8_t place, const ChipOperand& operand);

  const Program* program_;
  std::vector<Word> words_;
  std::vector<Sum> sums_;
  std::array<uint8_t, kRings> moduli_{};
};

/// One executed word. An accessor is meaningful only when the op has that operand.
struct DynamicWord {
  uint32_t pc = 0;
  const Instr* instr = nullptr;
  uint32_t count = 0;                   // reps, rows or trip
  std::array<int64_t, 6> addresses{};  // HBM 0, VMEM 1, accumulator 2; or the VX slots

  int64_t hbm() const { return addresses[0]; }
  int64_t vmem() const { return addresses[1]; }
  int64_t acc() const { return addresses[2]; }
  int64_t slot(size_t k) const { return addresses[k]; }
};

/// Position in a walk. Copyable: a copy is a snapshot.
class Walker {
 public:
  explicit Walker(const WalkPlan& plan) : plan_(&plan) { restart(); }

  /// Back to reset: pc 0, no loop active, rings at their start values.
  void restart();

  /// Executes one word and describes it, LOOP, ENDLOOP, SYNC and HALT included. Null after HALT, or when the
  /// word at pc() cannot be executed (see fault()). The result is overwritten by the next call.
  const DynamicWord* next();

  /// Call right after next() gave an ENDLOOP that went back to its body: skips `iterations` of the remaining ones of
  /// that loop without executing them, and leaves the loop when none remain. `ring_steps` is how often the skipped
  /// words would have advanced each ring.
  void skip_iterations(int level, uint32_t iterations, const std::array<uint32_t, kRings>& ring_steps);

  /// Iterations of the active loop `level` not yet begun, counting the one next() is about to begin.
  uint32_t iterations_left(int level) const;

  /// kPcRange, kLoop, kIllegalOp or kNotBuilt when next() returned null without a HALT.
  std::optional<FaultCode> fault() const { return fault_; }
  bool halted() const { return halted_; }

  /// Of the word that next() would execute.
  uint32_t pc() const { return pc_; }
  int64_t index(int level) const { return variables_[static_cast<size_t>(level)]; }
  int64_t ring(int ring) const { return variables_[static_cast<size_t>(kLoopLevels + ring)]; }
  bool active(int level) const { return loops_[static_cast<size_t>(level)].active; }

 private:
  struct Loop {
    uint32_t trip = 0;
    uint32_t body_pc = 0;
    uint32_t end_pc = 0;
    bool active = false;
  };

  bool stop(FaultCode code);
  void advance_rings(uint32_t step);
  bool open_loop(const WalkPlan::Word& word);
  bool close_loop(const WalkPlan::Word& word);

  const WalkPlan* plan_;
  uint32_t pc_ = 0;
  bool halted_ = false;
  std::optional<FaultCode> fault_;
  std::array<int64_t, kLoopLevels + kRings> variables_{};
  std::array<Loop, kLoopLevels> loops_{};
  DynamicWord word_;
};

}  // namespace lockstep::isa
