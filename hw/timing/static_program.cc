#include "hw/timing/static_program.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::timing {

namespace {

using isa::Op;

using WaitFields = decltype(isa::Instr::waits);
using PostFields = decltype(isa::Instr::posts);

constexpr int64_t kRowGroup = 8;  // rows of a vector register (VX-1)

class Preparation {
 public:
  Preparation(const isa::Program& program, const MachineConfig& config) : program_(program), config_(config) {}

  Result<StaticProgram> run() {
    out_.initial_tokens = program_.semaphores;
    out_.hbm_bytes = program_.hbm_bytes;
    out_.consumer.fill(kSlotCount);
    producer_.fill(kSlotCount);
    out_.words.reserve(program_.code.size());
    for (pc_ = 0; pc_ < program_.code.size(); ++pc_) out_.words.push_back(word(program_.code[pc_]));
    if (!diags_.empty()) return std::move(diags_);
    for (uint8_t sem = 0; sem < isa::kSemaphores; ++sem) {
      if (producer_[sem] != kSlotCount || out_.consumer[sem] != kSlotCount) out_.used_semaphores.push_back(sem);
    }
    return std::move(out_);
  }

 private:
  void refuse(const char* code, std::string message) {
    diags_.push_back(error(code, {}, fmt::format("word {} ({}, tag {}): {}", pc_, isa::op_name(program_.code[pc_].op),
                                                 program_.code[pc_].tag, message)));
  }
  void not_built(const char* code, bool bad, const char* what) {
    if (bad) refuse(code, fmt::format("{} is not built", what));
  }

  StaticWord word(const isa::Instr& instr) {
    StaticWord out;
    out.tag = instr.tag;
    if (!isa::body_matches_op(instr)) {
      refuse("E0602", "illegal opcode or body");
      return out;
    }
    switch (instr.op) {
      case Op::kLd:
      case Op::kSt: dma_word(std::get<isa::DmaBody>(instr.body), instr, out); break;
      case Op::kWldT: not_built("E0803", true, "WLD.T"); break;
      case Op::kWld: wld_word(out); break;
      case Op::kMm: mm_word(std::get<isa::MmBody>(instr.body), out); break;
      case Op::kVx: vx_word(std::get<isa::VxBody>(instr.body), out); break;
      case Op::kLoop: loop_word(std::get<isa::LoopBody>(instr.body), out); break;
      case Op::kEndloop:
        out.kind = WordKind::kEndloop;
        out.level = level(std::get<isa::EndloopBody>(instr.body).level);
        break;
      case Op::kSync: sync_word(std::get<isa::SyncBody>(instr.body).engines, out); break;
      case Op::kHalt:
        out.kind = WordKind::kHalt;
        out.sync_slots = (1u << kSlotCount) - 1;
        break;
    }
    if (isa::is_engine_op(instr.op)) {
      engine_word(instr, out);
    } else if (instr.waits != WaitFields{} || instr.posts != PostFields{}) {
      refuse("E0636", "a sequencer word neither waits nor posts");
    }
    return out;
  }

  uint8_t level(uint8_t value) {
    if (value >= isa::kLoopLevels) refuse("E0601", fmt::format("loop level {} does not exist", value));
    return value % isa::kLoopLevels;
  }

  uint32_t immediate(const isa::Count& count) {
    not_built("E0801", count.from_table, "a count from SMEM");
    return count.imm;
  }

  void engine_word(const isa::Instr& instr, StaticWord& out) {
    const int units = instr.op == Op::kLd ? config_.load_queues : 1;
    if (instr.unit >= units) {
      refuse("E0630", fmt::format("unit {} does not exist on this chip", instr.unit));
      return;
    }
    const isa::EngineId engine = isa::engine_of(instr);
    out.slot = static_cast<Slot>(std::find(kSlotEngine.begin(), kSlotEngine.end(), engine) - kSlotEngine.begin());
    for (const isa::Wait& wait : instr.waits) {
      if (wait.count == 0) continue;
      if (!semaphore(wait.sem)) continue;
      if (out.wait_count == 1 && out.waits[0].sem == wait.sem) refuse("E0637", "both waits name one semaphore");
      own(out_.consumer[wait.sem], out.slot, wait.sem, "E0702", "waited on by");
      out.waits[out.wait_count++] = wait;
    }
    for (const isa::Post& post : instr.posts) {
      if (post.count == 0) continue;
      if (!semaphore(post.sem)) continue;
      own(producer_[post.sem], out.slot, post.sem, "E0701", "posted to by");
      post_moment(post);
      out.posts[out.post_count++] = {post.sem, post.count, post.when == isa::PostWhen::kDone};
    }
  }

  bool semaphore(uint8_t sem) {
    if (sem < isa::kSemaphores) return true;
    refuse("E0601", fmt::format("semaphore {} does not exist", sem));
    return false;
  }

  // SEM-1: one producer instance, one consumer instance.
  void own(uint8_t& owner, Slot slot, uint8_t sem, const char* code, const char* relation) {
    if (owner == kSlotCount) owner = slot;
    if (owner != slot) {
      refuse(code, fmt::format("semaphore {} is {} both {} and {} (SEM-1)", sem, relation,
                                  isa::engine_name(kSlotEngine[owner]), isa::engine_name(kSlotEngine[slot])));
    }
  }

