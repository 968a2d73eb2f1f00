#include "tests/property/features.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "hw/base/check.h"
#include "hw/isa/walker.h"

namespace lockstep::testgen {
namespace {

using isa::Op;

class FeatureScan {
 public:
  FeatureScan(const isa::Program& program, const chip::ChipSpec& chip) : program_(program), chip_(chip) {}

  std::set<std::string> run() {
    const isa::WalkPlan plan(program_);
    isa::Walker walker(plan);
    while (const isa::DynamicWord* word = walker.next()) {
      ++words_;
      const isa::Instr& instr = *word->instr;
      if (instr.op == Op::kLoop) loop(*word);
      if (instr.op == Op::kSync) sync(std::get<isa::SyncBody>(instr.body).engines, walker);
      if (isa::is_engine_op(instr.op)) engine_word(*word);
    }
    add("over 100 dynamic words", words_ > 100);
    add("over 500 dynamic words", words_ > 500);
    add("load and store queues used at once", loads_ && stores_);
    return std::move(found_);
  }

 private:
  void add(const char* name, bool holds) {
    if (holds) found_.insert(name);
  }

  void loop(const isa::DynamicWord& word) {
    add("trip 0", word.count == 0);
    add("trip 1", word.count == 1);
    add("empty loop body", word.count > 0 && std::get<isa::LoopBody>(word.instr->body).end_pc == word.pc + 1);
    // Static nesting depth at this word.
    int depth = 1;
    for (uint32_t pc = 0; pc < word.pc; ++pc) {
      if (program_.code[pc].op == Op::kLoop) ++depth;
      if (program_.code[pc].op == Op::kEndloop) --depth;
    }
    if (word.count == 0) return;
    add("loop depth 2", depth == 2);
    add("loop depth 3", depth == 3);
    add("loop depth 4", depth >= 4);
  }

  void sync(unsigned mask, const isa::Walker& walker) {
    bool inside = false;
    for (int level = 0; level < isa::kLoopLevels; ++level) inside = inside || walker.active(level);
    add("SYNC in a loop", mask != 0 && inside);
    add("SYNC of one engine", mask != 0 && (mask & (mask - 1)) == 0);
    add("SYNC of several engines", (mask & (mask - 1)) != 0);
  }

  void engine_word(const isa::DynamicWord& word) {
    const isa::Instr& instr = *word.instr;
    tokens(instr);
    runs(instr);
    rings(instr);
    switch (instr.op) {
      case Op::kLd:
      case Op::kSt: return transfer(word);
      case Op::kWld: return wld(word);
      case Op::kMm: return mm(word);
      default: return vx(word);
    }
  }

  void tokens(const isa::Instr& instr) {
    const auto& [w0, w1] = instr.waits;
    const auto& [p0, p1] = instr.posts;
    add("two waits", w0.count > 0 && w1.count > 0);
    add("two posts", p0.count > 0 && p1.count > 0);
    for (const isa::Wait& wait : instr.waits) add("wait for more than one token", wait.count > 1);
    for (const isa::Post& post : instr.posts) {
      if (post.count == 0) continue;
      add("post of more than one token", post.count > 1);
      add("post at done", post.when == isa::PostWhen::kDone);
      add("post at source_free", post.when == isa::PostWhen::kSourceFree);
      producer_[post.sem] = isa::engine_of(instr) + 1;
    }
    for (const isa::Wait& wait : instr.waits) {
      add("semaphore within one engine", wait.count > 0 && producer_[wait.sem] == isa::engine_of(instr) + 1);
    }
  }

  /// Words of one engine in a row, and rows without any wait.
  void runs(const isa::Instr& instr) {
    const int engine = isa::engine_of(instr);
    run_ = engine == last_engine_ ? run_ + 1 : 1;
    last_engine_ = engine;
    add("more words in a row than the queue holds", run_ > depth_of(instr) + 1);
    const bool waits = instr.waits[0].count > 0 || instr.waits[1].count > 0;
    if (instr.op == Op::kWld || instr.op == Op::kMm) {
      free_pairs_ = waits ? 0 : free_pairs_ + 1;
      add("four or more WLD/MM pairs without waits", free_pairs_ >= 8);
    }
    if (is_dma(instr.op)) {
      int& free_run = instr.op == Op::kLd ? free_loads_ : free_stores_;
      free_run = waits ? 0 : free_run + 1;
      add("more transfers without waits than max_outstanding", free_run > chip_.dma.max_outstanding);
    }
  }

  static bool is_dma(Op op) { return op == Op::kLd || op == Op::kSt; }

  int depth_of(const isa::Instr& instr) const {
    switch (instr.op) {
      case Op::kLd: return chip_.queue_depth.ld;
      case Op::kSt: return chip_.queue_depth.st;
      case Op::kWld: return chip_.queue_depth.wld;
      case Op::kMm: return chip_.queue_depth.mm;
      default: return chip_.queue_depth.vx;
    }
  }

