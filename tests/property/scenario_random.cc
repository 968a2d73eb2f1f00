// Draws scenarios. Ranges lean to corners: zero, one, the array's sizes and just beside them, odd granule counts,
// and sizes around the burst.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "hw/base/rng.h"
#include "tests/property/program_gen.h"

namespace lockstep::testgen {
namespace {

class Drawer {
 public:
  Drawer(uint64_t seed, const chip::ChipSpec& chip, const GenOptions& options) : random_(seed), chip_(chip), options_(options) {}

  Scenario scenario() {
    Scenario s;
    s.layout_seed = chance(0.9) ? 1 + random_.below(1u << 30) : 0;
    const int phases = range(1, options_.max_phases);
    for (int p = 0; p < phases; ++p) s.phases.push_back(phase());
    s.syncs = chance(0.3) ? range(1, 4) : 0;
    s.sync_seed = random_.next();
    return s;
  }

 private:
  bool chance(double probability) { return random_.chance(probability); }
  int range(int low, int high) { return static_cast<int>(random_.between(low, high)); }
  int pick(std::initializer_list<int> values) { return values.begin()[random_.below(values.size())]; }
  /// 0 with the given probability, else low..high.
  int rarely(double probability, int low, int high) { return chance(probability) ? range(low, high) : 0; }

  PhaseSpec phase() {
    PhaseSpec p;
    trips_.clear();
    const int flows = range(1, options_.max_flows);
    for (int f = 0; f < flows; ++f) p.flows.push_back(flow());
    p.mix_seed = chance(0.9) ? 1 + random_.below(1u << 30) : 0;
    p.fuse = chance(0.6) ? 1 : 0;
    p.sync_after = chance(0.4) ? 1 : 0;
    return p;
  }

  Flow flow() {
    const int kind = range(0, 99);
    if (options_.use_mxu && kind < 40) return gemm();
    if (options_.use_mxu && kind < 46) return fan_out();
    if (kind < 56) return round_trip();
    if (kind < 62) return IdleSpec{chance(0.5) ? range(0, 8) : range(20, 120), range(0, 1)};
    return chance(0.15) ? flood() : copy();
  }

  /// Flows of a phase often share their nest, so that fusing loops finds partners.
  NestSpec nest(int max_depth) {
    NestSpec n;
    if (!trips_.empty() && chance(0.5)) {
      n.trips = trips_;
    } else {
      const int depth = chance(0.05) ? 0 : chance(0.5) ? 1 : range(1, max_depth);
      int items = 1;
      for (int d = 0; d < depth; ++d) {
        int trip = chance(0.03) ? 0 : chance(0.15) ? 1 : range(2, 5);
        if (items * trip > options_.max_items) trip = std::max(1, options_.max_items / items);
        items *= std::max(1, trip);
        n.trips.push_back(trip);
      }
      trips_ = n.trips;
    }
    for (size_t d = 0; d < n.trips.size(); ++d) {
      n.load_strides.push_back(stride());
      n.store_strides.push_back(stride());
    }
    return n;
  }

  int stride() {
    const int granule = chip_.dma.granule_bytes;
    return pick({0, range(-9, 9), range(1, 40), std::max(1, 4096 / granule), std::max(1, chip_.dma.burst_bytes / granule), -1});
  }

  ShapeSpec shape(int max_granules) {
    ShapeSpec s;
    const int burst = std::max(1, chip_.dma.burst_bytes / chip_.dma.granule_bytes);
    s.unit = chance(0.25) ? range(burst - 1, 2 * burst + 1) : chance(0.1) ? 61 : range(1, 9);
    if (chance(0.5)) s.hbm_n1 = range(1, 4);
    if (chance(0.5)) s.vmem_n1 = range(1, 4);
    if (chance(0.3)) s.reps = range(2, 3);
    s.unit = std::clamp(s.unit, 1, std::max(1, max_granules / (s.hbm_n1 * s.vmem_n1 * s.reps)));
    const auto gap = [&](int run) { return chance(0.5) ? 0 : chance(0.25) ? -range(1, 2 * run) : range(1, 12); };
    s.hbm_gap = gap(s.unit * s.vmem_n1);
    s.vmem_gap = chance(0.6) ? 0 : gap(s.unit * s.hbm_n1);
    s.hbm_rep_gap = gap(s.unit * s.vmem_n1 * s.hbm_n1);
    s.vmem_rep_gap = chance(0.6) ? 0 : gap(s.unit * s.vmem_n1 * s.hbm_n1);
    if (chance(0.06)) s.zero = range(1, 3);
    return s;
  }

