// Binary form of words and whole programs. Little endian; docs/isa.md has the layout of the image.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "hw/isa/program.h"

namespace lockstep::isa {

inline constexpr uint32_t kImageVersion = 1;

/// Packs `instr` into word_bytes() bytes, bit 0 of the word = bit 0 of byte 0. CHECKs that every field fits
/// (check_fields) and that `out` has that size.
void encode_word(const Instr& instr, std::span<uint8_t> out);

/// Rejects unknown opcodes, fields outside their legal range, and set bits that no field covers, so that a word
/// has exactly one encoding. `loc` is where diagnostics point.
Result<Instr> decode_word(std::span<const uint8_t> bytes, const SourceLoc& loc = {});

/// Fails (E0601) when a field of a word does not fit its width.
Result<std::vector<uint8_t>> encode_program(const Program& program);

/// Any malformed image gives diagnostics: magic, version, word width, lengths, checksum, words. `file` names the
/// image in them.
Result<Program> decode_program(std::span<const uint8_t> bytes, const std::string& file);

}  // namespace lockstep::isa
