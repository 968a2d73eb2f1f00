#include "hw/isa/address_set.h"

#include <algorithm>
#include <numeric>

namespace lockstep::isa {

namespace {

int64_t residue(Wide value, int64_t modulus) {
  const auto r = static_cast<int64_t>(value % modulus);
  return r < 0 ? r + modulus : r;
}

}  // namespace

void AddressSet::extend(int64_t stride, int64_t count) {
  if (count <= 0) empty_ = true;
  if (count <= 1 || stride == 0) return;
  const Wide reach = Wide{stride} * (count - 1);
  (reach < 0 ? low_ : high_) += reach;
  terms_.push_back({stride, count});
}

bool AddressSet::all_multiples_of(int64_t divisor) const {
  if (empty_) return true;
  return residue(low_, divisor) == 0 &&
         std::all_of(terms_.begin(), terms_.end(), [&](const Term& t) { return t.stride % divisor == 0; });
}

/// Which addresses mod `modulus` occur; exact, since a term repeats after modulus / gcd(stride, modulus) values.
std::vector<bool> AddressSet::residues(int64_t modulus) const {
  std::vector<bool> seen(static_cast<size_t>(modulus), false);
  std::vector<bool> next(seen.size());
  seen[static_cast<size_t>(residue(low_, modulus))] = true;
  for (const Term& term : terms_) {
    // low_ took the far end of negative strides, so every term counts upwards from it.
    const int64_t stride = residue(term.stride < 0 ? -Wide{term.stride} : Wide{term.stride}, modulus);
    const int64_t values = std::min(term.count, modulus / std::gcd(stride, modulus));
    next.assign(next.size(), false);
    for (int64_t start = 0; start < modulus; ++start) {
      if (!seen[static_cast<size_t>(start)]) continue;
      for (int64_t x = 0, at = start; x < values; ++x, at = (at + stride) % modulus) next[static_cast<size_t>(at)] = true;
    }
    seen.swap(next);
  }
  return seen;
}

bool AddressSet::fits_lines(int64_t line, int64_t width) const {
  if (empty_) return true;
  if (width > line) return false;
  // Usual case: every stride is a multiple of a block that holds the row.
  int64_t grain = line;
  for (const Term& term : terms_) grain = std::gcd(grain, term.stride);
  if (residue(low_, grain) + width <= grain) return true;
  const std::vector<bool> seen = residues(line);
  for (int64_t offset = line - width + 1; offset < line; ++offset) {
    if (seen[static_cast<size_t>(offset)]) return false;
  }
  return true;
}

}  // namespace lockstep::isa
