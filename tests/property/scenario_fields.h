// Visits every number of a scenario with its name and plainest value: describe() and the shrinker are built on it.
#pragma once

#include <variant>

#include "tests/property/scenario.h"

namespace lockstep::testgen {

/// Masks are clipped to the array, so this is none.
inline constexpr int kNoMask = 1 << 16;

/// fn(name, value reference, plainest value).
template <typename Fn>
void visit_fields(ShapeSpec& s, Fn&& fn) {
  fn("unit", s.unit, 1), fn("hbm_n1", s.hbm_n1, 1), fn("vmem_n1", s.vmem_n1, 1), fn("reps", s.reps, 1);
  fn("hbm_gap", s.hbm_gap, 0), fn("vmem_gap", s.vmem_gap, 0), fn("hbm_rep_gap", s.hbm_rep_gap, 0);
  fn("vmem_rep_gap", s.vmem_rep_gap, 0), fn("zero", s.zero, 0);
}

template <typename Fn>
void visit_fields(PartsSpec& s, Fn&& fn) {
  fn("count", s.count, 1), fn("style", s.style, 0);
}

template <typename Fn>
void visit_fields(NestSpec& s, Fn&& fn) {
  for (int& trip : s.trips) fn("trip", trip, 1);
  for (int& stride : s.load_strides) fn("load_stride", stride, 0);
  for (int& stride : s.store_strides) fn("store_stride", stride, 0);
  for (int& stride : s.chip_strides) fn("chip_stride", stride, 0);
}

template <typename Fn>
void visit_fields(CopySpec& s, Fn&& fn) {
  visit_fields(s.nest, fn);
  visit_fields(s.load, fn), visit_fields(s.store, fn);
  visit_fields(s.load_parts, fn), visit_fields(s.store_parts, fn);
  fn("lookahead", s.lookahead, 0), fn("slots", s.slots, 1), fn("ld_unit", s.ld_unit, 0);
  fn("store_first", s.store_first, 0), fn("relays", s.relays, 0), fn("zero_loads", s.zero_loads, 0);
  fn("zero_stores", s.zero_stores, 0), fn("free_at_done", s.free_at_done, 0), fn("token_scale", s.token_scale, 1);
  fn("continues", s.continues, 0);
}

template <typename Fn>
void visit_fields(RoundTripSpec& s, Fn&& fn) {
  visit_fields(s.nest, fn);
  visit_fields(s.load, fn), visit_fields(s.store, fn), visit_fields(s.reload, fn), visit_fields(s.restore, fn);
  fn("slots", s.slots, 1), fn("ld_unit", s.ld_unit, 0), fn("reload_unit", s.reload_unit, 0);
  fn("free_at_done", s.free_at_done, 0);
}

template <typename Fn>
void visit_fields(FanOutSpec& s, Fn&& fn) {
  visit_fields(s.nest, fn);
  visit_fields(s.store, fn);
  fn("mxu", s.mxu, 0), fn("ld_unit", s.ld_unit, 0), fn("rows", s.rows, 1), fn("slots", s.slots, 1);
}

template <typename Fn>
void visit_fields(LayerSpec& s, Fn&& fn) {
  fn("k_tiles", s.k_tiles, 1), fn("mms_per_wld", s.mms_per_wld, 1), fn("loop_k", s.loop_k, 0);
  fn("w_lookahead", s.w_lookahead, 0), fn("w_slots", s.w_slots, 1), fn("w_late", s.w_late, 0);
  fn("w_residency", s.w_residency, 0), fn("w_unit", s.w_unit, 0), fn("wld_ahead", s.wld_ahead, 0);
  fn("rows", s.rows, 1), fn("vx_rows", s.vx_rows, 1), fn("vx_chunks", s.vx_chunks, 1), fn("vx_cols", s.vx_cols, kNoMask);
  fn("k_valid_w", s.k_valid_w, kNoMask), fn("n_valid_w", s.n_valid_w, kNoMask), fn("k_valid_m", s.k_valid_m, kNoMask);
  fn("n_valid_m", s.n_valid_m, kNoMask), fn("k_valid_last", s.k_valid_last, kNoMask);
  fn("w_stride", s.w_stride, 0), fn("w_offset", s.w_offset, 0), fn("a_stride", s.a_stride, 0), fn("a_step", s.a_step, 0);
  fn("acc_slots", s.acc_slots, 1), fn("acc_step", s.acc_step, 0), fn("acc_shift", s.acc_shift, 0);
  fn("acc_counted", s.acc_counted, 0), fn("vx_row_stride", s.vx_row_stride, 1), fn("vx_gap", s.vx_gap, 0);
  visit_fields(s.vx_parts, fn);
  fn("out_slots", s.out_slots, 1);
}

template <typename Fn>
void visit_fields(GemmSpec& s, Fn&& fn) {
  visit_fields(s.nest, fn);
  for (LayerSpec& layer : s.layers) visit_fields(layer, fn);
  fn("a_lookahead", s.a_lookahead, 0), fn("a_slots", s.a_slots, 1), fn("a_late", s.a_late, 0);
  fn("a_residency", s.a_residency, 0), fn("a_unit", s.a_unit, 0), fn("mxu", s.mxu, 0);
  visit_fields(s.w_load, fn), visit_fields(s.a_load, fn), fn("strided_loads", s.strided_loads, 0);
  fn("has_store", s.has_store, 0), visit_fields(s.store, fn), visit_fields(s.store_parts, fn);
  fn("token_scale", s.token_scale, 1), fn("free_at_done", s.free_at_done, 0);
}

template <typename Fn>
void visit_fields(IdleSpec& s, Fn&& fn) {
  fn("trip", s.trip, 1), fn("sync_all", s.sync_all, 0);
}

template <typename Fn>
void visit_fields(Flow& flow, Fn&& fn) {
  std::visit([&](auto& spec) { visit_fields(spec, fn); }, flow);
}

/// Nest of a flow, or nullptr.
inline NestSpec* nest_of(Flow& flow) {
  return std::visit(
      [](auto& spec) -> NestSpec* {
        if constexpr (requires { spec.nest; }) return &spec.nest;
        return nullptr;
      },
      flow);
}

}  // namespace lockstep::testgen
