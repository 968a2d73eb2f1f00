#include "tests/fuzz/text_mutator.h"

#include <utility>

namespace lockstep::fuzz {

TextMutator::TextMutator(std::vector<std::string> corpus, std::vector<std::string> tokens, uint64_t seed)
    : corpus_(std::move(corpus)), tokens_(std::move(tokens)), rng_(seed) {}

std::string TextMutator::next(size_t max_bytes) {
  std::string text = pick(corpus_);
  for (int64_t i = rng_.between(1, 8); i > 0; --i) mutate(text);
  if (text.size() > max_bytes) text.resize(max_bytes);
  return text;
}

void TextMutator::mutate(std::string& text) {
  const size_t at = place(text);
  const size_t length = rng_.below(16) == 0 ? rng_.below(200) : rng_.below(12);
  switch (rng_.below(9)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(rng_.below(256));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << rng_.below(8)));
      break;
    case 2: text.erase(at, length); break;
    case 3: text.insert(at, text.substr(place(text), length)); break;
    case 4: text.insert(at, pick(tokens_)); break;
    case 5: text.replace(at, length, pick(tokens_)); break;
    case 6: {  // many of one token: depth, width and length limits
      const std::string token = pick(tokens_);
      std::string run;
      for (uint64_t i = rng_.below(300); i > 0; --i) run += token;
      text.insert(at, run);
      break;
    }
    case 7: {  // the head of one text and the tail of another
      const std::string other = pick(corpus_);
      text = text.substr(0, at) + other.substr(place(other));
      break;
    }
    default: text.insert(at, text.substr(0, length)); break;
  }
}

}  // namespace lockstep::fuzz
