// Random words and programs over the whole encoding, legal or not: every field anywhere in its range.
#pragma once

#include <random>
#include <string>

#include "hw/isa/field_table.h"
#include "hw/isa/program.h"

namespace lockstep::isa {

using Rng = std::mt19937_64;

inline int64_t pick(Rng& rng, int64_t min, int64_t max) { return std::uniform_int_distribution<int64_t>(min, max)(rng); }

/// Half of the fields stay 0 as in real programs; extremes are frequent.
inline int64_t random_value(Rng& rng, const Field& field) {
  switch (pick(rng, 0, 7)) {
    case 0: return field.min;
    case 1: return field.max;
    case 2: return pick(rng, field.min, field.max);
    case 3: return pick(rng, 0, std::min<int64_t>(field.max, 9));
    default: return 0;
  }
}

inline Instr random_word(Rng& rng) {
  Instr instr = blank_instr(all_ops()[static_cast<size_t>(pick(rng, 0, kOpCount - 1))]);
  for (const Field& field : op_fields(instr.op)) {
    if (field.name == "op") continue;
    const bool none_level = field.name.ends_with(".level1") || field.name.ends_with(".level2");
    field.set(instr, none_level && pick(rng, 0, 1) == 0 ? int64_t{TableIndex::kNone} : random_value(rng, field));
  }
  return instr;
}

inline std::string random_text(Rng& rng) {
  std::string out;
  for (int64_t n = pick(rng, 0, 12); n > 0; --n) out += static_cast<char>(pick(rng, 0, 3) == 0 ? pick(rng, 0, 255) : pick(rng, 'a', 'z'));
  return out;
}

inline Tensor random_tensor(Rng& rng) {
  Tensor t;
  t.name = random_text(rng);
  t.role = static_cast<TensorRole>(pick(rng, 0, 3));
  t.type = static_cast<ElementType>(pick(rng, 0, 3));
  for (int64_t* value : {&t.rows, &t.cols, &t.offset_bytes, &t.bytes, &t.block_rows, &t.block_cols, &t.block_row_stride_bytes,
                         &t.block_col_stride_bytes, &t.row_stride_bytes}) {
    *value = pick(rng, 0, 3) == 0 ? pick(rng, INT64_MIN, INT64_MAX) : pick(rng, 0, 5000);
  }
  return t;
}

inline Program random_program(Rng& rng) {
  Program p;
  p.name = random_text(rng);
  p.chip_hash = rng();
  p.hbm_bytes = pick(rng, INT64_MIN, INT64_MAX);
  for (int64_t& value : p.base_registers) value = pick(rng, 0, 1) == 0 ? 0 : pick(rng, INT64_MIN, INT64_MAX);
  for (RingInit& ring : p.rings) {
    if (pick(rng, 0, 1) == 0) ring = {static_cast<uint8_t>(pick(rng, 0, 255)), static_cast<uint8_t>(pick(rng, 0, 255))};
  }
  for (uint8_t& value : p.semaphores) value = static_cast<uint8_t>(pick(rng, 0, 3) == 0 ? pick(rng, 0, 255) : 0);
  for (int64_t n = pick(rng, 0, 20); n > 0; --n) p.smem.push_back(static_cast<uint32_t>(rng()));
  for (int64_t n = pick(rng, 0, 12); n > 0; --n) p.code.push_back(random_word(rng));
  for (int64_t n = pick(rng, 0, 3); n > 0; --n) p.tensors.push_back(random_tensor(rng));
  for (int64_t n = pick(rng, 0, 3); n > 0; --n) p.ops.push_back({static_cast<uint32_t>(rng()), random_text(rng)});
  return p;
}

}  // namespace lockstep::isa
