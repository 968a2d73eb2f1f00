// Random numbers that are the same on every machine, compiler and library: xoshiro256** seeded by splitmix64
// (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", 2018; both are public domain).
// std::uniform_int_distribution differs between standard libraries, so the ranges are drawn here too.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "hw/base/check.h"

namespace lockstep {

/// One step of splitmix64: advances `state` and gives a well-mixed value. Also a good hash of a counter.
inline uint64_t splitmix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Meets UniformRandomBitGenerator (std::shuffle); results through the library's distributions vary with the library.
class Rng {
 public:
  using result_type = uint64_t;

  explicit Rng(uint64_t seed) {
    for (uint64_t& word : state_) word = splitmix64(seed);
  }

  /// An independent generator for part `stream` of a task: results do not depend on how many numbers others drew.
  Rng fork(uint64_t stream) const {
    uint64_t mixed = state_[0] ^ (stream * 0xd1342543de82ef95ULL + 1);
    return Rng(splitmix64(mixed));
  }

  uint64_t next() {
    const uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound), bound > 0. Draws again for the incomplete last block, so it has no bias.
  uint64_t below(uint64_t bound) {
    CHECK(bound > 0);
    const uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
    uint64_t value = next();
    while (value < rejected) value = next();
    return value % bound;
  }

  /// Uniform in [low, high], both ends included.
  int64_t between(int64_t low, int64_t high) {
    CHECK(low <= high) << low << " > " << high;
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    const uint64_t offset = span == std::numeric_limits<uint64_t>::max() ? next() : below(span + 1);
    return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
  }

  /// Uniform in [0, 1) with 53 random bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// True with the given probability.
  bool chance(double probability) { return unit() < probability; }

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return std::numeric_limits<uint64_t>::max(); }
  uint64_t operator()() { return next(); }

 private:
  static uint64_t rotate(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

  std::array<uint64_t, 4> state_{};
};

}  // namespace lockstep
