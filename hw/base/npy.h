// Tensors as NumPy .npy files, format version 1.0, C order, little endian.
// Source of the format: NumPy documentation, numpy.lib.format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hw/base/check.h"
#include "hw/base/result.h"

namespace lockstep {

enum class NpyType { kInt8, kUint8, kInt32, kFloat32 };

size_t npy_element_bytes(NpyType type);

/// The NpyType of a C++ element type.
template <typename T>
constexpr NpyType npy_type_of() {
  if constexpr (std::is_same_v<T, int8_t>) return NpyType::kInt8;
  else if constexpr (std::is_same_v<T, uint8_t>) return NpyType::kUint8;
  else if constexpr (std::is_same_v<T, int32_t>) return NpyType::kInt32;
  else {
    static_assert(std::is_same_v<T, float>, "npy holds int8, uint8, int32 and float32 here");
    return NpyType::kFloat32;
  }
}

struct NpyArray {
  NpyType type = NpyType::kInt8;
  std::vector<int64_t> shape;     // empty: a single element
  std::vector<std::byte> bytes;   // row-major elements, little endian

  /// Product of the shape.
  int64_t elements() const;

  /// A copy of the elements; CHECKs the type.
  template <typename T>
  std::vector<T> values() const {
    CHECK(type == npy_type_of<T>());
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }

  /// CHECKs that the shape holds as many elements as there are values.
  template <typename T>
  static NpyArray of(const std::vector<T>& values, std::vector<int64_t> shape) {
    NpyArray array;
    array.type = npy_type_of<T>();
    array.shape = std::move(shape);
    array.bytes.resize(values.size() * sizeof(T));
    CHECK(array.elements() == static_cast<int64_t>(values.size()));
    if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    return array;
  }
};

/// The file's bytes.
std::string npy_text(const NpyArray& array);

/// E0140 for anything but a complete version 1.0 file of a known type in C order.
Result<NpyArray> parse_npy(std::string_view content, const std::string& file);

Result<NpyArray> read_npy(const std::string& path);
[[nodiscard]] std::optional<Diag> write_npy(const std::string& path, const NpyArray& array);

}  // namespace lockstep
