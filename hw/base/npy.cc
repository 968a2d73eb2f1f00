#include "hw/base/npy.h"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "hw/base/file_io.h"
#include "hw/base/number.h"
#include "hw/base/printable.h"

namespace lockstep {

static_assert(std::endian::native == std::endian::little, "elements are copied to and from the file unchanged");

namespace {

// Layout: magic, version, uint16 header length, header (a Python dict literal, padded with spaces and ended by LF so
// that the data begin at a multiple of 64), data.
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kVersion = std::string_view("\x01\x00", 2);
constexpr size_t kPreambleBytes = kMagic.size() + kVersion.size() + 2;
constexpr size_t kDataAlignment = 64;
constexpr int64_t kMaxFileBytes = int64_t{4} << 30;

std::string_view descr(NpyType type) {
  switch (type) {
    case NpyType::kInt8: return "|i1";
    case NpyType::kUint8: return "|u1";
    case NpyType::kInt32: return "<i4";
    case NpyType::kFloat32: return "<f4";
  }
  return "";
}

std::optional<NpyType> type_of_descr(std::string_view text) {
  for (const NpyType type : {NpyType::kInt8, NpyType::kUint8, NpyType::kInt32, NpyType::kFloat32}) {
    if (descr(type) == text) return type;
  }
  return std::nullopt;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape.front());
  return fmt::format("({})", fmt::join(shape, ", "));
}

/// The text between `'key':` and the end of its value, which starts with `open` and ends with `close`.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key, char open, char close) {
  const size_t key_at = header.find(fmt::format("'{}':", key));
  if (key_at == std::string_view::npos) return std::nullopt;
  const size_t begin = header.find_first_not_of(' ', key_at + key.size() + 3);
  if (begin == std::string_view::npos || header[begin] != open) return std::nullopt;
  const size_t end = header.find(close, begin + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return header.substr(begin + 1, end - begin - 1);
}

std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  std::vector<int64_t> shape;
  while (text.ends_with(' ')) text.remove_suffix(1);
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (item.starts_with(' ')) item.remove_prefix(1);
    const std::optional<int64_t> size = parse_integer(item, Unit::kNone).value;
    if (!size || *size < 0) return std::nullopt;
    shape.push_back(*size);
  }
  return shape;
}

/// Bytes of the data, or nothing when the product overflows.
std::optional<uint64_t> data_bytes(const NpyArray& array) {
  uint64_t total = npy_element_bytes(array.type);
  for (const int64_t size : array.shape) {
    if (__builtin_mul_overflow(total, static_cast<uint64_t>(size), &total)) return std::nullopt;
  }
  return total;
}

Diag malformed(const std::string& file, const std::string& why) {
  return error("E0140", {file, 0, 0}, fmt::format("cannot use this .npy file: {}", why));
}

}  // namespace

size_t npy_element_bytes(NpyType type) { return type == NpyType::kInt32 || type == NpyType::kFloat32 ? 4 : 1; }

int64_t NpyArray::elements() const {
  int64_t total = 1;
  for (const int64_t size : shape) total *= size;
  return total;
}

std::string npy_text(const NpyArray& array) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr(array.type),
                                   shape_text(array.shape));
  const size_t unpadded = kPreambleBytes + header.size() + 1;
  header.append((kDataAlignment - unpadded % kDataAlignment) % kDataAlignment, ' ');
  header += '\n';
  CHECK(header.size() < 65536) << "version 1.0 headers have a 16-bit length";
  std::string out;
  out.reserve(kPreambleBytes + header.size() + array.bytes.size());
  out.append(kMagic).append(kVersion);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  for (const std::byte byte : array.bytes) out += static_cast<char>(byte);
  return out;
}

Result<NpyArray> parse_npy(std::string_view content, const std::string& file) {
  if (content.size() < kPreambleBytes || !content.starts_with(kMagic)) return malformed(file, "the magic is missing");
  if (content.substr(kMagic.size(), kVersion.size()) != kVersion) return malformed(file, "not format version 1.0");
  const size_t length = static_cast<unsigned char>(content[kPreambleBytes - 2]) +
                        256u * static_cast<unsigned char>(content[kPreambleBytes - 1]);
  if (content.size() < kPreambleBytes + length) return malformed(file, "the header is cut short");
  const std::string_view header = content.substr(kPreambleBytes, length);
  content.remove_prefix(kPreambleBytes + length);

  NpyArray array;
  const std::optional<std::string_view> type = value_of(header, "descr", '\'', '\'');
  const std::optional<NpyType> known = type ? type_of_descr(*type) : std::nullopt;
  if (!known) return malformed(file, fmt::format("element type {} is not |i1, |u1, <i4 or <f4", quote_text(type.value_or("?"))));
  array.type = *known;
  if (!value_of(header, "fortran_order", 'F', 'e')) return malformed(file, "the elements are not in C order");
  const std::optional<std::string_view> shape = value_of(header, "shape", '(', ')');
  std::optional<std::vector<int64_t>> sizes = shape ? parse_shape(*shape) : std::nullopt;
  if (!sizes) return malformed(file, "the shape cannot be read");
  array.shape = *std::move(sizes);
  const std::optional<uint64_t> expected = data_bytes(array);
  if (!expected || *expected != content.size()) {
    return malformed(file, fmt::format("shape {} does not fit the {} bytes of data", shape_text(array.shape), content.size()));
  }
  array.bytes.resize(content.size());
  if (!content.empty()) std::memcpy(array.bytes.data(), content.data(), content.size());
  return array;
}

Result<NpyArray> read_npy(const std::string& path) {
  const Result<std::string> content = read_file(path, kMaxFileBytes);
  if (!content.ok()) return content.diags();
  return parse_npy(*content, path);
}

std::optional<Diag> write_npy(const std::string& path, const NpyArray& array) {
  return write_file_atomic(path, npy_text(array));
}

}  // namespace lockstep
