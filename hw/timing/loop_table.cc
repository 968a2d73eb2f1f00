#include "hw/timing/loop_table.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace lockstep::timing {

namespace {

/// What cuts or groups bursts by address: bursts (DMA-1), column accesses (MEM-6) and, where the arbiter looks at
/// them, row stripes (DMA-3: with a quantum of 1 it never does).
int64_t address_span_of(const MachineConfig& config) {
  const int64_t cut = std::lcm(config.burst_bytes, int64_t{config.dram.access_bytes});
  return config.quantum > 1 ? std::lcm(cut, config.dram.stripe_bytes) : cut;
}

/// Smallest p > 0 with p * step = 0 modulo `span`.
int64_t steps_to_multiple(int64_t step, int64_t span) {
  const auto rest = static_cast<int64_t>((step < 0 ? uint64_t{0} - static_cast<uint64_t>(step) : static_cast<uint64_t>(step)) %
                                         static_cast<uint64_t>(span));
  return span / std::gcd(rest, span);
}

/// Widens [lowest, highest) by an inner loop; false when the result does not fit.
bool widen(LoopTransfer& transfer, int64_t step, uint32_t trip) {
  int64_t reach = 0;
  if (__builtin_mul_overflow(step, int64_t{trip} - 1, &reach)) return false;
  int64_t& end = reach < 0 ? transfer.lowest : transfer.highest;
  return !__builtin_add_overflow(end, reach, &end);
}

}  // namespace

int64_t step_of(const StaticDma& dma, uint8_t level) {
  uint64_t step = 0;
  for (size_t k = 0; k < static_cast<size_t>(dma.terms); ++k) {
    if (dma.levels[k] == level) step += static_cast<uint64_t>(dma.strides[k]);
  }
  return static_cast<int64_t>(step);
}

LoopTable::LoopTable(const StaticProgram& program, const MachineConfig& config)
    : program_(program), stripe_bytes_(config.dram.stripe_bytes), index_of_(program.words.size(), 0) {
  const int64_t address_span = address_span_of(config);
  for (uint32_t pc = 0; pc < program.words.size(); ++pc) {
    const StaticWord& word = program.words[pc];
    if (word.kind != WordKind::kLoop) continue;
    index_of_[pc] = loops_.size();
    LoopInfo loop;
    loop.loop_pc = pc;
    loop.end_pc = word.end_pc;
    loop.trip = word.trip;
    loop.level = word.level;
    describe(loop, address_span);
    loops_.push_back(std::move(loop));
  }
}

/// Walks the body once with a stack of the inner loops around the present word.
void LoopTable::describe(LoopInfo& loop, int64_t address_span) const {
  std::vector<const StaticWord*> inner;
  for (uint32_t pc = loop.loop_pc + 1; pc < loop.end_pc; ++pc) {
    const StaticWord* word = pc < program_.words.size() ? &program_.words[pc] : nullptr;
    const auto same_level = [&](const StaticWord* open) { return open->level == word->level; };
    if (word == nullptr) {
      loop.obstacle = "its body leaves the program";
    } else if (word->kind == WordKind::kLoop) {
      const bool nested = word->level != loop.level && word->end_pc > pc && word->end_pc < loop.end_pc &&
                          (inner.empty() || word->end_pc < inner.back()->end_pc) &&
                          std::none_of(inner.begin(), inner.end(), same_level);
      if (!nested) loop.obstacle = "its body is not a nest of loops";
      inner.push_back(word);
    } else if (word->kind == WordKind::kEndloop) {
      if (inner.empty() || inner.back()->end_pc != pc || inner.back()->level != word->level) {
        loop.obstacle = "its body is not a nest of loops";
      } else {
        inner.pop_back();
      }
    }
    if (!loop.obstacle.empty()) return;
    const auto empty = [](const StaticWord* open) { return open->trip == 0; };
    if (word->kind != WordKind::kDma || std::any_of(inner.begin(), inner.end(), empty)) continue;
    const StaticDma& dma = program_.dma[word->dma];
    if (dma.zero_length) continue;
    LoopTransfer transfer{pc, step_of(dma, loop.level), dma.lowest, dma.highest, true};
    for (const StaticWord* open : inner) {
      transfer.bounded = transfer.bounded && widen(transfer, step_of(dma, open->level), open->trip);
    }
    loop.phase_period = std::lcm(loop.phase_period, steps_to_multiple(transfer.step, address_span));
    loop.transfers.push_back(transfer);
  }
  if (!inner.empty()) loop.obstacle = "its body is not a nest of loops";
  if (loop.phase_period > 1 && loop.phase_period + 2 > int64_t{loop.trip}) {
    loop.obstacle = fmt::format("its address phases recur after {} iterations, it has {}", loop.phase_period, loop.trip);
  }
}

}  // namespace lockstep::timing
