// The one table of the instruction word: every field of every op, with its place, meaning and accessor.
// Binary encoding, text ranges, the SystemVerilog package and the tables of docs/isa.md are all derived from it.
//
// A field's position is not written anywhere: fields are packed in table order from bit 0 up. The header comes
// first and is the same for every op; the word is as wide as the widest op, rounded up to 256 bits (ISA-1).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/isa/instr.h"

namespace lockstep::isa {

inline constexpr int kHbmAddressBits = 40;   // two's complement, so HBM addresses reach 2^39 (ISA-2)
inline constexpr int kChipAddressBits = 28;  // two's complement, so VMEM reaches 2^27 bytes
inline constexpr int kCountBits = 24;        // trips, rows and repetitions are < 2^24 (SEQ-3)
inline constexpr int kTagBits = 24;
inline constexpr int kPcBits = 20;
inline constexpr int kWordGrain = 256;

struct Field {
  std::string name;  // dotted path: "hbm.loop0.stride", "slot2.imm"
  int lsb = 0;
  int width = 0;
  bool is_signed = false;
  bool is_header = false;
  int64_t min = 0;  // smallest and largest legal value, within what `width` can hold
  int64_t max = 0;
  std::string unit;      // "bytes", "rows", "count", "id", "flag" ...
  std::string sentence;  // what it means
  std::function<int64_t(const Instr&)> get;  // needs body_matches_op
  std::function<void(Instr&, int64_t)> set;  // truncates to the member's type; check min..max first
};

/// All fields of the words of `op`, header first, by ascending lsb without gaps.
const std::vector<Field>& op_fields(Op op);

/// The field called `name`, or null.
const Field* find_field(Op op, std::string_view name);

/// The same, CHECKed to exist.
const Field& field_of(Op op, std::string_view name);

int header_bits();

/// Bits of an instruction word, a multiple of 256.
int word_bits();
inline int word_bytes() { return word_bits() / 8; }

/// The field as a SystemVerilog constant stem: op LD, "hbm.loop0.stride" -> "LD_HBM_LOOP0_STRIDE"; header fields
/// get "HDR_"; WLD.T is WLDT.
std::string field_constant(Op op, const Field& field);

}  // namespace lockstep::isa
