// The set of addresses an operand takes over loops, rings and rows, in closed form.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::isa {

__extension__ typedef __int128 Wide;  // sums of strides times trips exceed 64 bits before they are judged

/// { base + sum over terms of stride * x : 0 <= x < count }. Terms vary independently. A set with a term of count 0
/// is empty.
class AddressSet {
 public:
  explicit AddressSet(Wide base) : low_(base), high_(base) {}

  void add(int64_t constant) { low_ += constant, high_ += constant; }
  void extend(int64_t stride, int64_t count);

  bool empty() const { return empty_; }
  Wide low() const { return low_; }
  Wide high() const { return high_; }

  bool all_multiples_of(int64_t divisor) const;

  /// True when [a, a + width) stays within one aligned block of `line` bytes for every address a of the set.
  bool fits_lines(int64_t line, int64_t width) const;

 private:
  struct Term {
    int64_t stride;
    int64_t count;
  };
  std::vector<bool> residues(int64_t modulus) const;

  std::vector<Term> terms_;  // count >= 2, stride != 0
  bool empty_ = false;
  Wide low_;
  Wide high_;
};

}  // namespace lockstep::isa