  /// Granules of one item such that several channels fit.
  int item_granules() const {
    const int64_t granules = chip::vmem_bytes(chip_) / chip_.dma.granule_bytes;
    return static_cast<int>(std::clamp<int64_t>(granules / 24, 1, 160));
  }

  PartsSpec parts(int max_count) {
    PartsSpec p;
    if (chance(0.4)) p.count = range(1, max_count);
    p.style = range(0, 2);
    return p;
  }

  CopySpec copy() {
    CopySpec c;
    c.nest = nest(4);
    if (chance(0.3)) {
      for (size_t d = 0; d < c.nest.trips.size(); ++d) c.nest.chip_strides.push_back(range(-3, 3));
    }
    c.load_parts = parts(3);
    c.store_parts = parts(3);
    c.load = shape(item_granules() / c.load_parts.count);
    c.store = shape(item_granules() / c.store_parts.count);
    c.ld_unit = range(0, 1);
    c.slots = range(1, 3);
    c.lookahead = chance(0.5) ? range(0, c.slots) : 0;
    c.store_first = range(0, 1);
    c.relays = rarely(0.2, 1, 3);
    c.zero_loads = rarely(0.12, 1, 4);
    c.zero_stores = rarely(0.12, 1, 4);
    c.free_at_done = range(0, 1);
    c.token_scale = chance(0.3) ? range(2, 9) : 1;
    c.continues = chance(0.1) ? 1 : 0;
    return c;
  }

  /// Long runs of one engine's words without waits, to fill queues, windows and command slots.
  CopySpec flood() {
    CopySpec c = copy();
    while (c.nest.trips.size() > 1) c.nest.trips.pop_back();
    if (!c.nest.trips.empty()) c.nest.trips[0] = std::min(c.nest.trips[0], 2);
    c.nest.chip_strides.clear();
    c.load = c.store = ShapeSpec{};
    c.load.unit = range(1, 3);
    c.store.unit = range(1, 3);
    c.slots = 1;
    c.lookahead = 0;
    c.load_parts = {range(8, 40), pick({0, 2, 2})};
    c.store_parts = {range(8, 40), pick({0, 2, 2})};
    return c;
  }

  RoundTripSpec round_trip() {
    RoundTripSpec r;
    r.nest = nest(2);
    r.load = shape(item_granules());
    r.store = shape(item_granules());
    r.reload = shape(item_granules());
    r.restore = shape(item_granules());
    r.ld_unit = range(0, 1);
    r.reload_unit = range(0, 1);
    r.slots = range(1, 2);
    r.free_at_done = range(0, 1);
    return r;
  }

  FanOutSpec fan_out() {
    FanOutSpec f;
    f.nest = nest(2);
    f.store = shape(item_granules());
    f.mxu = range(0, chip_.mxu.count - 1);
    f.ld_unit = range(0, 1);
    f.rows = range(0, chip_.mxu.rows);
    f.slots = range(1, 3);
    return f;
  }

  int mm_rows() {
    const int rows = chip_.mxu.rows, wave = rows / chip_.mxu.weight_load_rows;
    const int drawn = pick({0, 1, wave - 1, wave, wave + 1, rows, range(1, 2 * rows), range(1, 2 * rows)});
    return std::clamp(drawn, 0, chip_.mxu.acc_rows / 6);
  }

  int mask(int size) { return chance(0.6) ? 1 << 16 : pick({0, 1, size - 1, range(1, size), range(1, size)}); }

