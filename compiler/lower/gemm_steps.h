// The words of one step of a GEMM: loads ahead, products, drain. Internal to compiler/lower.
#pragma once

#include "compiler/analysis/tiling.h"
#include "compiler/lower/code.h"
#include "compiler/lower/steps.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"

namespace lockstep::lower {

class GemmSteps final : public StepEmitter {
 public:
  GemmSteps(const analysis::Tiling& tiling, const chip::ChipSpec& chip);

  Code step(const Position& at) const override;

  /// Loads of the first steps, before any product.
  Code prologue() const;

  /// Steps or slices that step() looks ahead at most.
  int64_t reach() const;

  /// Ring moduli and semaphore start counts of the program.
  void initialise(isa::Program& program) const;

 private:
  /// What a step is to its block and to the slice of activations it reads.
  struct Role {
    bool opens_block = false;        // first products into its accumulators
    bool closes_block = false;       // last
    bool first_reader = false;       // of the activation slice
    bool last_reader = false;
    bool retires_slot = false;       // last reader, and the MM engine goes on to the next activation slot
    bool first_k = false;
    bool last_k = false;
  };
  Role role(const Position& at) const;

  Word load_weights(const Position& at, const Position& target) const;
  Word load_activations(const Position& at, const Position& target) const;
  std::optional<Position> activations_due(const Position& at) const;
  Code pairs(const Position& at, int64_t tile_k, const Role& role) const;
  Word load_plane(const Position& at, int64_t tile_k) const;
  Word multiply(const Position& at, int64_t tile_k, const Role& role) const;
  Word clear_padding(const Position& at) const;
  void close_block(Word& word) const;
  Word drain(const Position& at) const;
  Word store(const Position& at) const;
  int64_t valid_columns(const Position& at) const;

  const analysis::Tiling& t_;
  int64_t lanes_;
  uint8_t activation_queue_;
  int64_t weights_ahead_;      // steps
  int64_t activations_ahead_;  // resident: steps; streamed: slices
};

}  // namespace lockstep::lower
