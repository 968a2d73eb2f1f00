// Address arithmetic that cannot overflow, whatever 64-bit strides an unverified program carries (ISA-2).
#pragma once

#include <algorithm>
#include <cstdint>

namespace lockstep::golden {

/// A sum of products; once a step leaves int64 it stays invalid.
class AddressSum {
 public:
  AddressSum() = default;
  explicit AddressSum(int64_t start) : value_(start) {}

  void add(int64_t term) { valid_ = !__builtin_add_overflow(value_, term, &value_) && valid_; }
  void add_product(int64_t stride, int64_t count) {
    int64_t product = 0;
    valid_ = !__builtin_mul_overflow(stride, count, &product) && valid_;
    add(product);
  }

  /// In `bits`-bit two's complement. No wrap: an address outside is a fault of its space.
  bool fits(int bits) const {
    const int64_t limit = int64_t{1} << (bits - 1);
    return valid_ && value_ >= -limit && value_ < limit;
  }
  bool valid() const { return valid_; }
  int64_t value() const { return value_; }

 private:
  int64_t value_ = 0;
  bool valid_ = true;
};

/// Lowest and highest start address of an affine walk; every extreme is really visited.
class Hull {
 public:
  explicit Hull(int64_t start) : low_(start), high_(start) {}

  /// `count` >= 1 steps of `stride`.
  void extend(int64_t stride, int64_t count) { (stride < 0 ? low_ : high_).add_product(stride, count - 1); }

  /// Each start address and the `extent` bytes or rows from it lie in [0, size).
  bool inside(int64_t size, int64_t extent) const {
    return low_.valid() && high_.valid() && low_.value() >= 0 && extent <= size && high_.value() <= size - extent;
  }

 private:
  AddressSum low_;
  AddressSum high_;
};

}  // namespace lockstep::golden