  void rings(const isa::Instr& instr) {
    for (size_t r = 0; r < program_.rings.size(); ++r) {
      if ((instr.step >> r & 1) == 0) continue;
      add("ring of 2", program_.rings[r].modulus == 2);
      add("ring of 3", program_.rings[r].modulus == 3);
    }
  }

  void transfer(const isa::DynamicWord& word) {
    const isa::Instr& instr = *word.instr;
    const auto& body = std::get<isa::DmaBody>(instr.body);
    const isa::DmaShape& far = body.hbm_shape;
    const isa::DmaShape& near = body.vmem_shape;
    const bool load = instr.op == Op::kLd;
    add("LD1", load && instr.unit == 1);
    add("base register not 0", body.hbm.base != 0);
    if (far.run_bytes == 0 || far.n1 == 0 || word.count == 0) {
      add(load ? "zero-length LD" : "zero-length ST", true);
      add("zero run with other sizes", far.run_bytes == 0 && far.n1 > 0 && word.count > 0);
      add("zero n1 with other sizes", far.n1 == 0 && far.run_bytes > 0 && word.count > 0);
      add("zero reps with other sizes", word.count == 0 && far.run_bytes > 0 && far.n1 > 0);
      relay_ = load && instr.waits[0].count > 0 && instr.posts[0].count > 0 ? relay_ + 1 : 0;
      add("relay", relay_ >= 1);
      add("chain of relays", relay_ >= 2);
      return;
    }
    relay_ = 0;
    (load ? loads_ : stores_) = true;
    shapes(far, near, word.count, load);
    const int64_t end = word.hbm() + far.run_bytes;
    add("run over a 4 KiB edge", word.hbm() / 4096 != (end - 1) / 4096);
    add("run over a burst edge", word.hbm() / chip_.dma.burst_bytes != (end - 1) / chip_.dma.burst_bytes);
    add("run off the burst grid", word.hbm() % chip_.dma.burst_bytes != 0);
    add("run of several bursts", far.run_bytes > 2 * static_cast<uint32_t>(chip_.dma.burst_bytes));
    add("last beat not full", far.run_bytes % static_cast<uint32_t>(chip_.dma.beat_bytes) != 0);
    add("odd number of granules", far.run_bytes / static_cast<uint32_t>(chip_.dma.granule_bytes) % 2 == 1);
    bool any = false;
    for (const isa::LoopTerm& term : body.hbm.loops) {
      any = any || term.stride != 0;
      add("negative loop stride", term.stride < 0);
    }
    add("load with loop terms", any && load);
    add("store with loop terms", any && !load);
    add("continues", body.continues);
  }

  void shapes(const isa::DmaShape& far, const isa::DmaShape& near, uint32_t reps, bool load) {
    add(load ? "LD of 3-D in HBM" : "ST of 3-D in HBM", far.n1 > 1 && reps > 1);
    add(load ? "LD of 3-D in VMEM" : "ST of 3-D in VMEM", near.n1 > 1 && reps > 1);
    add("different shapes on the two sides", far.n1 != near.n1);
    add("negative stride in a transfer", (far.n1 > 1 && far.stride1_bytes < 0) || (near.n1 > 1 && near.stride1_bytes < 0));
    add("overlapping runs", far.n1 > 1 && std::abs(far.stride1_bytes) < far.run_bytes);
  }

  void wld(const isa::DynamicWord& word) {
    const auto& body = std::get<isa::WldBody>(word.instr->body);
    add("WLD of k_valid 0", body.k_valid == 0);
    add("WLD of partial k_valid", body.k_valid > 0 && body.k_valid < static_cast<uint32_t>(chip_.mxu.rows));
    add("WLD of partial n_valid", body.n_valid < static_cast<uint32_t>(chip_.mxu.cols));
    add("WLD with negative row stride", body.row_stride_bytes < 0);
    add("operand rows off their width", word.vmem() % chip_.mxu.cols != 0 && body.k_valid > 0);
  }

