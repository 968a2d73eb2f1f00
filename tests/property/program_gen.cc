#include "tests/property/program_gen.h"

#include <algorithm>
#include <utility>

#include "hw/base/check.h"
#include "tests/property/flows.h"
#include "tests/property/word_builder.h"

namespace lockstep::testgen {

using isa::Op;

namespace {

/// The MXU a flow uses, or -1.
int mxu_of(const Flow& flow) {
  if (const auto* gemm = std::get_if<GemmSpec>(&flow)) return gemm->mxu;
  if (const auto* fan = std::get_if<FanOutSpec>(&flow)) return fan->mxu;
  return -1;
}

uint16_t all_engines(const chip::ChipSpec& chip) {
  unsigned mask = 1u << isa::kLd0 | 1u << isa::kSt0 | 1u << isa::kVx0;
  if (chip.dma.load_queues > 1) mask |= 1u << (isa::kLd0 + 1);
  for (int u = 0; u < chip.mxu.count; ++u) mask |= 1u << (isa::kWld0 + u) | 1u << (isa::kMm0 + u);
  return static_cast<uint16_t>(mask);
}

isa::Instr sync_word(uint16_t engines) {
  isa::Instr word = isa::blank_instr(Op::kSync);
  std::get<isa::SyncBody>(word.body).engines = engines;
  return word;
}

class ScenarioLowering {
 public:
  ScenarioLowering(const Scenario& scenario, const chip::ChipSpec& chip)
      : scenario_(scenario), chip_(chip), res_(chip, scenario.layout_seed) {}

  isa::Program lower() {
    Block main;
    for (const PhaseSpec& phase : scenario_.phases) append(main, lower_phase(phase));
    Rng random(scenario_.sync_seed);
    const uint16_t engines = all_engines(chip_);
    for (int k = 0; k < scenario_.syncs; ++k) {
      insert_anywhere(main, sync_word(static_cast<uint16_t>(random.next() & engines)), random);
    }
    Block block = opening();
    append(block, std::move(main));
    block.push_back(word_node(isa::blank_instr(Op::kHalt)));
    isa::Program program;
    program.name = "scenario";
    program.chip_hash = chip::timing_hash(chip_);
    emit(block, res_.levels(), program);
    res_.fill_header(program);
    repair_neighbours(program, chip_.mxu.acc_latency);
    return program;
  }

 private:
  Block lower_phase(const PhaseSpec& phase) {
    std::array<Block, 4> by_mxu;  // flows on one MXU follow each other: their WLDs and switches must not mix (MXU-2)
    std::vector<Block> parts;
    for (const Flow& flow : phase.flows) {
      const Resources before = res_;
      Block block = std::visit([&](const auto& spec) { return lower_flow(res_, spec); }, flow);
      if (res_.failed()) {
        res_ = before;
        continue;
      }
      const int mxu = mxu_of(flow);
      note_opening(flow);
      if (mxu >= 0) append(by_mxu[static_cast<size_t>(mxu)], std::move(block));
      else parts.push_back(std::move(block));
    }
    for (Block& block : by_mxu) parts.push_back(std::move(block));
    Rng random(phase.mix_seed);
    Block out;
    for (Block& part : parts) {
      if (phase.mix_seed == 0) append(out, std::move(part));
      else out = interleave(std::move(out), std::move(part), random, phase.fuse != 0);
    }
    if (phase.sync_after != 0) {
      out.push_back(word_node(sync_word(all_engines(chip_))));
      res_.recycle();
    }
    return out;
  }

  /// MXU-2 wants a switch before any MM. A gemm whose loops have no items may begin with an MM that only drains.
  void note_opening(const Flow& flow) {
    const auto* gemm = std::get_if<GemmSpec>(&flow);
    if (gemm == nullptr) return;
    const auto& trips = gemm->nest.trips;
    if (std::any_of(trips.begin(), trips.end(), [](int trip) { return trip <= 0; })) opens_[static_cast<size_t>(gemm->mxu)] = true;
  }

  /// Gives a defined content to whatever is read before it is written, and the MXUs their first plane.
  Block opening() {
    Block block;
    for (const ByteRange& range : res_.init()) {
      const int64_t bytes = (range.end - range.begin + res_.granule() - 1) / res_.granule() * res_.granule();
      ShapeSpec shape;
      shape.unit = static_cast<int>(bytes / res_.granule());
      const Transfer transfer = make_transfer(shape, res_.granule());
      block.push_back(word_node(dma_word(Op::kLd, 0, transfer, res_.hbm_operand(res_.hbm(0, bytes)), range.begin)));
    }
    if (!block.empty()) block.push_back(word_node(sync_word(1u << isa::kLd0)));
    for (int mxu = 0; mxu < chip_.mxu.count; ++mxu) {
      if (!opens_[static_cast<size_t>(mxu)] && !res_.acc_init(mxu)) continue;
      append(block, gate_pair(res_, mxu, {}, {}, 0));
      if (!res_.acc_init(mxu)) continue;
      auto& mm = std::get<isa::MmBody>(block.back().word.body);
      mm.rows.imm = static_cast<uint32_t>(chip_.mxu.acc_rows);  // of zeros: k_valid is 0
      block.push_back(word_node(sync_word(static_cast<uint16_t>(1u << (isa::kMm0 + mxu)))));
    }
    return block;
  }

  const Scenario& scenario_;
  const chip::ChipSpec& chip_;
  Resources res_;
  std::array<bool, 4> opens_{};
};

}  // namespace

isa::Program lower(const Scenario& scenario, const chip::ChipSpec& chip) { return ScenarioLowering(scenario, chip).lower(); }

isa::Program random_program(uint64_t seed, const chip::ChipSpec& chip, const GenOptions& options) {
  isa::Program program = lower(random_scenario(seed, chip, options), chip);
  program.name = "random";
  return program;
}

target::MemoryImage random_image(uint64_t seed, const isa::Program& program) {
  Rng random(seed);
  target::MemoryImage image(static_cast<size_t>(program.hbm_bytes));
  for (uint8_t& byte : image) byte = static_cast<uint8_t>(random.next() >> 13);
  return image;
}

isa::Program pair_program(const chip::ChipSpec& chip, int tiles, int rows) {
  const int64_t line = std::max<int64_t>(chip::line_bytes(chip), chip.dma.granule_bytes);
  const int64_t weights = (int64_t{chip.mxu.rows} * chip.mxu.cols + line - 1) / line * line;
  const int64_t activations = (int64_t{std::max(rows, 1)} * chip.mxu.rows + line - 1) / line * line;
  const int64_t pitch = (chip.mxu.cols * 4 + line - 1) / line * line;
  const int64_t result = pitch * std::max(rows, 1);
  WordBuilder b(chip, weights + activations + result);
  CHECK(rows <= chip.mxu.acc_rows && b.program().hbm_bytes <= chip::vmem_bytes(chip)) << "does not fit the chip";
  b.ld(0, 0, b.program().hbm_bytes);
  b.sync(1u << isa::kLd0);
  for (int tile = 0; tile < tiles; ++tile) {
    b.wld(0, chip.mxu.cols);
    b.mm(weights, chip.mxu.rows, 0, static_cast<uint32_t>(rows), tile == 0, true).tag = kPairTag;
  }
  b.sync(1u << isa::kMm0);
  b.vx(0, weights + activations, pitch, static_cast<uint32_t>(rows), static_cast<uint32_t>(chip.mxu.cols));
  b.sync(1u << isa::kVx0);
  b.st(weights + activations, weights + activations, result);
  b.halt();
  return std::move(b.program());
}

}  // namespace lockstep::testgen
