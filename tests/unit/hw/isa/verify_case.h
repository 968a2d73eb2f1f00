// A small chip and a legal program of one double-buffered stage per engine, to be broken one rule at a time.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hw/isa/text.h"
#include "hw/isa/verify.h"

namespace lockstep::isa {

/// 8 x 8 array, lines of 32 bytes, 64 accumulator rows, 4 KiB of VMEM.
inline chip::ChipSpec verify_chip() {
  chip::ChipSpec chip;
  chip.name = "test8";
  chip.clock_MHz = 500;
  chip.mxu.rows = chip.mxu.cols = 8;
  chip.mxu.weight_load_rows = 2;
  chip.mxu.acc_rows = 64;
  chip.vpu.lanes = 8;
  chip.vmem.size_KiB = 4;
  chip.dma.beat_bytes = 16;
  chip.dram.bandwidth_GBps = 8;
  chip.dram.latency_ns = 40;
  chip.dram.size_GiB = 1;
  return chip;
}

inline constexpr const char* kLegal = R"(program "legal"
hbm 0x4000
base b1 = 0x2000
ring r0 modulus=2
ring r1 modulus=2
sem s1 = 2
sem s2 = 1
sem s5 = 1
op 3 "gemm"
code
 0: LOOP i0 trip=4
 1: LD.0 hbm=[b0 + i0*256] run=256 vmem=[r0*256] run=64 n1=4 stride1=64 wait(s1,1) post(s0,1,done) step={r0} tag=1
 2: WLD.0 vmem=[0x400] row_stride=8 k=8 n=8 tag=2
 3: MM.0 vmem=[r1*256] row_stride=8 acc=[0] rows=32 k=8 n=8 first switch wait(s0,1) wait(s2,1) post(s1,1,source_free) post(s3,1,done) step={r1} tag=3
 4: VX.0 kernel=copy rows=32 chunks=1 cols=8 slot0=acc0.int32[0] row=1 slot1=vmem.int32[0x800] row=32 chunk=32 wait(s3,1) wait(s5,1) post(s2,1,source_free) post(s4,1,done) tag=4
 5: ST.0 hbm=[b1 + i0*1024] run=1024 vmem=[0x800] run=1024 wait(s4,1) post(s5,1,source_free) tag=5
 6: ENDLOOP i0
 7: SYNC engines={LD0,ST0}
 8: HALT
)";

/// kLegal with the first `from` replaced, from its start or, when `word` >= 0, from that word's line on.
inline std::string broken(const std::string& from, const std::string& to, int word = -1) {
  std::string text = kLegal;
  const size_t start = word < 0 ? 0 : text.find("\n " + std::to_string(word) + ": ");
  const size_t at = text.find(from, start);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline Program assemble(const std::string& text, const chip::ChipSpec& chip) {
  Result<Program> program = parse_program(text, "case.lk");
  if (!program.ok()) {
    for (const Diag& diag : program.diags()) ADD_FAILURE() << format_diag(diag, text);
    return {};
  }
  program->chip_hash = chip::timing_hash(chip);
  return *std::move(program);
}

/// "E0705: word 3 (MM.0 ...): ...", a line per violation; empty for a legal program.
inline std::string verdict(const Program& program, const chip::ChipSpec& chip, const VerifyOptions& options = {}) {
  const Result<VerifyReport> report = verify(program, chip, options);
  std::string out;
  for (const Diag& diag : report.diags()) out += diag.code + ": " + diag.message + "\n";
  return out;
}
inline std::string verdict(const std::string& text) { return verdict(assemble(text, verify_chip()), verify_chip()); }

/// Expects exactly one violation, of `code`, whose text has `part` (usually the rule's id).
inline void expect_violation(const std::string& text, const std::string& code, const std::string& part) {
  const std::string out = verdict(text);
  EXPECT_EQ(out.substr(0, code.size()), code) << out;
  EXPECT_EQ(out.find('\n'), out.size() - 1) << "one violation expected:\n" << out;
  EXPECT_NE(out.find(part), std::string::npos) << out;
}

}  // namespace lockstep::isa
