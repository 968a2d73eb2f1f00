#include "compiler/lower/gemm.h"

#include <fmt/format.h>

#include "compiler/lower/gemm_steps.h"

namespace lockstep::lower {

namespace {

constexpr uint32_t kGemmTag = 1;

isa::Tensor activations_tensor(const analysis::Tiling& t) {
  isa::Tensor x;
  x.name = "activations";
  x.role = isa::TensorRole::kInput;
  x.type = isa::ElementType::kInt8;
  x.rows = t.shape.m;
  x.cols = t.shape.k;
  x.offset_bytes = t.hbm.activations;
  x.bytes = t.shape.m * t.hbm.activation_row_bytes;
  x.block_rows = x.rows;
  x.block_cols = x.cols;
  x.block_row_stride_bytes = x.bytes;
  x.block_col_stride_bytes = x.bytes;
  x.row_stride_bytes = t.hbm.activation_row_bytes;
  return x;
}

isa::Tensor weights_tensor(const analysis::Tiling& t) {
  isa::Tensor x;
  x.name = "weights";
  x.role = isa::TensorRole::kWeight;
  x.type = isa::ElementType::kInt8;
  x.rows = t.shape.k;
  x.cols = t.shape.n;
  x.offset_bytes = t.hbm.weights;
  x.bytes = t.n_tile.count * t.hbm.weight_block_bytes;
  x.block_rows = x.rows;
  x.block_cols = t.cols;
  x.block_row_stride_bytes = x.bytes;
  x.block_col_stride_bytes = t.hbm.weight_block_bytes;
  x.row_stride_bytes = t.cols;
  return x;
}

isa::Tensor outputs_tensor(const analysis::Tiling& t) {
  isa::Tensor x;
  x.name = "outputs";
  x.role = isa::TensorRole::kOutput;
  x.type = isa::ElementType::kInt32;
  x.rows = t.shape.m;
  x.cols = t.shape.n;
  x.offset_bytes = t.hbm.outputs;
  x.bytes = t.n_tile.count * t.hbm.output_block_bytes;
  x.block_rows = x.rows;
  x.block_cols = t.cols;
  x.block_row_stride_bytes = x.bytes;
  x.block_col_stride_bytes = t.hbm.output_block_bytes;
  x.row_stride_bytes = t.cols * isa::element_bytes(x.type);
  return x;
}

}  // namespace

std::variant<isa::Program, ir::Infeasible> lower_gemm(const std::string& name, const analysis::Tiling& tiling,
                                                    const chip::ChipSpec& chip) {
  const GemmSteps steps(tiling, chip);
  Code code = steps.prologue();
  for (Node& node : roll_steps(tiling, steps, steps.reach())) code.push_back(std::move(node));
  code.push_back(Word{});  // HALT

  isa::Program program;
  program.name = name;
  program.chip_hash = chip::timing_hash(chip);
  steps.initialise(program);
  program.code = assemble(code, kGemmTag);
  program.hbm_bytes = tiling.hbm.bytes;
  program.tensors = {activations_tensor(tiling), weights_tensor(tiling), outputs_tensor(tiling)};
  program.ops = {{kGemmTag, name}};
  if (static_cast<int64_t>(program.code.size()) > chip.imem_words) {
    return ir::Infeasible{"imem", fmt::format("the program needs {} words, imem_words is {}", program.code.size(), chip.imem_words)};
  }
  return program;
}

}  // namespace lockstep::lower
