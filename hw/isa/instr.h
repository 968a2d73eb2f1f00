// One instruction word, decoded. Field names, widths and positions come from the one table in
// hw/isa/field_table.h; docs/isa.md states the meaning of every field.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "hw/isa/engine.h"
#include "hw/isa/operand.h"

namespace lockstep::isa {

enum class Op : uint8_t { kLd = 1, kSt, kWld, kWldT, kMm, kVx, kLoop, kEndloop, kSync, kHalt };

inline constexpr int kOpCount = 10;

/// Every op in opcode order.
const std::array<Op, kOpCount>& all_ops();

/// True when `value` is the opcode of an op.
bool is_op(uint64_t value);

/// SEM-3: the moment of a post.
enum class PostWhen : uint8_t { kSourceFree = 0, kDone = 1 };

/// count 0 = unused (then sem must be 0).
struct Wait {
  uint8_t sem = 0;
  uint8_t count = 0;
  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Post {
  uint8_t sem = 0;
  uint8_t count = 0;
  PostWhen when = PostWhen::kSourceFree;
  friend bool operator==(const Post&, const Post&) = default;
};

/// LD and ST. `reps` is the outer repetition of both sides; run*n1 must be equal on both sides.
struct DmaBody {
  HbmOperand hbm;
  DmaShape hbm_shape;
  ChipOperand vmem;
  DmaShape vmem_shape;
  Count reps;
  bool continues = false;  // MEM-4
  bool fill = false;       // fill mode: LD writes fill_value, no HBM read (refused until built)
  uint32_t fill_value = 0;
  friend bool operator==(const DmaBody&, const DmaBody&) = default;
};

/// WLD and WLD.T: R rows (WLD) of C elements at vmem + k*row_stride.
struct WldBody {
  ChipOperand vmem;
  int64_t row_stride_bytes = 0;
  uint32_t k_valid = 0;
  uint32_t n_valid = 0;
  friend bool operator==(const WldBody&, const WldBody&) = default;
};

struct MmBody {
  ChipOperand vmem;  // activations: row m at vmem + m*row_stride, R elements
  int64_t row_stride_bytes = 0;
  ChipOperand acc;  // accumulator row of m = 0
  Count rows;       // M
  uint32_t k_valid = 0;
  uint32_t n_valid = 0;
  bool first = false;        // overwrite instead of accumulate (MXU-6)
  bool switch_plane = false; // carries the switch token (MXU-2)
  friend bool operator==(const MmBody&, const MmBody&) = default;
};

enum class VxSpace : uint8_t { kNone = 0, kVmem = 1, kAcc0 = 2, kAcc1 = 3, kAcc2 = 4, kAcc3 = 5 };
enum class VxType : uint8_t { kInt32 = 0, kFp32 = 1, kInt8 = 2, kBf16 = 3 };

struct VxSlot {
  VxSpace space = VxSpace::kNone;
  VxType type = VxType::kInt32;
  int64_t imm = 0;
  std::array<LoopTerm, 2> loops;
  RingTerm ring;
  int64_t row_stride = 0;    // bytes in VMEM, rows in accumulators
  int64_t chunk_stride = 0;  // same units; in accumulators once per full row of chunks (VX-4)
  int64_t row_stride2 = 0;   // slots 0 and 1 only (VPU-4)
  friend bool operator==(const VxSlot&, const VxSlot&) = default;
};

/// Kernel 0 is the built-in copy {load slot 0 from accumulators; store slot 1 to VMEM}, int32, unroll 1.
inline constexpr uint32_t kKernelCopy = 0;

struct VxBody {
  uint32_t kernel = kKernelCopy;
  Count rows;
  uint32_t chunks = 0;      // N column chunks of vpu.lanes columns
  uint32_t cols_valid = 0;  // columns < cols_valid of the N*lanes are written
  uint32_t rows_inner = 0;  // r2 extent of two-level row addressing; 0 = single level (VPU-4)
  std::array<VxSlot, 6> slots;
  uint32_t imm0_bits = 0;  // fp32 bit patterns
  uint32_t imm1_bits = 0;
  friend bool operator==(const VxBody&, const VxBody&) = default;
};

struct LoopBody {
  uint8_t level = 0;
  Count trip;
  uint32_t end_pc = 0;  // of the matching ENDLOOP
  friend bool operator==(const LoopBody&, const LoopBody&) = default;
};

struct EndloopBody {
  uint8_t level = 0;
  friend bool operator==(const EndloopBody&, const EndloopBody&) = default;
};

struct SyncBody {
  uint16_t engines = 0;  // bit e = engine e
  friend bool operator==(const SyncBody&, const SyncBody&) = default;
};

struct HaltBody {
  friend bool operator==(const HaltBody&, const HaltBody&) = default;
};

struct Instr {
  Op op = Op::kHalt;
  uint8_t unit = 0;  // engine instance within its kind (MXU-8, DMA-5)
  std::array<Wait, 2> waits;
  std::array<Post, 2> posts;
  uint16_t step = 0;  // SEQ-1: rings advanced after this word's addresses are formed
  uint32_t tag = 0;   // compiler op id, 24 bits, echoed everywhere
  std::variant<HaltBody, DmaBody, WldBody, MmBody, VxBody, LoopBody, EndloopBody, SyncBody> body;
  friend bool operator==(const Instr&, const Instr&) = default;
};

/// True for LD, ST, WLD, WLD.T, MM, VX: the words that go to an engine queue.
bool is_engine_op(Op op);

/// Engine of an engine op (CHECKs is_engine_op).
EngineId engine_of(const Instr& instr);

/// Units an op may name in the encoding (LD 2, WLD and MM 4, else 1); a chip may have fewer.
int unit_count(Op op);

/// An instruction of `op` with every field 0 and the body the op needs.
Instr blank_instr(Op op);

/// True when the variant holds the body that `instr.op` needs; everything that reads a body relies on it.
bool body_matches_op(const Instr& instr);

/// "LD", "WLD.T", "ENDLOOP" ...
const char* op_name(Op op);

}  // namespace lockstep::isa