  // SEM-1: all posts to one semaphore use the same moment.
  void post_moment(const isa::Post& post) {
    int8_t& moment = moment_[post.sem];
    const int8_t mine = post.when == isa::PostWhen::kDone ? 2 : 1;
    if (moment == 0) moment = mine;
    if (moment != mine) refuse("E0703", fmt::format("semaphore {} is posted at both moments (SEM-1)", post.sem));
  }

  void dma_word(const isa::DmaBody& body, const isa::Instr& instr, StaticWord& out) {
    not_built("E0802", body.fill, "fill mode");
    not_built("E0801", body.hbm.table.scale_granules != 0, "an SMEM address term");
    StaticDma dma;
    if (body.hbm.base >= isa::kBaseRegisters) {
      refuse("E0601", fmt::format("base register {} does not exist", body.hbm.base));
    } else {
      dma.base = program_.base_registers[body.hbm.base] + body.hbm.imm;
    }
    for (const isa::LoopTerm& term : body.hbm.loops) {
      if (term.stride == 0) continue;
      dma.strides[static_cast<size_t>(dma.terms)] = term.stride;
      dma.levels[static_cast<size_t>(dma.terms)] = level(term.level);
      ++dma.terms;
    }
    dma.run_bytes = body.hbm_shape.run_bytes;
    dma.n1 = body.hbm_shape.n1;
    dma.reps = immediate(body.reps);
    dma.stride1_bytes = body.hbm_shape.stride1_bytes;
    dma.stride2_bytes = body.hbm_shape.stride2_bytes;
    dma.write = instr.op == Op::kSt;
    dma.zero_length = dma.run_bytes == 0 || dma.n1 == 0 || dma.reps == 0;
    if (!dma.zero_length) {
      const int64_t span1 = (int64_t{dma.n1} - 1) * dma.stride1_bytes;
      const int64_t span2 = (int64_t{dma.reps} - 1) * dma.stride2_bytes;
      dma.lowest = std::min<int64_t>(span1, 0) + std::min<int64_t>(span2, 0);
      dma.highest = std::max<int64_t>(span1, 0) + std::max<int64_t>(span2, 0) + dma.run_bytes;
    }
    out.kind = WordKind::kDma;
    out.dma = static_cast<uint32_t>(out_.dma.size());
    out_.dma.push_back(dma);
  }

  // MXU-5
  void wld_word(StaticWord& out) {
    out.kind = WordKind::kWld;
    out.occupancy = config_.row_blocks;
    out.source_free = config_.row_blocks - 1 + config_.read_latency;
    out.done = config_.read_latency + config_.row_blocks + config_.col_blocks - 2;
  }

  // MXU-5, MXU-6
  void mm_word(const isa::MmBody& body, StaticWord& out) {
    const int64_t rows = immediate(body.rows);
    const int64_t streamed = std::max<int64_t>(rows, 1);  // M'
    out.kind = WordKind::kMm;
    out.switch_plane = body.switch_plane;
    out.occupancy = std::max(rows, config_.acc_latency);
    out.source_free = streamed - 1 + config_.read_latency;
    out.done = config_.read_latency + streamed - 1 + config_.row_blocks + config_.col_blocks - 2 + config_.acc_latency;
    out.macs = static_cast<uint64_t>(rows) * body.k_valid * body.n_valid;
  }

  // VX-1, VX-2
  void vx_word(const isa::VxBody& body, StaticWord& out) {
    not_built("E0804", body.kernel != isa::kKernelCopy, "a vector kernel other than the copy kernel");
    not_built("E0806", body.rows_inner != 0, "two-level row addressing");
    for (const isa::VxSlot& slot : body.slots) {
      const bool other = slot.space != isa::VxSpace::kNone && slot.type != isa::VxType::kInt32;
      not_built("E0805", other, "a vector type other than int32");
    }
    const int64_t rows = immediate(body.rows);
    const int64_t iterations = (rows + kRowGroup - 1) / kRowGroup * body.chunks;
    out.kind = WordKind::kVx;
    if (iterations == 0) {
      out.occupancy = out.source_free = out.done = 1;
      return;
    }
    const int64_t section = config_.vx_load_cycles + config_.vx_store_cycles;
    out.occupancy = config_.vx_start_cycles + iterations * section;
    out.source_free = config_.vx_start_cycles + (iterations - 1) * section + config_.vx_load_cycles;
    out.done = out.occupancy;
  }

  void loop_word(const isa::LoopBody& body, StaticWord& out) {
    out.kind = WordKind::kLoop;
    out.level = level(body.level);
    out.trip = immediate(body.trip);
    out.end_pc = body.end_pc;
  }

  void sync_word(uint16_t engines, StaticWord& out) {
    out.kind = WordKind::kSync;
    for (size_t s = 0; s < kSlotCount; ++s) {
      if ((engines >> kSlotEngine[s] & 1) != 0) out.sync_slots = static_cast<uint8_t>(out.sync_slots | 1u << s);
    }
  }

  const isa::Program& program_;
  const MachineConfig& config_;
  size_t pc_ = 0;
  StaticProgram out_;
  std::array<uint8_t, isa::kSemaphores> producer_{};
  std::array<int8_t, isa::kSemaphores> moment_{};
  std::vector<Diag> diags_;
};

}  // namespace

Result<StaticProgram> prepare(const isa::Program& program, const MachineConfig& config) {
  return Preparation(program, config).run();
}

}  // namespace lockstep::timing
