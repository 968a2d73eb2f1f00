// The small structured description that random programs are generated from, shrunk on and lowered from.
//
// A scenario is a list of phases. The flows of a phase run concurrently (their words are interleaved, loops of
// equal trip may be fused) and share nothing but engines; phases follow each other, with or without a full SYNC.
// Every flow hands items from engine to engine through channels: storage with 1..3 slots and a pair of token
// counts, full and free. Every value in range lowers to a legal program, so the shrinker may change any of them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::testgen {

/// One LD or ST, in granules. A repetition moves unit * hbm_n1 * vmem_n1 granules: hbm_n1 runs of unit * vmem_n1 in
/// HBM, vmem_n1 runs of unit * hbm_n1 in VMEM. Gaps are added to the packed stride; negative ones overlap or turn
/// the direction.
struct ShapeSpec {
  int unit = 1, hbm_n1 = 1, vmem_n1 = 1, reps = 1;
  int hbm_gap = 0, vmem_gap = 0, hbm_rep_gap = 0, vmem_rep_gap = 0;
  int zero = 0;  // 1 run 0, 2 n1 0, 3 reps 0
};

/// How the words of one item carry its tokens: 0 unrolled, first waits and last posts; 1 a loop, every word waits
/// and posts its share; 2 a loop between two zero-length words that wait and post.
struct PartsSpec {
  int count = 1;
  int style = 0;
};

/// The loops around a flow's item, outermost first, and what each adds to HBM and on-chip addresses, in granules.
struct NestSpec {
  std::vector<int> trips;
  std::vector<int> load_strides, store_strides, chip_strides;  // one per loop, missing = 0
};

/// LD -> VMEM -> ST.
struct CopySpec {
  NestSpec nest;
  ShapeSpec load, store;
  PartsSpec load_parts, store_parts;
  int ld_unit = 0;
  int slots = 1;
  int lookahead = 0;    // loads ahead of their stores in program order, <= slots
  int store_first = 0;  // order in the body when both are legal
  int relays = 0;       // zero-length LDs the full token passes through
  int zero_loads = 0, zero_stores = 0;  // without tokens, per item
  int free_at_done = 0;
  int token_scale = 1;
  int continues = 0;
};

/// LD -> VMEM -> ST -> HBM -> LD -> VMEM -> ST.
struct RoundTripSpec {
  NestSpec nest;
  ShapeSpec load, store, reload, restore;
  int ld_unit = 0, reload_unit = 0;
  int slots = 1;
  int free_at_done = 0;
};

/// One buffer read by WLD, MM and ST: more consumers than an LD has posts, so relays carry the third (SEM-6).
struct FanOutSpec {
  NestSpec nest;
  ShapeSpec store;
  int mxu = 0, ld_unit = 0;
  int rows = 1;
  int slots = 1;
};

/// Weights of a layer: 0 streamed per K tile, 1 per item, 2 once before the loops.
enum Residency : int { kPerTile = 0, kPerItem = 1, kOnce = 2 };

struct LayerSpec {
  int k_tiles = 1;
  int loop_k = 0;          // first, loop, last; else unrolled
  int mms_per_wld = 1;
  int w_residency = kPerTile, w_slots = 1, w_lookahead = 0, w_late = 0, w_unit = 0;
  int wld_ahead = 0;       // WLD of the next tile before the MM of this one could end; not with kPerItem
  int k_valid_w = 1 << 16, n_valid_w = 1 << 16, k_valid_m = 1 << 16, n_valid_m = 1 << 16;  // clipped to the array
  int k_valid_last = 1 << 16;  // of the last K tile
  int w_stride = 0, w_offset = 0;  // extra row stride in C bytes, -1 turns the direction; byte offset in the line
  int rows = 1;            // M
  int a_stride = 0, a_step = 0;    // extra row stride in R bytes; rows between the MMs of a tile
  int acc_slots = 1, acc_step = 0, acc_shift = 0;  // rows between the MMs of a tile; rows added per K tile
  int acc_counted = 0;     // every MM waits and posts
  int vx_rows = 1, vx_chunks = 1, vx_cols = 1 << 16, vx_row_stride = 1, vx_gap = 0;
  PartsSpec vx_parts;
  int out_slots = 1;
};

/// LD weights and activations -> WLD, MM over K tiles -> accumulators -> VX -> VMEM -> ST, or -> MM of layer 2.
struct GemmSpec {
  NestSpec nest;
  std::vector<LayerSpec> layers;  // 1 or 2
  int mxu = 0;
  int a_residency = kPerTile, a_slots = 1, a_lookahead = 0, a_late = 0, a_unit = 0;
  ShapeSpec w_load, a_load;  // gaps only; the size follows the tile
  int strided_loads = 0;
  int has_store = 1;
  ShapeSpec store;
  PartsSpec store_parts;
  int token_scale = 1;
  int free_at_done = 0;
};

/// Cycles without work: an empty loop, and a SYNC.
struct IdleSpec {
  int trip = 1;
  int sync_all = 0;
};

using Flow = std::variant<CopySpec, RoundTripSpec, FanOutSpec, GemmSpec, IdleSpec>;

struct PhaseSpec {
  std::vector<Flow> flows;
  uint64_t mix_seed = 0;  // order of interleaving; 0 = one flow after the other
  int fuse = 0;
  int sync_after = 0;  // SYNC(all); the next phase may then reuse the on-chip memories
};

struct Scenario {
  std::vector<PhaseSpec> phases;
  uint64_t layout_seed = 0;  // gaps, ids of semaphores, rings, levels and base registers; 0 = the plainest
  uint64_t sync_seed = 0;
  int syncs = 0;  // SYNC words with random masks at random places
};

/// One line per flow with every value that differs from the default.
std::string describe(const Scenario& scenario);

}  // namespace lockstep::testgen
