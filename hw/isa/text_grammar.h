// Which keywords a word of each op has in the text form, and which fields of the table they stand for. The printer
// and the parser both work from this list, so neither can know a field the other does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/isa/instr.h"

namespace lockstep::isa {

enum class ItemKind : uint8_t {
  kNumber,       // key=12
  kHex,          // key=0x3f800000
  kFlag,         // key
  kHbmOperand,   // key=[b1 + 0x400 + i2*4096]
  kChipOperand,  // key=[0x0 + i1*64 + r0*8192]
  kSlot,         // key=acc0.int32[0x0 + r0*64]
  kCount,        // key=12 or key=smem[3 + i1]
  kKernel,       // key=copy or key=3
  kEngines,      // key={LD0,MM0}
  kLevel,        // i2, no keyword
};

struct Item {
  std::string keyword;
  ItemKind kind;
  std::string field;         // field name, or the prefix of an operand's fields
  std::string group;         // keyword of the operand this one must follow; empty = anywhere
  bool required = false;     // an omitted item is an error
  int64_t default_value = 0;  // meaning of an omitted number or count
};

/// Items of `op` in the order they are printed, without waits, posts, step and tag, which all words have.
const std::vector<Item>& items_of(Op op);

/// "acc0" <-> VxSpace, "int32" <-> VxType by field value.
const std::vector<std::string>& space_names();
const std::vector<std::string>& type_names();

/// Role and element type of a tensor by enumerator value.
const std::vector<std::string>& role_names();
const std::vector<std::string>& element_names();

}  // namespace lockstep::isa
