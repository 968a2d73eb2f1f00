#include "tests/unit/compiler/pipeline/gemm_run.h"

#include <random>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "hw/golden/golden.h"
#include "hw/isa/verify.h"

namespace lockstep::compiler_test {

namespace {

const isa::Tensor& tensor_named(const isa::Program& program, const std::string& name) {
  for (const isa::Tensor& tensor : program.tensors) {
    if (tensor.name == name) return tensor;
  }
  CHECK(false) << "no tensor " << name;
  return program.tensors.front();
}

int32_t read_int32(const target::MemoryImage& image, int64_t address) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= static_cast<uint32_t>(image[static_cast<size_t>(address + i)]) << (8 * i);
  return static_cast<int32_t>(value);
}

/// Row-major m x n product of the two int8 tensors in the image.
std::vector<int32_t> product(const pipeline::Compiled& c, const target::MemoryImage& image) {
  const isa::Tensor& a = tensor_named(c.program, "activations");
  const isa::Tensor& b = tensor_named(c.program, "weights");
  const auto at = [&](const isa::Tensor& t, int64_t row, int64_t col) {
    return static_cast<int32_t>(static_cast<int8_t>(image[static_cast<size_t>(isa::element_address(t, row, col))]));
  };
  const ir::Gemm& g = c.gemm;
  std::vector<int32_t> out(static_cast<size_t>(g.m * g.n), 0);
  std::vector<int32_t> row(static_cast<size_t>(g.n));
  for (int64_t k = 0; k < g.k; ++k) {
    for (int64_t n = 0; n < g.n; ++n) row[static_cast<size_t>(n)] = at(b, k, n);
    for (int64_t m = 0; m < g.m; ++m) {
      const int32_t x = at(a, m, k);
      int32_t* sums = &out[static_cast<size_t>(m * g.n)];
      for (size_t n = 0; n < row.size(); ++n) sums[n] += x * row[n];
    }
  }
  return out;
}

}  // namespace

std::string run_and_compare(const pipeline::Compiled& c, const chip::ChipSpec& chip, uint32_t seed) {
  const auto report = isa::verify(c.program, chip);
  if (!report) return "the verifier says: " + format_diag(report.diags().front());
  std::mt19937 rng(seed);
  target::MemoryImage image(static_cast<size_t>(c.program.hbm_bytes));
  for (uint8_t& byte : image) byte = static_cast<uint8_t>(rng());
  const target::MemoryImage before = image;
  const std::vector<int32_t> expected = product(c, image);

  target::RunOptions options;
  options.vmem_fill = static_cast<uint8_t>(rng());
  golden::GoldenTarget golden(chip);
  const auto result = golden.run(c.program, image, options);
  if (!result) return "refused: " + format_diag(result.diags().front());
  if (result->fault) return fmt::format("fault {}: {}", result->fault->code, result->fault->detail);
  if (result->counters.macs != static_cast<uint64_t>(c.gemm.m * c.gemm.n * c.gemm.k)) {
    return fmt::format("{} multiply-adds, expected {}", result->counters.macs, c.gemm.m * c.gemm.n * c.gemm.k);
  }
  if (result->counters.hbm_read_bytes != static_cast<uint64_t>(c.cost.hbm_read_bytes) ||
      result->counters.hbm_write_bytes != static_cast<uint64_t>(c.cost.hbm_write_bytes)) {
    return fmt::format("moved {} + {} bytes, the cost says {} + {}", result->counters.hbm_read_bytes,
                       result->counters.hbm_write_bytes, c.cost.hbm_read_bytes, c.cost.hbm_write_bytes);
  }

  const isa::Tensor& out = tensor_named(c.program, "outputs");
  std::set<int64_t> written;
  for (int64_t m = 0; m < c.gemm.m; ++m) {
    for (int64_t n = 0; n < c.gemm.n; ++n) {
      const int64_t address = isa::element_address(out, m, n);
      const int32_t got = read_int32(image, address);
      const int32_t want = expected[static_cast<size_t>(m * c.gemm.n + n)];
      if (got != want) return fmt::format("element ({}, {}) is {}, expected {}", m, n, got, want);
      for (int64_t i = 0; i < 4; ++i) written.insert(address + i);
    }
  }
  for (int64_t address = 0; address < c.program.hbm_bytes; ++address) {
    const bool in_outputs = address >= out.offset_bytes && address < out.offset_bytes + out.bytes;
    const uint8_t got = image[static_cast<size_t>(address)];
    if (!in_outputs && got != before[static_cast<size_t>(address)]) return fmt::format("byte {} outside the outputs was changed", address);
    if (in_outputs && !written.contains(address) && got != 0) return fmt::format("padding byte {} of the outputs is {}, not 0", address, got);
  }
  return "";
}

}  // namespace lockstep::compiler_test