  LayerSpec layer() {
    LayerSpec l;
    l.k_tiles = chance(0.3) ? 1 : chance(0.1) ? range(5, 9) : range(2, 4);
    l.loop_k = range(0, 1);
    l.mms_per_wld = chance(0.6) ? 1 : range(2, 3);
    l.w_residency = range(0, 2);
    l.w_slots = range(1, 3);
    l.w_lookahead = chance(0.5) ? range(0, l.w_slots) : 0;
    l.w_late = range(0, 1);
    l.w_unit = range(0, 1);
    l.wld_ahead = chance(0.35) ? 1 : 0;
    l.k_valid_w = mask(chip_.mxu.rows), l.n_valid_w = mask(chip_.mxu.cols);
    l.k_valid_m = mask(chip_.mxu.rows), l.n_valid_m = mask(chip_.mxu.cols);
    l.k_valid_last = mask(chip_.mxu.rows);
    l.w_stride = chance(0.6) ? 0 : range(-2, 2);
    l.w_offset = !chance(0.3) ? 0 : options_.byte_offsets ? range(1, 60) : chip_.mxu.cols * range(1, 4);
    l.rows = mm_rows();
    l.a_stride = chance(0.6) ? 0 : range(-3, 2);
    l.a_step = chance(0.5) ? 0 : range(-2, l.rows + 1);
    l.acc_slots = range(1, 3);
    l.acc_step = chance(0.3) ? range(0, l.rows + 2) : l.rows;
    l.acc_shift = chance(0.6) ? 0 : range(0, 3);
    l.acc_counted = chance(0.3) ? 1 : 0;
    l.vx_rows = chance(0.6) ? l.rows : range(0, 2 * chip_.mxu.rows);
    l.vx_rows = std::min(l.vx_rows, chip_.mxu.acc_rows / 6);
    const int chunks = chip_.mxu.cols / chip_.vpu.lanes;
    l.vx_chunks = chance(0.6) ? chunks : range(0, 2 * chunks);
    l.vx_cols = chance(0.6) ? 1 << 16 : range(0, chip_.mxu.cols);
    l.vx_row_stride = chance(0.8) ? 1 : range(0, 2);
    l.vx_gap = rarely(0.3, 1, 2);
    l.vx_parts = parts(3);
    l.out_slots = range(1, 3);
    return l;
  }

  GemmSpec gemm() {
    GemmSpec g;
    g.nest = nest(3);
    g.layers.push_back(layer());
    if (chance(0.25)) g.layers.push_back(layer());
    if (chance(0.15)) back_to_back(g.layers[0]);
    g.mxu = range(0, chip_.mxu.count - 1);
    g.a_residency = range(0, 2);
    g.a_slots = range(1, 3);
    g.a_lookahead = chance(0.5) ? range(0, g.a_slots) : 0;
    g.a_late = range(0, 1);
    g.a_unit = range(0, 1);
    if (chance(0.4)) {
      for (size_t d = 0; d < g.nest.trips.size(); ++d) g.nest.chip_strides.push_back(range(-1, 1));
    }
    g.strided_loads = range(0, 1);
    g.w_load.hbm_gap = range(-4, 6), g.w_load.hbm_rep_gap = range(-4, 6);
    g.a_load.hbm_gap = range(-4, 6), g.a_load.hbm_rep_gap = range(-4, 6);
    g.has_store = chance(0.95) ? 1 : 0;
    g.store_parts = parts(3);
    g.store = shape(item_granules() / g.store_parts.count);
    g.token_scale = chance(0.3) ? range(2, 9) : 1;
    g.free_at_done = range(0, 1);
    return g;
  }

  /// Many pairs of WLD and MM without a wait between them.
  void back_to_back(LayerSpec& l) {
    l.k_tiles = range(6, 20);
    l.w_residency = pick({kPerItem, kOnce});
    l.mms_per_wld = 1;
    l.acc_counted = 0;
    l.acc_shift = 0;
    l.w_slots = l.acc_slots = 1;
    l.rows = std::min(l.rows, chip_.mxu.rows);
  }

  Rng random_;
  const chip::ChipSpec& chip_;
  const GenOptions& options_;
  std::vector<int> trips_;
};

}  // namespace

Scenario random_scenario(uint64_t seed, const chip::ChipSpec& chip, const GenOptions& options) {
  return Drawer(seed, chip, options).scenario();
}

}  // namespace lockstep::testgen