  void mm(const isa::DynamicWord& word) {
    const auto& body = std::get<isa::MmBody>(word.instr->body);
    const int m = static_cast<int>(word.count), rows = chip_.mxu.rows, wave = rows / chip_.mxu.weight_load_rows;
    add("M = 0", m == 0);
    add("M = 1", m == 1);
    add("M = R/b - 1", m == wave - 1 && m > 0);
    add("M = R/b", m == wave);
    add("M = R/b + 1", m == wave + 1);
    add("M = R", m == rows);
    add("M > R", m > rows);
    add("M < La", m > 0 && m < chip_.mxu.acc_latency);
    add("MM of partial k_valid", m > 0 && body.k_valid < static_cast<uint32_t>(rows));
    add("MM of partial n_valid", m > 0 && body.n_valid < static_cast<uint32_t>(chip_.mxu.cols));
    add("MM without switch", m > 0 && !body.switch_plane);
    add("MM with row stride 0", m > 1 && body.row_stride_bytes == 0);
    add("MM with negative row stride", m > 1 && body.row_stride_bytes < 0);
    const bool accumulates = m > 0 && !body.first;
    chain_ = accumulates ? chain_ + 1 : 0;
    add("accumulation over 2 or more tiles", chain_ >= 1);
    add("accumulation over 5 or more tiles", chain_ >= 4);
    add("neighbours on equal rows", accumulates && word.acc() == last_acc_);
    add("neighbours on overlapping rows", accumulates && last_rows_ > 0 && word.acc() != last_acc_ &&
                                              word.acc() < last_acc_ + last_rows_ && word.acc() + m > last_acc_);
    last_acc_ = word.acc();
    last_rows_ = m;
    add("MXU 1", word.instr->unit == 1);
  }

  void vx(const isa::DynamicWord& word) {
    const auto& body = std::get<isa::VxBody>(word.instr->body);
    add("VX of no rows or chunks", word.count == 0 || body.chunks == 0);
    if (word.count == 0 || body.chunks == 0) return;
    add("VX of more than 8 rows", word.count > 8);
    add("VX of several chunks", body.chunks > 1);
    add("VX over more than an accumulator row", body.chunks > static_cast<uint32_t>(chip_.mxu.cols / chip_.vpu.lanes));
    add("VX of partial columns", body.cols_valid < body.chunks * static_cast<uint32_t>(chip_.vpu.lanes));
    add("VX with row stride not 1", body.slots[0].row_stride != 1);
  }

  const isa::Program& program_;
  const chip::ChipSpec& chip_;
  std::set<std::string> found_;
  std::array<int, isa::kSemaphores> producer_{};
  int64_t words_ = 0;
  int run_ = 0, last_engine_ = -1, free_pairs_ = 0, free_loads_ = 0, free_stores_ = 0, relay_ = 0, chain_ = 0;
  int64_t last_acc_ = -1, last_rows_ = 0;
  bool loads_ = false, stores_ = false;
};

}  // namespace

const std::vector<std::string>& all_features() {
  static const std::vector<std::string> kNames = {
      "over 100 dynamic words",
      "over 500 dynamic words",
      "load and store queues used at once",
      "trip 0",
      "trip 1",
      "empty loop body",
      "loop depth 2",
      "loop depth 3",
      "loop depth 4",
      "SYNC in a loop",
      "SYNC of one engine",
      "SYNC of several engines",
      "two waits",
      "two posts",
      "wait for more than one token",
      "post of more than one token",
      "post at done",
      "post at source_free",
      "semaphore within one engine",
      "more words in a row than the queue holds",
      "four or more WLD/MM pairs without waits",
      "more transfers without waits than max_outstanding",
      "ring of 2",
      "ring of 3",
      "LD1",
      "base register not 0",
      "zero-length LD",
      "zero-length ST",
      "zero run with other sizes",
      "zero n1 with other sizes",
      "zero reps with other sizes",
      "relay",
      "chain of relays",
      "run over a 4 KiB edge",
      "run over a burst edge",
      "run off the burst grid",
      "run of several bursts",
      "last beat not full",
      "odd number of granules",
      "negative loop stride",
      "load with loop terms",
      "store with loop terms",
      "continues",
      "LD of 3-D in HBM",
      "ST of 3-D in HBM",
      "LD of 3-D in VMEM",
      "ST of 3-D in VMEM",
      "different shapes on the two sides",
      "negative stride in a transfer",
      "overlapping runs",
      "WLD of k_valid 0",
      "WLD of partial k_valid",
      "WLD of partial n_valid",
      "WLD with negative row stride",
      "operand rows off their width",
      "M = 0",
      "M = 1",
      "M = R/b - 1",
      "M = R/b",
      "M = R/b + 1",
      "M = R",
      "M > R",
      "M < La",
      "MM of partial k_valid",
      "MM of partial n_valid",
      "MM without switch",
      "MM with row stride 0",
      "MM with negative row stride",
      "accumulation over 2 or more tiles",
      "accumulation over 5 or more tiles",
      "neighbours on equal rows",
      "neighbours on overlapping rows",
      "MXU 1",
      "VX of no rows or chunks",
      "VX of more than 8 rows",
      "VX of several chunks",
      "VX over more than an accumulator row",
      "VX of partial columns",
      "VX with row stride not 1"};
  return kNames;
}

std::set<std::string> features_of(const isa::Program& program, const chip::ChipSpec& chip) {
  return FeatureScan(program, chip).run();
}

}  // namespace lockstep::testgen
