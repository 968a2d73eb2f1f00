// Programs as trees while they are put together: words and loops, with loops named by ids instead of levels.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/base/rng.h"
#include "hw/isa/program.h"

namespace lockstep::testgen {

/// A word (LoopTerm::level holds a loop id) or a loop. A loop made by fusing several carries all their ids.
struct Node {
  isa::Instr word;
  bool is_loop = false;
  uint32_t trip = 0;
  std::vector<uint8_t> loop_ids;
  std::vector<Node> body;
};
using Block = std::vector<Node>;

Node word_node(const isa::Instr& instr);
Node loop_node(uint8_t id, uint32_t trip, Block body);
void append(Block& to, Block from);

/// A random shuffle of both that keeps each one's order. With `fuse`, loops of equal trip that meet become one.
Block interleave(Block a, Block b, Rng& random, bool fuse);

/// Puts `word` at a random place, inside loops too.
void insert_anywhere(Block& block, const isa::Instr& word, Rng& random);

int depth_of(const Block& block);

/// Writes the words with levels and ENDLOOP positions; tags count from 1. `levels[d]` is the level at depth d.
void emit(const Block& block, const std::vector<uint8_t>& levels, isa::Program& program);

/// MXU-4: sets `first` on every MM that would accumulate too close behind its neighbour, at any iteration.
void repair_neighbours(isa::Program& program, int acc_latency);

}  // namespace lockstep::testgen
