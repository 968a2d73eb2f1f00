// Seeded mutation fuzz of the two program readers: whatever the bytes, the answer is a program or diagnostics, and
// what is accepted can be written and read again. Set LOCKSTEP_SEED and LOCKSTEP_FUZZ_ROUNDS for longer runs.
#include <cstdlib>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <gtest/gtest.h>

#include "hw/isa/binary.h"
#include "hw/isa/text.h"
#include "tests/unit/hw/isa/random_program.h"

namespace lockstep::isa {
namespace {

uint64_t from_environment(const char* name, uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : fallback;
}

size_t place(Rng& rng, size_t size) { return static_cast<size_t>(pick(rng, 0, static_cast<int64_t>(size))); }

template <typename Bytes>
void mutate(Rng& rng, Bytes& bytes) {
  using Byte = typename Bytes::value_type;
  for (int64_t n = pick(rng, 1, 4); n > 0 && !bytes.empty(); --n) {
    const size_t at = place(rng, bytes.size() - 1);
    const auto begin = bytes.begin() + static_cast<int64_t>(at);
    const auto length = static_cast<int64_t>(std::min(bytes.size() - at, place(rng, 8) + 1));
    switch (pick(rng, 0, 4)) {
      case 0: bytes[at] = static_cast<Byte>(pick(rng, 0, 255)); break;
      case 1: bytes[at] = static_cast<Byte>(static_cast<unsigned char>(bytes[at]) ^ (1U << pick(rng, 0, 7))); break;
      case 2: bytes.erase(begin, begin + length); break;
      case 3: {
        const Bytes copy(begin, begin + length);
        const auto to = bytes.begin() + static_cast<int64_t>(place(rng, bytes.size()));
        bytes.insert(to, copy.begin(), copy.end());
        break;
      }
      default: bytes.resize(at); break;
    }
  }
}

TEST(IsaFuzz, MutatedTextGivesAProgramOrDiagnostics) {
  const uint64_t seed = from_environment("LOCKSTEP_SEED", 1);
  const uint64_t rounds = from_environment("LOCKSTEP_FUZZ_ROUNDS", 3000);
  uint64_t accepted = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    Rng rng(seed + round);
    std::string text = print_program(random_program(rng));
    mutate(rng, text);
    const Result<Program> program = parse_program(text, "fuzz.lk");
    if (!program.ok()) {
      for (const Diag& diag : program.diags()) ASSERT_FALSE(format_diag(diag, text).empty());
      continue;
    }
    ++accepted;
    ASSERT_EQ(*parse_program(print_program(*program), "again.lk"), *program) << "seed " << seed + round;
  }
  std::printf("text: seed %lu, %lu of %lu mutants accepted\n", seed, accepted, rounds);
  EXPECT_GT(accepted, 0U);
  EXPECT_LT(accepted, rounds);
}

TEST(IsaFuzz, MutatedImageGivesAProgramOrDiagnostics) {
  const uint64_t seed = from_environment("LOCKSTEP_SEED", 1);
  const uint64_t rounds = from_environment("LOCKSTEP_FUZZ_ROUNDS", 3000);
  uint64_t accepted = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    Rng rng(seed + round);
    std::vector<uint8_t> bytes = *encode_program(random_program(rng));
    mutate(rng, bytes);
    if (bytes.size() >= 8 && pick(rng, 0, 9) != 0) {  // repair the checksum, or nothing behind it would be tested
      const uint64_t sum = XXH3_64bits(bytes.data(), bytes.size() - 8);
      for (size_t k = 0; k < 8; ++k) bytes[bytes.size() - 8 + k] = static_cast<uint8_t>(sum >> (8 * k));
    }
    const Result<Program> program = decode_program(bytes, "fuzz.lkb");
    if (!program.ok()) continue;
    ++accepted;
    ASSERT_EQ(*encode_program(*program), bytes) << "seed " << seed + round;
  }
  std::printf("image: seed %lu, %lu of %lu mutants accepted\n", seed, accepted, rounds);
  EXPECT_GT(accepted, 0U);
  EXPECT_LT(accepted, rounds);
}

TEST(IsaFuzz, GarbageIsRefused) {
  for (uint64_t round = 0; round < 500; ++round) {
    Rng rng(round);
    std::string text;
    for (int64_t n = pick(rng, 0, 300); n > 0; --n) text += static_cast<char>(pick(rng, 0, 255));
    EXPECT_FALSE(parse_program(text, "garbage").ok());
    EXPECT_FALSE(decode_program(std::vector<uint8_t>(text.begin(), text.end()), "garbage").ok());
  }
}

}  // namespace
}  // namespace lockstep::isa
