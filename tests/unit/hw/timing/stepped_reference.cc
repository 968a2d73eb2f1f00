#include "tests/unit/hw/timing/stepped_reference.h"

#include <algorithm>

namespace lockstep::timing::stepped {

namespace {

using isa::EngineId;
using isa::EngineKind;
using isa::Op;
using isa::PostWhen;

constexpr std::array<EngineId, 3> kRing = {isa::kLd0, EngineId{isa::kLd0 + 1}, isa::kSt0};  // DMA-3

mem::DramConfig dram_config(const chip::ChipSpec& chip, const target::RunOptions& options) {
  mem::DramConfig config = mem::make_dram_config(chip).value();
  config.jitter_seed = options.jitter_seed;
  config.jitter_max_cycles = options.jitter_max_cycles;
  return config;
}

size_t depth_of(const chip::ChipSpec& chip, EngineId id) {
  switch (isa::engine_kind(id)) {
    case EngineKind::kLd: return static_cast<size_t>(chip.queue_depth.ld);
    case EngineKind::kSt: return static_cast<size_t>(chip.queue_depth.st);
    case EngineKind::kVx: return static_cast<size_t>(chip.queue_depth.vx);
    case EngineKind::kWld: return static_cast<size_t>(chip.queue_depth.wld);
    case EngineKind::kMm: break;
  }
  return static_cast<size_t>(chip.queue_depth.mm);
}

bool is_zero_length(const isa::DmaBody& body) {
  return body.hbm_shape.run_bytes == 0 || body.hbm_shape.n1 == 0 || body.reps.imm == 0;
}

}  // namespace

SteppedReference::SteppedReference(const chip::ChipSpec& chip, const isa::Program& program,
                                   const target::RunOptions& options)
    : chip_(chip), program_(program), dram_(dram_config(chip, options)) {
  for (size_t n = 0; n < tokens_.size(); ++n) tokens_[n] = program.semaphores[n];
}

Outcome SteppedReference::run(int64_t max_cycles) {
  while (!out_.halted && out_.fault.empty()) {
    if (now_ >= max_cycles) {
      fail("F-WATCHDOG", 0);
      break;
    }
    freeze();
    arrivals();
    issue_engines();
    arbitrate();
    dispatch();
    advance_vx();
    advance_beats();
    fire_timers();
    take_effect();
    ++now_;
  }
  return out_;
}

void SteppedReference::fail(const char* code, uint32_t tag) {
  if (!out_.fault.empty()) return;
  out_.fault = code;
  out_.fault_cycle = now_;
  out_.fault_tag = tag;
}

void SteppedReference::freeze() {
  for (Engine& engine : engines_) engine.size_at_start = engine.queue.size();
  slot_free_ = dram_.slot_free(0, now_);
}

/// Bursts that reach the memory in this cycle: loads granted in the last one, stores whose bytes left VMEM Lv ago.
void SteppedReference::arrivals() {
  const auto reach = [this](const Element& element, bool write) {
    const mem::Service service = dram_.arrive(
        now_, {.channel = 0, .address = element.request.address, .bytes = element.request.bytes, .write = write});
    out_.counters.hbm_bus_bytes += static_cast<uint64_t>(service.columns * chip_.dram.access_bytes);
    return service;
  };
  for (EngineId id : {kRing[0], kRing[1]}) {
    Engine& engine = engines_[id];
    if (!engine.arriving) continue;
    Element& element = engine.order[*engine.arriving];
    element.data_wait = reach(element, false).data_cycle - now_;
    engine.arriving.reset();
  }
  Engine& st = engines_[isa::kSt0];
  if (!st.travel.empty() && st.travel.front().left == 0) {
    const Element element = st.travel.front().element;
    st.travel.pop_front();
    if (!element.marker) reach(element, true);
    end_element(st, element);
    if (element.last_of_word) {
      happen(element.word, PostWhen::kSourceFree);
      happen(element.word, PostWhen::kDone);
    }
  }
}

void SteppedReference::end_element(Engine& engine, const Element&) { ++engine.window_leaving; }

bool SteppedReference::may_issue(const Engine& engine, const Word& word) const {
  if (word.dispatch >= now_ || engine.busy_left > 0 || engine.transferring) return false;
  for (const isa::Wait& wait : word.instr->waits) {
    if (wait.count > 0 && tokens_[wait.sem] < wait.count) return false;
  }
  if (word.instr->op == Op::kWld) return !plane_pending_;
  if (word.instr->op == Op::kMm) return plane_pending_ || !std::get<isa::MmBody>(word.instr->body).switch_plane;
  if (const auto* dma = std::get_if<isa::DmaBody>(&word.instr->body); dma != nullptr && is_zero_length(*dma)) {
    return engine.window_used < chip_.dma.max_outstanding;
  }
  return true;
}

void SteppedReference::issue_engines() {
  for (size_t id = 0; id < engines_.size(); ++id) {
    Engine& engine = engines_[id];
    if (!engine.queue.empty() && may_issue(engine, engine.queue.front())) issue(static_cast<EngineId>(id));
  }
}

void SteppedReference::issue(EngineId id) {
  Engine& engine = engines_[id];
  Word word = engine.queue.front();
  engine.queue.pop_front();
  auto& records = out_.log.instrs[id];
  word.record = records.size();
  records.push_back({id, word.pc, records.size(), word.instr->tag, word.dispatch, now_, -1, -1});
  for (const isa::Wait& wait : word.instr->waits) {
    if (wait.count > 0) token_change_[wait.sem] -= wait.count;
  }
  metrics::EngineCounters& counters = out_.counters.engines[id];
  ++counters.instrs;
  const int64_t b = chip_.mxu.weight_load_rows;
  const int64_t row_blocks = chip_.mxu.rows / b;
  const int64_t col_blocks = chip_.mxu.cols / b;
  const int64_t lv = chip_.vmem.read_latency;
  const int64_t la = chip_.mxu.acc_latency;
  if (word.instr->op == Op::kWld) {
    plane_next_ = true;
    engine.busy_left = row_blocks;
    // The last read is row_blocks - 1 later and takes lv; the token leaves the far corner block last.
    schedule(word, PostWhen::kSourceFree, row_blocks - 1 + lv);
    schedule(word, PostWhen::kDone, lv + (row_blocks - 1) + (col_blocks - 1));
  } else if (word.instr->op == Op::kMm) {
    const auto& mm = std::get<isa::MmBody>(word.instr->body);
    if (mm.switch_plane) plane_next_ = false;
    engine.busy_left = std::max<int64_t>(mm.rows.imm, la);
    const int64_t last_row = mm.rows.imm == 0 ? 0 : mm.rows.imm - 1;
    schedule(word, PostWhen::kSourceFree, last_row + lv);
    schedule(word, PostWhen::kDone, last_row + lv + (row_blocks - 1) + (col_blocks - 1) + la);
    out_.counters.macs += uint64_t{mm.rows.imm} * mm.k_valid * mm.n_valid;
  } else if (word.instr->op == Op::kVx) {
    issue_vx(word);
  } else {
    issue_dma(id, word);
    return;
  }
  if (word.instr->op != Op::kVx) counters.busy_cycles += static_cast<uint64_t>(engine.busy_left);
}

void SteppedReference::schedule(const Word& word, PostWhen moment, int64_t cycles_from_now) {
  timers_.push_back({cycles_from_now, word, moment});
}

void SteppedReference::issue_vx(const Word& word) {
  Engine& engine = engines_[isa::kVx0];
  const auto& vx = std::get<isa::VxBody>(word.instr->body);
  engine.vx_word = word;
  engine.busy_left = INT64_MAX / 2;  // until the unit says so
  engine.vx_iterations_left = 0;
  for (uint32_t row = 0; row < vx.rows.imm; row += 8) engine.vx_iterations_left += vx.chunks;
  if (engine.vx_iterations_left == 0) {
    engine.busy_left = 1;
    ++out_.counters.engines[isa::kVx0].busy_cycles;
    schedule(word, PostWhen::kSourceFree, 1);
    schedule(word, PostWhen::kDone, 1);
    return;
  }
  engine.phase = Engine::Phase::kStart;
  engine.phase_left = chip_.vpu.latency.start;
}

/// The vector unit as a sequence of phases, each a down-counter (VX-1). A phase that ends passes on to the next in
/// the same cycle.
void SteppedReference::advance_vx() {
  Engine& engine = engines_[isa::kVx0];
  using Phase = Engine::Phase;
  if (engine.phase == Phase::kIdle) return;
  const int64_t interval = 8 / chip_.vpu.rows_per_cycle;
  while (engine.phase_left == 0) {
    if (engine.phase == Phase::kLoad) {
      if (engine.vx_iterations_left == 1) happen(engine.vx_word, PostWhen::kSourceFree);
      engine.phase = Phase::kStore;
      engine.phase_left = std::max<int64_t>(interval, chip_.vpu.latency.store);
      continue;
    }
    if (engine.phase == Phase::kStore) --engine.vx_iterations_left;
    engine.phase = Phase::kLoad;
    engine.phase_left = std::max<int64_t>(interval, chip_.vpu.latency.load);
  }
  ++out_.counters.engines[isa::kVx0].busy_cycles;
  --engine.phase_left;
  if (engine.phase == Phase::kStore && engine.phase_left == 0 && engine.vx_iterations_left == 1) {
    // The last store has run: the unit is free in the next cycle, which is also the cycle of `done`.
    engine.phase = Phase::kIdle;
    engine.busy_left = 1;
    schedule(engine.vx_word, PostWhen::kDone, 1);
  }
}

/// DMA-1, byte ranges of the HBM side in order.
std::deque<SteppedReference::Request> SteppedReference::cut(const isa::DmaBody& body, int64_t address) const {
  std::deque<Request> requests;
  for (uint32_t outer = 0; outer < body.reps.imm; ++outer) {
    for (uint32_t run = 0; run < body.hbm_shape.n1; ++run) {
      int64_t at = address + outer * body.hbm_shape.stride2_bytes + run * body.hbm_shape.stride1_bytes;
      const int64_t end = at + body.hbm_shape.run_bytes;
      while (at < end) {
        const int64_t next = std::min(end, (at / chip_.dma.burst_bytes + 1) * chip_.dma.burst_bytes);
        requests.push_back({at, static_cast<int>(next - at)});
        at = next;
      }
    }
  }
  return requests;
}

void SteppedReference::issue_dma(EngineId id, const Word& word) {
  Engine& engine = engines_[id];
  const auto& body = std::get<isa::DmaBody>(word.instr->body);
  if (is_zero_length(body)) {
    engine.busy_left = 1;
    ++out_.counters.engines[id].busy_cycles;
    Element marker;
    marker.marker = marker.data_here = marker.last_of_word = true;
    marker.beats_left = 1;
    marker.word = word;
    engine.order.push_back(marker);
    ++engine.window_entering;
    if (id != isa::kSt0) happen(word, PostWhen::kSourceFree);
    return;
  }
  engine.transferring = true;
  engine.transfer = word;
  engine.transfer_cycles = 0;
  engine.setup_left = chip_.dma.setup_cycles;
  engine.requests = cut(body, word.hbm_address);
}

bool SteppedReference::eligible(EngineId id) const {
  const Engine& engine = engines_[id];
  return engine.transferring && engine.setup_left == 0 && slot_free_ && engine.window_used < chip_.dma.max_outstanding;
}

// DMA-3
void SteppedReference::arbitrate() {
  for (EngineId id : kRing) engines_[id].transfer_cycles += engines_[id].transferring ? 1 : 0;
  if (holder_ >= 0 && eligible(kRing[static_cast<size_t>(holder_)]) && quantum_ < chip_.dma.quantum) {
    const EngineId id = kRing[static_cast<size_t>(holder_)];
    if (engines_[id].requests.front().address / 8192 == holder_stripe_) {
      ++quantum_;
      grant(id);
      return;
    }
  }
  for (int step = 1; step <= 3; ++step) {
    const int candidate = (holder_ + step) % 3;
    if (!eligible(kRing[static_cast<size_t>(candidate)])) continue;
    holder_ = candidate;
    quantum_ = 1;
    grant(kRing[static_cast<size_t>(candidate)]);
    return;
  }
}

void SteppedReference::grant(EngineId id) {
  Engine& engine = engines_[id];
  Element element;
  element.request = engine.requests.front();
  engine.requests.pop_front();
  holder_stripe_ = element.request.address / 8192;
  dram_.take_slot(0, now_);
  ++engine.window_entering;
  element.word = engine.transfer;
  element.last_of_word = engine.requests.empty();
  element.beats_left = (element.request.bytes + chip_.dma.beat_bytes - 1) / chip_.dma.beat_bytes;
  element.data_here = id == isa::kSt0;
  auto& records = out_.log.bursts[id];
  element.record = records.size();
  records.push_back({id, records.size(), now_, -1, -1});
  engine.order.push_back(element);
  const auto bytes = static_cast<uint64_t>(element.request.bytes);
  if (id == isa::kSt0) {
    ++out_.counters.write_bursts;
    out_.counters.hbm_write_bytes += bytes;
  } else {
    ++out_.counters.read_bursts;
    out_.counters.hbm_read_bytes += bytes;
    engine.arriving = engine.order.size() - 1;
  }
  if (!element.last_of_word) return;
  engine.transferring = false;
  engine.busy_left = 1;  // DMA-2: the next descriptor from the next cycle on
  out_.counters.engines[id].busy_cycles += static_cast<uint64_t>(engine.transfer_cycles);
  if (id != isa::kSt0) happen(element.word, PostWhen::kSourceFree);
}

/// One beat per cycle and queue: loads into VMEM, stores out of it. Only elements that entered the order before
/// this cycle, and only data that was visible before it.
void SteppedReference::advance_beats() {
  for (EngineId id : kRing) {
    Engine& engine = engines_[id];
    if (engine.order.empty() || engine.order.front().fresh || !engine.order.front().data_here) continue;
    Element& element = engine.order.front();
    if (!element.marker) {
      target::BurstEvent& record = out_.log.bursts[id][element.record];
      if (!element.started) record.first_beat = now_;
      record.last_beat = now_;
    }
    element.started = true;
    if (--element.beats_left > 0) continue;
    const Element ended = element;
    engine.order.pop_front();
    if (engine.arriving) --*engine.arriving;
    if (id == isa::kSt0) {
      engine.travel.push_back({chip_.vmem.read_latency, ended});
      continue;
    }
    end_element(engine, ended);
    if (ended.last_of_word) happen(ended.word, PostWhen::kDone);
  }
}

void SteppedReference::fire_timers() {
  for (const Timer& timer : timers_) {
    if (timer.left == 0) happen(timer.word, timer.moment);
  }
  std::erase_if(timers_, [](const Timer& timer) { return timer.left == 0; });
  for (Timer& timer : timers_) --timer.left;
}

/// One of the two moments of a word is this cycle.
void SteppedReference::happen(const Word& word, PostWhen moment) {
  const EngineId id = isa::engine_of(*word.instr);
  target::InstrEvent& record = out_.log.instrs[id][word.record];
  if (moment == PostWhen::kDone) {
    record.done = now_;
    --engines_[id].outstanding;
  } else {
    record.source_free = now_;
  }
  for (const isa::Post& post : word.instr->posts) {
    if (post.count == 0 || post.when != moment) continue;
    token_change_[post.sem] += post.count;
    last_post_tag_[post.sem] = word.instr->tag;
  }
}

void SteppedReference::take_effect() {
  for (size_t n = 0; n < tokens_.size(); ++n) {
    tokens_[n] += token_change_[n];
    if (tokens_[n] > 255) fail("F-SEM-OVERFLOW", last_post_tag_[n]);
    token_change_[n] = 0;
  }
  plane_pending_ = plane_next_;
  for (Engine& engine : engines_) {
    if (engine.busy_left > 0) --engine.busy_left;
    if (engine.transferring && engine.setup_left > 0) --engine.setup_left;
    engine.window_used += engine.window_entering - engine.window_leaving;
    engine.window_entering = engine.window_leaving = 0;
    for (Element& element : engine.order) {
      element.fresh = false;
      if (element.data_wait >= 0 && !element.data_here) {
        element.data_here = element.data_wait == 0;
        --element.data_wait;
      }
    }
    for (StoreTravel& store : engine.travel) --store.left;
  }
  if (!in_sync_) return;
  // SEQ-5
  const isa::Instr& instr = program_.code[pc_];
  const uint16_t mask = instr.op == Op::kHalt ? 0xFFF : std::get<isa::SyncBody>(instr.body).engines;
  for (size_t id = 0; id < engines_.size(); ++id) {
    if ((mask >> id & 1) != 0 && engines_[id].outstanding > 0) return;
  }
  auto& records = out_.log.instrs[target::log_index(isa::kSequencer)];
  records.push_back({isa::kSequencer, pc_, records.size(), instr.tag, sync_reached_, -1, -1, now_});
  in_sync_ = false;
  ++pc_;
  if (instr.op != Op::kHalt || !out_.fault.empty()) return;
  out_.halted = true;
  out_.cycles = now_ + 1;
}

void SteppedReference::dispatch() {
  if (in_sync_) return;
  if (pc_ >= program_.code.size()) return fail("F-PC-RANGE", 0);
  const isa::Instr& instr = program_.code[pc_];
  if (isa::is_engine_op(instr.op)) {
    dispatch_word(instr);
  } else {
    dispatch_control(instr);
  }
}

void SteppedReference::dispatch_word(const isa::Instr& instr) {
  const EngineId id = isa::engine_of(instr);
  Engine& engine = engines_[id];
  if (engine.size_at_start >= depth_of(chip_, id)) return;  // SEQ-4
  Word word{&instr, 0, now_, pc_, 0};
  if (const auto* dma = std::get_if<isa::DmaBody>(&instr.body)) {
    word.hbm_address = program_.base_registers[dma->hbm.base] + dma->hbm.imm;
    for (const isa::LoopTerm& term : dma->hbm.loops) word.hbm_address += term.stride * index_[term.level];
    for (const Request& request : cut(*dma, word.hbm_address)) {
      if (request.address < 0 || request.address + request.bytes > program_.hbm_bytes) fail("F-HBM-RANGE", instr.tag);
    }
  }
  engine.queue.push_back(word);
  ++engine.outstanding;
  ++out_.counters.words;
  ++pc_;
}

void SteppedReference::dispatch_control(const isa::Instr& instr) {
  ++out_.counters.words;
  if (instr.op == Op::kLoop) {
    const auto& loop = std::get<isa::LoopBody>(instr.body);
    index_[loop.level] = 0;
    trip_[loop.level] = loop.trip.imm;
    body_[loop.level] = pc_ + 1;
    pc_ = loop.trip.imm == 0 ? loop.end_pc + 1 : pc_ + 1;
  } else if (instr.op == Op::kEndloop) {
    const uint8_t level = std::get<isa::EndloopBody>(instr.body).level;
    if (++index_[level] < trip_[level]) {
      pc_ = body_[level];
    } else {
      index_[level] = 0;
      ++pc_;
    }
  } else {
    in_sync_ = true;
    sync_reached_ = now_;
  }
}

}  // namespace lockstep::timing::stepped
