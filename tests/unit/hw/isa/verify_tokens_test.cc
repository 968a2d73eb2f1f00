#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "hw/isa/walker.h"
#include "tests/unit/hw/isa/verify_case.h"

namespace lockstep::isa {
namespace {

TEST(VerifyTokens, OneProducerPerSemaphoreSEM1) {
  const std::string text = "code\nLD.0 hbm=[b0] run=0 vmem=[0] run=0 post(s0,1,done)\nVX.0 kernel=copy rows=0 chunks=0 cols=0 slot0=acc0.int32[0] "
                           "slot1=vmem.int32[0] post(s0,1,done)\nST.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s0,2)\nHALT\n";
  expect_violation(text, "E0701", "SEM-1");
}

TEST(VerifyTokens, OneMomentPerSemaphoreSEM1) {
  const std::string text = "sem s0 = 0\ncode\nLD.0 hbm=[b0] run=0 vmem=[0] run=0 post(s0,1,done)\n"
                           "LD.0 hbm=[b0] run=0 vmem=[0] run=0 post(s0,1,source_free)\nST.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s0,2)\nHALT\n";
  expect_violation(text, "E0703", "SEM-1");
}

TEST(VerifyTokens, OneConsumerPerSemaphoreSEM1) {
  const std::string text = "sem s0 = 2\ncode\nLD.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s0,1) post(s1,1,done)\n"
                           "ST.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s0,1) post(s0,2,done)\n"
                           "ST.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s1,1)\nHALT\n";
  expect_violation(text, "E0702", "SEM-1");
}

TEST(VerifyTokens, StartCountsComeBackSEM2) {
  expect_violation(broken("wait(s1,1) post(s0,1,done)", "wait(s1,1) post(s0,2,done)"), "E0704", "s0 starts at 0 and ends at 4 (SEM-2)");
}

TEST(VerifyTokens, WaitsAreCoveredInProgramOrderSEM4) {
  // The store waits for what the word behind it posts.
  const std::string text = "code\nST.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s0,1)\nLD.0 hbm=[b0] run=0 vmem=[0] run=0 post(s0,1,done)\nHALT\n";
  const std::string out = verdict(text);
  EXPECT_NE(out.find("E0705: word 0 (ST.0): waits for 1 of s0, but in program order only 0 are posted before it (SEM-4)"), std::string::npos)
      << out;
  EXPECT_NE(verdict(broken("sem s1 = 2", "sem s1 = 0")).find("at i0 = 0"), std::string::npos);
}

TEST(VerifyTokens, CountersStayBelow256SEM2) {
  const std::string text = "code\nLOOP i0 trip=100\nLD.0 hbm=[b0] run=0 vmem=[0] run=0 post(s0,PPP,done)\nENDLOOP i0\n"
                           "LOOP i0 trip=100\nST.0 hbm=[b0] run=0 vmem=[0] run=0 wait(s0,PPP)\nENDLOOP i0\nHALT\n";
  const auto with = [&](const std::string& count) {
    std::string out = text;
    for (size_t at; (at = out.find("PPP")) != std::string::npos;) out.replace(at, 3, count);
    return verdict(out);
  };
  EXPECT_EQ(with("2"), "");
  EXPECT_EQ(with("3").substr(0, 6), "E0706:");
}

TEST(VerifyTokens, PlanesAlternateMXU2) {
  const std::string mm = "MM.0 vmem=[0] row_stride=8 acc=[0] rows=8 k=8 n=8 first";
  const std::string wld = "WLD.0 vmem=[0] row_stride=8 k=8 n=8\n";
  EXPECT_EQ(verdict("code\n" + wld + mm + " switch\n" + mm + "\n" + wld + mm + " switch\nHALT\n"), "");
  expect_violation("code\n" + wld + wld + mm + " switch\nHALT\n", "E0707", "MXU-2");
  expect_violation("code\n" + wld + mm + " switch\n" + mm + " switch\nHALT\n", "E0707", "MXU-2");
  expect_violation("code\n" + mm + "\n" + wld + mm + " switch\nHALT\n", "E0707", "before the first switch");
}

std::string neighbours(int rows_a, const std::string& acc_b) {
  return "code\nWLD.0 vmem=[0] row_stride=8 k=8 n=8\nMM.0 vmem=[0] row_stride=8 acc=[10] rows=" + std::to_string(rows_a) +
         " k=8 n=8 first switch\nMM.0 vmem=[0] row_stride=8 acc=[" + acc_b + "] rows=4 k=8 n=8\nHALT\n";
}

TEST(VerifyTokens, AccumulatingNeighboursMXU4) {
  // La = 2, M = 8 from row 10: only a start at row 17 is forbidden.
  EXPECT_EQ(verdict(neighbours(8, "16")), "");
  expect_violation(neighbours(8, "17"), "E0708", "forbids [17, 17] (MXU-4)");
  EXPECT_EQ(verdict(neighbours(8, "18")), "");
  EXPECT_EQ(verdict(neighbours(8, "10")), "");
  EXPECT_EQ(verdict(neighbours(0, "10")), "");
  EXPECT_EQ(verdict(neighbours(1, "11")), "");
  std::string overwrites = neighbours(8, "17");
  overwrites.replace(overwrites.rfind("n=8\n"), 4, "n=8 first\n");
  EXPECT_EQ(verdict(overwrites), "");
}

TEST(VerifyTokens, NeighbourIsFoundInOneIterationOfMany) {
  // Rows 0.. of A move towards B at 40: i0 = 3 puts A at [33, 40].
  const std::string text = "code\nLOOP i0 trip=6\nWLD.0 vmem=[0] row_stride=8 k=8 n=8\n"
                           "MM.0 vmem=[0] row_stride=8 acc=[i0*11] rows=8 k=8 n=8 first switch\n"
                           "MM.0 vmem=[0] row_stride=8 acc=[40] rows=4 k=8 n=8\nENDLOOP i0\nHALT\n";
  expect_violation(text, "E0708", "at i0 = 3");
}

TEST(VerifyTokens, WalkLimit) {
  chip::ChipSpec chip = verify_chip();
  const std::string text = "code\nLOOP i0 trip=6\nWLD.0 vmem=[0] row_stride=8 k=8 n=8\n"
                           "MM.0 vmem=[0] row_stride=8 acc=[i0*8] rows=8 k=8 n=8 first switch\nENDLOOP i0\nHALT\n";
  EXPECT_EQ(verdict(assemble(text, chip), chip), "");
  EXPECT_EQ(verdict(assemble(text, chip), chip, {.max_walked_words = 10}).substr(0, 6), "E0709:");
}

TEST(VerifyTokens, RepeatingLoopsAreNotWalkedToTheirEnd) {
  const chip::ChipSpec chip = verify_chip();
  std::string text = broken("trip=4", "trip=1000000");
  text.replace(text.find("i0*256"), 6, "i0*0");
  text.replace(text.find("i0*1024"), 7, "i0*0");
  const Result<VerifyReport> report = verify(assemble(text, chip), chip);
  ASSERT_TRUE(report.ok()) << verdict(text);
  EXPECT_EQ(report->dynamic_words, 6000003);
  EXPECT_LT(report->walked_words, 100);
}

// ---- the skipping walk against one that executes everything

using Violations = std::set<std::pair<std::string, uint32_t>>;

/// An independent walk without shortcuts; violations as (code, pc), balance as pc 999.
Violations full_walk(const Program& program, int latency) {
  const WalkPlan plan(program);
  Walker walker(plan);
  std::map<int, int> tokens;
  for (int s = 0; s < kSemaphores; ++s) tokens[s] = program.semaphores[static_cast<size_t>(s)];
  bool pending = false;
  bool switched = false;
  int64_t last_acc = -1;
  int64_t last_rows = 0;
  Violations out;
  while (const DynamicWord* word = walker.next()) {
    for (const Wait& wait : word->instr->waits) {
      if (tokens[wait.sem] < wait.count) out.insert({"E0705", word->pc});
      tokens[wait.sem] = std::max(0, tokens[wait.sem] - wait.count);
    }
    if (word->instr->op == Op::kWld) {
      if (pending) out.insert({"E0707", word->pc});
      pending = true;
    }
    if (const auto* mm = std::get_if<MmBody>(&word->instr->body)) {
      if (mm->switch_plane ? !pending : !switched) out.insert({"E0707", word->pc});
      if (mm->switch_plane) pending = false, switched = true;
      const int64_t low = last_acc + std::max<int64_t>(last_rows, latency) - latency + 1;
      if (!mm->first && last_acc >= 0 && word->acc() >= low && word->acc() < last_acc + last_rows) out.insert({"E0708", word->pc});
      last_acc = word->acc();
      last_rows = word->count;
    }
    for (const Post& post : word->instr->posts) {
      if (tokens[post.sem] + post.count > 255) out.insert({"E0706", word->pc});
      tokens[post.sem] = std::min(255, tokens[post.sem] + post.count);
    }
  }
  for (int s = 0; s < kSemaphores; ++s) {
    if (tokens[s] != program.semaphores[static_cast<size_t>(s)]) out.insert({"E0704", 999});
  }
  return out;
}

Violations verifier_walk(const Program& program, const chip::ChipSpec& chip, int64_t& walked) {
  const Result<VerifyReport> report = verify(program, chip, {.max_diags = 1000});
  Violations out;
  if (report.ok()) walked = report->walked_words;
  for (const Diag& diag : report.diags()) {
    const size_t word = diag.message.rfind("word ", 0);
    out.insert({diag.code, word == 0 ? static_cast<uint32_t>(std::strtoul(diag.message.c_str() + 5, nullptr, 10)) : 999U});
  }
  return out;
}

class RandomTokens {
 public:
  explicit RandomTokens(uint64_t seed) : rng_(seed) {}

