#include "hw/isa/program.h"

#include "hw/base/check.h"

namespace lockstep::isa {

int element_bytes(ElementType type) {
  switch (type) {
    case ElementType::kInt8: return 1;
    case ElementType::kBf16: return 2;
    case ElementType::kInt32:
    case ElementType::kFp32: return 4;
  }
  return 0;
}

int64_t element_address(const Tensor& tensor, int64_t row, int64_t col) {
  CHECK(row >= 0 && row < tensor.rows && col >= 0 && col < tensor.cols)
      << tensor.name << "[" << row << ", " << col << "] of " << tensor.rows << " x " << tensor.cols;
  CHECK(tensor.block_rows > 0 && tensor.block_cols > 0) << tensor.name << " has no block shape";
  return tensor.offset_bytes + (row / tensor.block_rows) * tensor.block_row_stride_bytes +
         (col / tensor.block_cols) * tensor.block_col_stride_bytes +
         (row % tensor.block_rows) * tensor.row_stride_bytes +
         (col % tensor.block_cols) * element_bytes(tensor.type);
}

}  // namespace lockstep::isa
