#include "sweep/runner/operand_image.h"

#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hw/base/check.h"
#include "hw/base/rng.h"

namespace lockstep::sweep {

namespace {

constexpr uint8_t kCanary = 0xA5;

void fill(const isa::Tensor& tensor, Rng& rng, target::MemoryImage& image) {
  for (int64_t row = 0; row < tensor.rows; ++row) {
    for (int64_t col = 0; col < tensor.cols; ++col) {
      image[static_cast<size_t>(isa::element_address(tensor, row, col))] = static_cast<uint8_t>(rng.next() >> 56);
    }
  }
}

const isa::Tensor* only_tensor(const isa::Program& program, isa::TensorRole role) {
  const isa::Tensor* found = nullptr;
  for (const isa::Tensor& tensor : program.tensors) {
    if (tensor.role != role) continue;
    if (found != nullptr) return nullptr;
    found = &tensor;
  }
  return found;
}

int8_t int8_at(const target::MemoryImage& image, const isa::Tensor& tensor, int64_t row, int64_t col) {
  return static_cast<int8_t>(image[static_cast<size_t>(isa::element_address(tensor, row, col))]);
}

}  // namespace

target::MemoryImage operand_image(const isa::Program& program, uint64_t seed) {
  target::MemoryImage image(static_cast<size_t>(program.hbm_bytes), kCanary);
  Rng rng(seed);
  for (const isa::Tensor& tensor : program.tensors) {
    const bool is_operand = tensor.role == isa::TensorRole::kInput || tensor.role == isa::TensorRole::kWeight;
    if (!is_operand) continue;
    CHECK(isa::element_bytes(tensor.type) == 1) << tensor.name;
    fill(tensor, rng, image);
  }
  return image;
}

bool output_is_product(const isa::Program& program, const target::MemoryImage& image, std::string& why) {
  const isa::Tensor* a = only_tensor(program, isa::TensorRole::kInput);
  const isa::Tensor* b = only_tensor(program, isa::TensorRole::kWeight);
  const isa::Tensor* c = only_tensor(program, isa::TensorRole::kOutput);
  if (a == nullptr || b == nullptr || c == nullptr || a->cols != b->rows || c->rows != a->rows || c->cols != b->cols) {
    why = "the program's tensors are not those of one GEMM";
    return false;
  }
  std::vector<int32_t> expected(static_cast<size_t>(c->cols));
  for (int64_t m = 0; m < c->rows; ++m) {
    std::fill(expected.begin(), expected.end(), 0);
    for (int64_t k = 0; k < a->cols; ++k) {
      const int32_t activation = int8_at(image, *a, m, k);
      for (int64_t n = 0; n < c->cols; ++n) expected[static_cast<size_t>(n)] += activation * int8_at(image, *b, k, n);
    }
    for (int64_t n = 0; n < c->cols; ++n) {
      int32_t got = 0;
      std::memcpy(&got, &image[static_cast<size_t>(isa::element_address(*c, m, n))], sizeof got);
      if (got == expected[static_cast<size_t>(n)]) continue;
      why = fmt::format("{}[{}][{}] is {}, the product is {}", c->name, m, n, got, expected[static_cast<size_t>(n)]);
      return false;
    }
  }
  return true;
}

}  // namespace lockstep::sweep
