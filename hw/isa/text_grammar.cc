#include "hw/isa/text_grammar.h"

#include <array>

#include <fmt/format.h>

#include "hw/base/check.h"

namespace lockstep::isa {

namespace {

void add_side(std::vector<Item>& items, const std::string& side, ItemKind kind) {
  items.push_back({side, kind, side, "", true});
  items.push_back({"run", ItemKind::kNumber, side + ".run", side, true});
  items.push_back({"n1", ItemKind::kNumber, side + ".n1", side, false, 1});
  items.push_back({"stride1", ItemKind::kNumber, side + ".stride1", side});
  items.push_back({"stride2", ItemKind::kNumber, side + ".stride2", side});
}

std::vector<Item> dma_items() {
  std::vector<Item> items;
  add_side(items, "hbm", ItemKind::kHbmOperand);
  add_side(items, "vmem", ItemKind::kChipOperand);
  items.push_back({"reps", ItemKind::kCount, "reps", "", false, 1});
  items.push_back({"continues", ItemKind::kFlag, "continues", ""});
  items.push_back({"fill", ItemKind::kFlag, "fill", ""});
  items.push_back({"fill_value", ItemKind::kHex, "fill_value", ""});
  return items;
}

std::vector<Item> vx_items() {
  std::vector<Item> items = {
      {"kernel", ItemKind::kKernel, "kernel", "", true},
      {"rows", ItemKind::kCount, "rows", "", true},
      {"chunks", ItemKind::kNumber, "chunks", "", true},
      {"cols", ItemKind::kNumber, "cols_valid", "", true},
      {"rows_inner", ItemKind::kNumber, "rows_inner", ""},
  };
  for (int k = 0; k < 6; ++k) {
    const std::string slot = fmt::format("slot{}", k);
    items.push_back({slot, ItemKind::kSlot, slot, ""});
    items.push_back({"row", ItemKind::kNumber, slot + ".row_stride", slot});
    items.push_back({"chunk", ItemKind::kNumber, slot + ".chunk_stride", slot});
    if (k < 2) items.push_back({"row2", ItemKind::kNumber, slot + ".row_stride2", slot});
  }
  items.push_back({"imm0", ItemKind::kHex, "imm0", ""});
  items.push_back({"imm1", ItemKind::kHex, "imm1", ""});
  return items;
}

std::vector<Item> make_items(Op op) {
  switch (op) {
    case Op::kLd:
    case Op::kSt: return dma_items();
    case Op::kWld:
    case Op::kWldT:
      return {{"vmem", ItemKind::kChipOperand, "vmem", "", true},
              {"row_stride", ItemKind::kNumber, "row_stride", ""},
              {"k", ItemKind::kNumber, "k_valid", "", true},
              {"n", ItemKind::kNumber, "n_valid", "", true}};
    case Op::kMm:
      return {{"vmem", ItemKind::kChipOperand, "vmem", "", true},
              {"row_stride", ItemKind::kNumber, "row_stride", ""},
              {"acc", ItemKind::kChipOperand, "acc", "", true},
              {"rows", ItemKind::kCount, "rows", "", true},
              {"k", ItemKind::kNumber, "k_valid", "", true},
              {"n", ItemKind::kNumber, "n_valid", "", true},
              {"first", ItemKind::kFlag, "first", ""},
              {"switch", ItemKind::kFlag, "switch", ""}};
    case Op::kVx: return vx_items();
    case Op::kLoop:
      return {{"", ItemKind::kLevel, "level", "", true},
              {"trip", ItemKind::kCount, "trip", "", true},
              {"end", ItemKind::kNumber, "end_pc", ""}};
    case Op::kEndloop: return {{"", ItemKind::kLevel, "level", "", true}};
    case Op::kSync: return {{"engines", ItemKind::kEngines, "engines", "", true}};
    case Op::kHalt: return {};
  }
  return {};
}

}  // namespace

const std::vector<Item>& items_of(Op op) {
  static const std::array<std::vector<Item>, kOpCount + 1> kItems = [] {
    std::array<std::vector<Item>, kOpCount + 1> out;
    for (const Op each : all_ops()) out[static_cast<size_t>(each)] = make_items(each);
    return out;
  }();
  CHECK(is_op(static_cast<uint64_t>(op))) << "opcode " << static_cast<int>(op);
  return kItems[static_cast<size_t>(op)];
}

const std::vector<std::string>& space_names() {
  static const std::vector<std::string> kNames = {"none", "vmem", "acc0", "acc1", "acc2", "acc3"};
  return kNames;
}

const std::vector<std::string>& type_names() {
  static const std::vector<std::string> kNames = {"int32", "fp32", "int8", "bf16"};
  return kNames;
}

const std::vector<std::string>& role_names() {
  static const std::vector<std::string> kNames = {"input", "weight", "output", "scratch"};
  return kNames;
}

const std::vector<std::string>& element_names() {
  static const std::vector<std::string> kNames = {"int8", "int32", "bf16", "fp32"};
  return kNames;
}

}  // namespace lockstep::isa
