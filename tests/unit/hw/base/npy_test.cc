#include "hw/base/npy.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

std::string with_header(const std::string& header, const std::string& data) {
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  return out + header + data;
}

TEST(Npy, EveryTypeRoundTrips) {
  const auto round_trip = [](const NpyArray& array) {
    Result<NpyArray> read = parse_npy(npy_text(array), "t.npy");
    EXPECT_TRUE(read.ok());
    EXPECT_EQ(read->shape, array.shape);
    return read.value();
  };
  EXPECT_EQ(round_trip(NpyArray::of<int8_t>({-128, 0, 127, 1, 2, 3}, {2, 3})).values<int8_t>()[0], -128);
  EXPECT_EQ(round_trip(NpyArray::of<uint8_t>({255}, {1})).values<uint8_t>(), (std::vector<uint8_t>{255}));
  EXPECT_EQ(round_trip(NpyArray::of<int32_t>({-2147483647, 5}, {2})).values<int32_t>()[0], -2147483647);
  EXPECT_EQ(round_trip(NpyArray::of<float>({0.1F, -3.0F}, {2, 1, 1})).values<float>()[0], 0.1F);
  EXPECT_EQ(round_trip(NpyArray::of<float>({}, {0, 4})).elements(), 0);
  EXPECT_EQ(round_trip(NpyArray::of<float>({2.5F}, {})).elements(), 1);
}

TEST(Npy, MatchesTheBytesNumpyWrites) {
  // numpy.save of numpy.array([[1, -2], [3, 4]], dtype=int8): 118 bytes of header, data at 128.
  std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }";
  header.append(117 - header.size(), ' ');
  header += '\n';
  EXPECT_EQ(npy_text(NpyArray::of<int8_t>({1, -2, 3, 4}, {2, 2})), with_header(header, "\x01\xfe\x03\x04"));
}

TEST(Npy, DataStartAtAMultipleOf64) {
  for (int64_t size = 1; size < 2000000; size *= 7) {
    const NpyArray array{NpyType::kInt8, {size}, std::vector<std::byte>(static_cast<size_t>(size))};
    EXPECT_EQ((npy_text(array).size() - static_cast<size_t>(size)) % 64, 0u);
  }
}

TEST(Npy, RefusesOtherFormats) {
  const std::string good = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n";
  const std::string data(8, '\0');
  EXPECT_TRUE(parse_npy(with_header(good, data), "t").ok());
  EXPECT_TRUE(parse_npy(with_header("{'shape': (2,), 'fortran_order': False, 'descr': '<i4'}", data), "t").ok());
  const auto refused = [](const std::string& content) {
    const Result<NpyArray> read = parse_npy(content, "t");
    return !read.ok() && read.diags()[0].code == "E0140";
  };
  EXPECT_TRUE(refused(""));
  EXPECT_TRUE(refused("PK\x03\x04 something else"));
  EXPECT_TRUE(refused(with_header(good, data + "x")));
  EXPECT_TRUE(refused(with_header(good, data.substr(1))));
  EXPECT_TRUE(refused(with_header(good, data).substr(0, 40)));
  EXPECT_TRUE(refused(with_header("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }", data)));
  EXPECT_TRUE(refused(with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", data)));
  EXPECT_TRUE(refused(with_header("{'descr': '<i4', 'fortran_order': True, 'shape': (2,), }", data)));
  EXPECT_TRUE(refused(with_header("{'descr': '<i4', 'fortran_order': False, 'shape': (-2,), }", data)));
  EXPECT_TRUE(refused(with_header("{'descr': '<i4', 'fortran_order': False, 'shape': (2,,), }", data)));
  EXPECT_TRUE(refused(with_header(
      "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904), }", data)));
  std::string version2 = with_header(good, data);
  version2[6] = 2;
  EXPECT_TRUE(refused(version2));
}

}  // namespace
}  // namespace lockstep
