// Checks that need no more than one word, or the image header.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hw/isa/check_fields.h"
#include "hw/isa/verify_context.h"

namespace lockstep::isa {

namespace {

/// True when the farthest element of the blocks and rows in front of `row` and `col` lies before `end`. Every term is
/// compared by a division first, so that no sum or product leaves 64 bits whatever the strides and extents are.
bool element_fits(const Tensor& tensor, int64_t row, int64_t col, int64_t end) {
  const std::pair<int64_t, int64_t> terms[] = {{row / tensor.block_rows, tensor.block_row_stride_bytes},
                                               {col / tensor.block_cols, tensor.block_col_stride_bytes},
                                               {row % tensor.block_rows, tensor.row_stride_bytes},
                                               {col % tensor.block_cols, element_bytes(tensor.type)}};
  int64_t address = tensor.offset_bytes;
  for (const auto& [count, stride] : terms) {
    if (count > 0 && stride > (end - address) / count) return false;
    address += count * stride;
  }
  return element_bytes(tensor.type) <= end - address;
}

/// True when `tensor` lies inside the image, its farthest element included.
bool tensor_fits(const Tensor& tensor, int64_t hbm_bytes) {
  if (tensor.rows < 0 || tensor.cols < 0 || tensor.block_rows <= 0 || tensor.block_cols <= 0) return false;
  if (tensor.offset_bytes < 0 || tensor.bytes < 0 || tensor.offset_bytes > hbm_bytes) return false;
  if (tensor.bytes > hbm_bytes - tensor.offset_bytes) return false;
  if (tensor.rows == 0 || tensor.cols == 0) return true;
  for (const int64_t stride : {tensor.block_row_stride_bytes, tensor.block_col_stride_bytes, tensor.row_stride_bytes}) {
    if (stride < 0) return false;
  }
  // Strides are not negative, so the far corner of the last full block or of the last block is the highest element.
  const int64_t end = tensor.offset_bytes + tensor.bytes;
  for (const int64_t row : {tensor.rows - 1, std::min(tensor.rows, tensor.block_rows) - 1}) {
    for (const int64_t col : {tensor.cols - 1, std::min(tensor.cols, tensor.block_cols) - 1}) {
      if (!element_fits(tensor, row, col, end)) return false;
    }
  }
  return true;
}

void check_rings(VerifyContext& context) {
  for (size_t r = 0; r < context.program.rings.size(); ++r) {
    const RingInit& ring = context.program.rings[r];
    if (ring.modulus >= 1 && ring.modulus <= kRingMaxModulus && ring.start < ring.modulus) continue;
    context.report("E0607", fmt::format("ring r{} needs a modulus in [1, {}] and a start below it, got modulus {} start {} (SEQ-1)", r,
                                        kRingMaxModulus, int{ring.modulus}, int{ring.start}));
  }
}

/// Waits and posts: none on sequencer words, different ids, unused ones all zero (SEM-2).
void check_semaphore_fields(VerifyContext& context, size_t pc) {
  const Instr& instr = context.program.code[pc];
  for (const Wait& wait : instr.waits) {
    if (wait.count == 0 && wait.sem != 0) context.report("E0638", pc, "an unused wait must be all zero");
    if (wait.count != 0 && !is_engine_op(instr.op)) context.report("E0636", pc, "only words for an engine may wait");
  }
  for (const Post& post : instr.posts) {
    if (post.count == 0 && post != Post{}) context.report("E0638", pc, "an unused post must be all zero");
    if (post.count != 0 && !is_engine_op(instr.op)) context.report("E0636", pc, "only words for an engine may post");
  }
  const auto& [wait0, wait1] = instr.waits;
  if (wait0.count != 0 && wait1.count != 0 && wait0.sem == wait1.sem) {
    context.report("E0637", pc, fmt::format("both waits are on s{} (SEM-2)", int{wait0.sem}));
  }
  const auto& [post0, post1] = instr.posts;
  if (post0.count != 0 && post1.count != 0 && post0.sem == post1.sem) {
    context.report("E0637", pc, fmt::format("both posts are to s{} (SEM-2)", int{post0.sem}));
  }
}

void check_unit(VerifyContext& context, size_t pc) {
  const Instr& instr = context.program.code[pc];
  int units = 1;
  if (instr.op == Op::kLd) units = context.chip.dma.load_queues;
  const bool matrix = instr.op == Op::kWld || instr.op == Op::kWldT || instr.op == Op::kMm;
  if (matrix) units = context.chip.mxu.count;
  if (!is_engine_op(instr.op)) {
    if (instr.unit != 0) context.report("E0638", pc, "the unit of a sequencer word must be 0");
  } else if (instr.unit >= units) {
    context.report("E0630", pc, fmt::format("chip {} has {} such unit{} (MXU-8, DMA-5)", context.chip.name, units, units == 1 ? "" : "s"));
  } else if (matrix && instr.unit >= context.options.built_mxus) {
    context.report("E0807", pc, fmt::format("only MXU units below {} are built", context.options.built_mxus));
  }
}

void check_count_built(VerifyContext& context, size_t pc, const Count& count) {
  if (count.from_table) context.report("E0801", pc, "counts from SMEM tables are not built (SEQ-2)");
  else if (count.index != TableIndex{}) context.report("E0638", pc, "the SMEM index of an immediate count must be unused");
}

void check_dma_built(VerifyContext& context, size_t pc, const DmaBody& body) {
  if (body.hbm.table.scale_granules != 0) context.report("E0801", pc, "address terms from SMEM tables are not built (SEQ-2)");
  else if (body.hbm.table.index != TableIndex{}) context.report("E0638", pc, "the index of an unused table term must be unused");
  if (body.fill) context.report("E0802", pc, "fill mode is not built");
  else if (body.fill_value != 0) context.report("E0638", pc, "fill_value is only for fill mode");
  check_count_built(context, pc, body.reps);
}

void check_vx_built(VerifyContext& context, size_t pc, const VxBody& body) {
  if (body.kernel != kKernelCopy) context.report("E0804", pc, fmt::format("kernel {} is not built, only copy is (VX-1)", body.kernel));
  if (body.rows_inner != 0 || body.slots[0].row_stride2 != 0 || body.slots[1].row_stride2 != 0) {
    context.report("E0806", pc, "two-level row addressing is not built (VPU-4)");
  }
  for (size_t k = 0; k < body.slots.size(); ++k) {
    const VxSlot& slot = body.slots[k];
    if (slot.space == VxSpace::kNone && slot != VxSlot{}) context.report("E0638", pc, fmt::format("slot{} has no space and must be all zero", k));
    if (slot.type != VxType::kInt32) context.report("E0805", pc, fmt::format("slot{}: only int32 is built", k));
  }
  check_count_built(context, pc, body.rows);
}

void check_built(VerifyContext& context, size_t pc) {
  const Instr& instr = context.program.code[pc];
  if (const auto* dma = std::get_if<DmaBody>(&instr.body)) check_dma_built(context, pc, *dma);
  if (const auto* vx = std::get_if<VxBody>(&instr.body)) check_vx_built(context, pc, *vx);
  if (const auto* mm = std::get_if<MmBody>(&instr.body)) check_count_built(context, pc, mm->rows);
  if (const auto* loop = std::get_if<LoopBody>(&instr.body)) check_count_built(context, pc, loop->trip);
  if (instr.op == Op::kWldT) context.report("E0803", pc, "transposed weight loads are not built (MXU-3)");
}

}  // namespace

void check_header(VerifyContext& context) {
  const Program& program = context.program;
  const uint64_t hash = chip::timing_hash(context.chip);
  if (context.options.check_chip_hash && program.chip_hash != hash) {
    context.report("E0605", fmt::format("the program was made for a chip with hash 0x{:016x}, {} has 0x{:016x} (ISA-2)", program.chip_hash,
                                        context.chip.name, hash));
  }
  if (static_cast<int64_t>(program.code.size()) > context.chip.imem_words) {
    context.report("E0606", fmt::format("the program has {} words, imem_words is {}", program.code.size(), context.chip.imem_words));
  }
  check_rings(context);
  if (!program.smem.empty()) context.report("E0801", "SMEM tables are not built (SEQ-2)");
  if (program.hbm_bytes < 0 || program.hbm_bytes > (int64_t{1} << 39)) {
    context.report("E0608", fmt::format("hbm_bytes must be in [0, 2^39], got {}", program.hbm_bytes));
    return;
  }
  for (const Tensor& tensor : program.tensors) {
    if (tensor_fits(tensor, program.hbm_bytes)) continue;
    context.report("E0609", fmt::format("tensor \"{}\": its elements do not lie inside its {} bytes at {} of an image of {} bytes", tensor.name,
                                        tensor.bytes, tensor.offset_bytes, program.hbm_bytes));
  }
}

void check_words(VerifyContext& context) {
  for (size_t pc = 0; pc < context.program.code.size() && !context.full(); ++pc) {
    DiagSink fields;
    check_fields(context.program.code[pc], {}, fmt::format("word {}", pc), fields);
    for (const Diag& diag : fields.diags()) context.report(diag.code.c_str(), diag.message);
    if (fields.has_errors()) continue;
    check_semaphore_fields(context, pc);
    check_unit(context, pc);
    check_built(context, pc);
  }
}

}  // namespace lockstep::isa