  Program program(const chip::ChipSpec& chip) {
    std::string text = "hbm 0x1000\n";
    for (int r = 0; r < 3; ++r) text += "ring r" + std::to_string(r) + " modulus=" + std::to_string(pick(1, 4)) + "\n";
    text += "sem s0 = " + std::to_string(pick(0, 3)) + "\nsem s1 = " + std::to_string(pick(0, 2)) + "\ncode\n";
    for (int64_t blocks = pick(1, 3); blocks > 0; --blocks) text += block(0);
    return assemble(text + "HALT\n", chip);
  }

 private:
  int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(rng_); }
  bool chance(int64_t one_in) { return pick(1, one_in) == 1; }

  std::string block(int depth) {
    if (depth < 3 && !chance(3)) {
      const std::string level = std::to_string(depth);
      std::string out = "LOOP i" + level + " trip=" + std::to_string(chance(3) ? pick(0, 40) : pick(1, 7)) + "\n";
      for (int64_t n = pick(1, 3); n > 0; --n) out += block(depth + 1);
      return out + "ENDLOOP i" + level + "\n";
    }
    std::string out = "LD.0 hbm=[b0] run=0 vmem=[0] run=0" + std::string(chance(2) ? " wait(s0,1)" : "") + " post(s1,1,done)\n";
    if (!chance(4)) out += "WLD.0 vmem=[0] row_stride=8 k=8 n=8\n";
    out += matrix(depth);
    if (chance(3)) out += matrix(depth);
    return out;
  }

