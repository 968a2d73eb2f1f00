// Mutates the bytes of a text, reproducibly: flips, cuts, copies, splices, and tokens that parsers trip over.
#pragma once

#include <string>
#include <vector>

#include "hw/base/rng.h"

namespace lockstep::fuzz {

class TextMutator {
 public:
  /// `tokens` are inserted now and then; `corpus` also serves splices.
  TextMutator(std::vector<std::string> corpus, std::vector<std::string> tokens, uint64_t seed);

  /// A corpus text with 1 to 8 mutations, at most `max_bytes` long.
  std::string next(size_t max_bytes = 1 << 16);

 private:
  std::string pick(const std::vector<std::string>& from) { return from[rng_.below(from.size())]; }
  size_t place(const std::string& text) { return rng_.below(text.size() + 1); }
  void mutate(std::string& text);

  std::vector<std::string> corpus_;
  std::vector<std::string> tokens_;
  Rng rng_;
};

}  // namespace lockstep::fuzz