  std::string matrix(int depth) {
    std::string acc = std::to_string(pick(0, 3) * 4);
    if (depth > 0 && chance(3)) acc += " + i" + std::to_string(pick(0, depth - 1)) + "*" + std::to_string(pick(1, 1));
    if (chance(2)) acc += " + r" + std::to_string(pick(0, 2)) + "*" + std::to_string(pick(1, 4));
    return "MM.0 vmem=[0] row_stride=8 acc=[" + acc + "] rows=" + std::to_string(pick(0, 8)) + " k=8 n=8" + (chance(2) ? " first" : "") +
           (chance(4) ? "" : " switch") + " wait(s1,1)" + (chance(2) ? " post(s0,1,source_free)" : "") +
           (chance(2) ? " step={r" + std::to_string(pick(0, 2)) + "}" : "") + "\n";
  }

  std::mt19937_64 rng_;
};

TEST(VerifyTokens, SkippingChangesNoVerdict) {
  const char* seed_text = std::getenv("LOCKSTEP_SEED");
  const uint64_t first = seed_text != nullptr ? std::strtoull(seed_text, nullptr, 0) : 77;
  chip::ChipSpec chip = verify_chip();
  chip.mxu.acc_rows = 4096;  // bounds are not what is tested here
  int legal = 0;
  std::map<std::string, int> seen;
  for (uint64_t seed = first; seed < first + 1000; ++seed) {
    const Program program = RandomTokens(seed).program(chip);
    int64_t walked = 0;
    const Violations expected = full_walk(program, chip.mxu.acc_latency);
    ASSERT_EQ(verifier_walk(program, chip, walked), expected) << "seed " << seed << "\n" << print_program(program);
    for (const auto& [code, pc] : expected) ++seen[code];
    if (expected.empty()) ++legal;
  }
  std::printf("seeds %lu.., %d of 1000 legal;", first, legal);
  for (const auto& [code, count] : seen) std::printf(" %s %d", code.c_str(), count);
  std::printf("\n");
  EXPECT_GT(legal, 0);
  for (const char* code : {"E0704", "E0705", "E0707", "E0708"}) EXPECT_GT(seen[code], 0) << code;
}

// A figure, not a claim: what a word costs when nothing can be skipped.
TEST(VerifyTokens, PrintsTheCostOfAWord) {
  chip::ChipSpec chip = verify_chip();
  const std::string text = "hbm 0x4000\nring r0 modulus=2\nsem s1 = 2\ncode\nLOOP i0 trip=32\nLOOP i1 trip=50000\n"
                           "LD.0 hbm=[b0 + i0*256] run=256 vmem=[r0*256] run=256 wait(s1,1) post(s0,1,done) step={r0}\n"
                           "WLD.0 vmem=[0x400 + i0*8] row_stride=8 k=8 n=8\n"
                           "MM.0 vmem=[r0*256] row_stride=8 acc=[i0*1 + i1*0] rows=8 k=8 n=8 switch first wait(s0,1) post(s1,1,source_free)\n"
                           "ENDLOOP i1\nENDLOOP i0\nHALT\n";
  Program program = assemble(text, chip);
  // An index of the inner loop in the address, cancelled by a second term: not provably repeating.
  std::get<MmBody>(program.code[4].body).acc.loops[1] = {.level = 1, .stride = 1};
  std::get<MmBody>(program.code[4].body).acc.loops[2] = {.level = 1, .stride = -1};
  chip.mxu.acc_rows = 1 << 20;
  std::get<MmBody>(program.code[4].body).acc.imm = 1 << 16;
  program.chip_hash = chip::timing_hash(chip);
  const auto start = std::chrono::steady_clock::now();
  const Result<VerifyReport> report = verify(program, chip);
  const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  ASSERT_TRUE(report.ok()) << verdict(program, chip);
  std::printf("verify: %ld words walked, %.1f ns a word\n", report->walked_words, ns / static_cast<double>(report->walked_words));
  EXPECT_EQ(report->walked_words, report->dynamic_words);
}

}  // namespace
}  // namespace lockstep::isa
