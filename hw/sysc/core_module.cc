#include "hw/sysc/core_module.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "hw/base/check.h"
#include "hw/isa/binary.h"
#include "hw/isa/fault.h"

namespace lockstep::sysc {

namespace {

constexpr int64_t kDefaultMaxCycles = int64_t{1} << 40;
constexpr int64_t kNoProgressCycles = 2'000'000;  // far above any legal wait: latency x outstanding bursts

}  // namespace

void EventRecorder::dispatch(int64_t cycle, unsigned engine, uint32_t pc, uint32_t tag) {
  if (!keep_) return;
  const size_t index = target::log_index(static_cast<isa::EngineId>(engine));
  auto& records = log_.instrs[index];
  target::InstrEvent record;
  record.engine = static_cast<isa::EngineId>(engine);
  record.pc = pc;
  record.seq = records.size();
  record.tag = tag;
  record.dispatch = cycle;
  record.issue = record.source_free = record.done = -1;
  records.push_back(record);
}

void EventRecorder::strobes(int64_t cycle, uint32_t issue, uint32_t source_free, uint32_t done) {
  if (!keep_) return;
  for (uint32_t bits = issue | source_free | done; bits != 0; bits &= bits - 1) {
    const auto engine = static_cast<size_t>(__builtin_ctz(bits));
    const uint32_t bit = 1u << engine;
    auto& records = log_.instrs[engine];
    const auto stamp = [&](uint32_t mask, size_t& next, int64_t target::InstrEvent::*field) {
      if ((mask & bit) == 0) return;
      CHECK(next < records.size()) << "event strobe without a dispatched word, engine " << engine;
      records[next++].*field = cycle;
    };
    stamp(issue, next_issue_[engine], &target::InstrEvent::issue);
    stamp(source_free, next_source_free_[engine], &target::InstrEvent::source_free);
    stamp(done, next_done_[engine], &target::InstrEvent::done);
  }
}

void EventRecorder::sequencer_done(int64_t cycle) {
  if (!keep_) return;
  auto& records = log_.instrs[isa::kEngineCount];
  CHECK(next_done_[isa::kEngineCount] < records.size()) << "sequencer done without SYNC or HALT";
  records[next_done_[isa::kEngineCount]++].done = cycle;
}

void EventRecorder::burst_grant(int64_t cycle, unsigned engine) {
  if (!keep_) return;
  auto& records = log_.bursts[engine];
  records.push_back({static_cast<isa::EngineId>(engine), records.size(), cycle, -1, -1});
}

void EventRecorder::burst_beat(int64_t cycle, unsigned engine, bool last) {
  if (!keep_) return;
  auto& records = log_.bursts[engine];
  CHECK(next_beat_[engine] < records.size()) << "beat without a granted burst, engine " << engine;
  target::BurstEvent& record = records[next_beat_[engine]];
  if (!in_burst_[engine]) record.first_beat = cycle;
  in_burst_[engine] = !last;
  if (last) {
    record.last_beat = cycle;
    ++next_beat_[engine];
  }
}

CoreModule::CoreModule(sc_core::sc_module_name name)
    : sc_module(name),
      socket("socket"),
      context_(std::make_unique<VerilatedContext>()),
      core_(std::make_unique<Vlk_core>(context_.get(), "lk_core")),
      extension_(new ServiceExtension) {
  payload_.set_extension(extension_);
  SC_HAS_PROCESS(CoreModule);
  SC_METHOD(step);
  sensitive << start_event_;
  dont_initialize();
}

CoreModule::~CoreModule() { core_->final(); }

void CoreModule::pulse_clock() {
  core_->clk_i = 0;
  core_->eval();
  core_->clk_i = 1;
  core_->eval();
}

void CoreModule::apply_limits(const Limits& limits, uint8_t fill, int64_t hbm_bytes) {
  core_->csr_setup_cycles_i = static_cast<uint32_t>(limits.setup_cycles);
  core_->csr_max_outstanding_i = static_cast<uint32_t>(limits.max_outstanding);
  core_->csr_quantum_i = static_cast<uint32_t>(limits.quantum);
  core_->csr_depth_ld_i = static_cast<uint32_t>(limits.depth_ld);
  core_->csr_depth_st_i = static_cast<uint32_t>(limits.depth_st);
  core_->csr_depth_wld_i = static_cast<uint32_t>(limits.depth_wld);
  core_->csr_depth_mm_i = static_cast<uint32_t>(limits.depth_mm);
  core_->csr_depth_vx_i = static_cast<uint32_t>(limits.depth_vx);
  core_->csr_stripe_log2_i = static_cast<uint32_t>(__builtin_ctzll(static_cast<uint64_t>(limits.dram.stripe_bytes)));
  core_->csr_vx_start_i = static_cast<uint32_t>(limits.vx_start);
  core_->csr_vx_load_latency_i = static_cast<uint32_t>(limits.vx_load_latency);
  core_->csr_vx_store_latency_i = static_cast<uint32_t>(limits.vx_store_latency);
  core_->csr_fill_i = fill;
  core_->csr_hbm_bytes_i = static_cast<uint64_t>(hbm_bytes);
}

void CoreModule::load_image(const isa::Program& program) {
  core_->imem_we_i = 1;
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    const isa::Word word = isa::encode_instr(program.code[pc]);
    static_assert(sizeof(word) == sizeof(core_->imem_data_i), "lk_isa_pkg and hw/isa disagree on the word width");
    std::memcpy(core_->imem_data_i.data(), word.data(), sizeof(word));
    core_->imem_addr_i = static_cast<uint32_t>(pc);
    pulse_clock();
  }
  core_->imem_we_i = 0;
  core_->reg_we_i = 1;
  const auto write_register = [&](size_t address, uint64_t data) {
    core_->reg_addr_i = static_cast<uint32_t>(address);
    core_->reg_data_i = data;
    pulse_clock();
  };
  for (size_t i = 0; i < program.base_registers.size(); ++i) {
    write_register(i, static_cast<uint64_t>(program.base_registers[i]));
  }
  for (size_t i = 0; i < program.rings.size(); ++i) {
    write_register(16 + i, static_cast<uint64_t>(program.rings[i].modulus << 4 | program.rings[i].start));
  }
  for (size_t i = 0; i < program.semaphores.size(); ++i) write_register(32 + i, program.semaphores[i]);
  core_->reg_we_i = 0;
}

void CoreModule::begin_run(const RunRequest& request) {
  cycle_ = 0;
  last_progress_ = 0;
  max_cycles_ = request.options.max_cycles > 0 ? request.options.max_cycles : kDefaultMaxCycles;
  result_ = target::RunResult{};
  access_bytes_ = static_cast<uint64_t>(request.limits.dram.access_bytes);
  events_ = std::make_unique<EventRecorder>(request.options.record_events);
  for (auto& queue : loads_) queue.clear();
  stores_.clear();
  granted_.clear();
  store_data_.clear();

  core_->start_i = 0;
  core_->imem_we_i = 0;
  core_->reg_we_i = 0;
  core_->ld_valid_i = 0;
  core_->mem_slot_free_i = 0;
  apply_limits(request.limits, request.options.vmem_fill, request.program.hbm_bytes);
  core_->rst_ni = 0;
  pulse_clock();
  core_->rst_ni = 1;
  load_image(request.program);
  core_->start_i = 1;
  pulse_clock();
  core_->start_i = 0;

  running_ = true;
  start_event_.notify(sc_core::SC_ZERO_TIME);
}

void CoreModule::step() {
  drive_inputs();
  core_->clk_i = 0;
  core_->eval();
  sample_outputs();
  handle_memory();
  const bool end = finished();
  core_->clk_i = 1;
  core_->eval();
  ++cycle_;
  if (end) {
    running_ = false;  // no new notification: the kernel starves and sc_start() returns
  } else {
    next_trigger(cycles_to_time(1));
  }
}

void CoreModule::drive_inputs() {
  core_->mem_slot_free_i = credit->free_slots(cycle_);
  unsigned valid = 0;
  for (unsigned q = 0; q < loads_.size(); ++q) {
    if (loads_[q].empty() || loads_[q].front().data_cycle >= cycle_) continue;
    valid |= 1u << q;
    const LoadBurst& burst = loads_[q].front();
    auto& port = q == 0 ? core_->ld_data0_i : core_->ld_data1_i;
    const size_t bytes = std::min(burst.data.size() - burst.next_byte, sizeof(port));
    std::memcpy(port.data(), burst.data.data() + burst.next_byte, bytes);
  }
  core_->ld_valid_i = static_cast<uint8_t>(valid);
}

void CoreModule::count_busy(uint32_t busy) {
  for (; busy != 0; busy &= busy - 1) ++result_.counters.engines[static_cast<size_t>(__builtin_ctz(busy))].busy_cycles;
}

void CoreModule::sample_outputs() {
  const uint32_t issue = core_->ev_issue_o;
  const uint32_t source_free = core_->ev_source_free_o;
  const uint32_t done = core_->ev_done_o;
  if (core_->ev_word_o != 0) ++result_.counters.words;
  if (core_->ev_dispatch_valid_o != 0) {
    events_->dispatch(cycle_, core_->ev_dispatch_engine_o, core_->ev_dispatch_pc_o, core_->ev_dispatch_tag_o);
  }
  if ((issue | source_free | done) != 0) events_->strobes(cycle_, issue, source_free, done);
  for (uint32_t bits = issue; bits != 0; bits &= bits - 1) {
    ++result_.counters.engines[static_cast<size_t>(__builtin_ctz(bits))].instrs;
  }
  count_busy(core_->ev_busy_o);
  if (core_->ev_seq_done_o != 0) events_->sequencer_done(cycle_);
  if (issue != 0 || done != 0 || core_->ev_word_o != 0) last_progress_ = cycle_;
}

mem::Service CoreModule::transact(const Grant& grant, uint8_t* data, bool write) {
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(static_cast<uint64_t>(grant.address));
  payload_.set_data_ptr(data);
  payload_.set_data_length(static_cast<unsigned>(grant.bytes));
  payload_.set_streaming_width(static_cast<unsigned>(grant.bytes));
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload_, phase, delay);
  CHECK(status == tlm::TLM_COMPLETED) << "the memory completes every burst early";
  if (payload_.is_response_error()) {
    fault("F-HBM-RANGE", 0, fmt::format("memory refused a burst at {:#x}, {} bytes", grant.address, grant.bytes));
    return {};
  }
  result_.counters.hbm_bus_bytes += static_cast<uint64_t>(extension_->service.columns) * access_bytes_;
  return extension_->service;
}

/// LD bursts granted in the previous cycle arrive now (MEM-4: grant + 1), before a store of the same cycle.
void CoreModule::issue_loads() {
  for (const Grant& grant : granted_) {
    LoadBurst burst;
    burst.data.resize(static_cast<size_t>(grant.bytes));
    burst.data_cycle = transact(grant, burst.data.data(), false).data_cycle;
    loads_[grant.engine].push_back(std::move(burst));
    ++result_.counters.read_bursts;
    result_.counters.hbm_read_bytes += static_cast<uint64_t>(grant.bytes);
  }
  granted_.clear();
}

void CoreModule::accept_store_beat() {
  if (core_->st_valid_o == 0) return;
  const auto* beat = reinterpret_cast<const uint8_t*>(core_->st_data_o.data());
  store_data_.insert(store_data_.end(), beat, beat + core_->st_bytes_o);
  if (core_->st_last_o == 0) return;
  CHECK(!stores_.empty()) << "a store burst arrived that was never granted";
  const Grant grant = stores_.front();
  stores_.pop_front();
  CHECK(store_data_.size() == static_cast<size_t>(grant.bytes))
      << "store burst of " << grant.bytes << " bytes arrived with " << store_data_.size();
  transact(grant, store_data_.data(), true);
  store_data_.clear();
  ++result_.counters.write_bursts;
  result_.counters.hbm_write_bytes += static_cast<uint64_t>(grant.bytes);
}

void CoreModule::handle_memory() {
  issue_loads();
  accept_store_beat();
  for (unsigned q = 0; q < loads_.size(); ++q) {
    if ((core_->ld_beat_o >> q & 1) == 0) continue;
    CHECK(!loads_[q].empty()) << "LD" << q << " took a beat that was not offered";
    const bool last = (core_->ld_last_o >> q & 1) != 0;
    events_->burst_beat(cycle_, q, last);
    LoadBurst& burst = loads_[q].front();
    burst.next_byte += sizeof(core_->ld_data0_i);
    CHECK(last == (burst.next_byte >= burst.data.size())) << "LD" << q << " and memory disagree on the burst length";
    if (last) loads_[q].pop_front();
  }
  if (core_->st_read_o != 0) events_->burst_beat(cycle_, isa::kSt0, core_->st_read_last_o != 0);
  if (core_->gnt_valid_o == 0) return;
  const Grant grant{static_cast<int64_t>(core_->gnt_addr_o), static_cast<int>(core_->gnt_bytes_o), core_->gnt_engine_o};
  credit->take_slot(grant.address, cycle_);
  events_->burst_grant(cycle_, grant.engine);
  if (grant.engine == isa::kSt0) stores_.push_back(grant);
  else granted_.push_back(grant);
}

void CoreModule::fault(std::string code, uint32_t tag, std::string detail) {
  if (!result_.fault) result_.fault = target::Fault{std::move(code), tag, cycle_, std::move(detail)};
}

bool CoreModule::finished() {
  if (core_->fault_valid_o != 0) {
    fault(isa::fault_name(static_cast<isa::FaultCode>(core_->fault_code_o)), core_->fault_tag_o, describe_stall());
  } else if (cycle_ >= max_cycles_) {
    fault("F-WATCHDOG", 0, describe_stall());
  } else if (cycle_ - last_progress_ > kNoProgressCycles) {
    fault("F-DEADLOCK", 0, describe_stall());
  }
  if (result_.fault) return true;
  if (core_->halted_o == 0) return false;
  result_.cycles = cycle_;  // halted_o rises in the cycle after HALT's done: done + 1 (SEQ-5)
  result_.counters.macs = core_->ctr_macs_o;
  return true;
}

std::string CoreModule::describe_stall() const {
  std::string text = fmt::format("pc {}", static_cast<uint32_t>(core_->dbg_pc_o));
  for (unsigned e = 0; e < isa::kEngineCount; ++e) {
    if ((core_->dbg_queue_nonempty_o >> e & 1) == 0) continue;
    const bool sem = (core_->dbg_wait_sem_o >> e & 1) != 0;
    const bool plane = core_->dbg_wait_plane_o != 0 && e >= isa::kWld0;
    text += fmt::format("; {} head waits for {}", isa::engine_name(static_cast<isa::EngineId>(e)),
                        sem ? "a semaphore" : plane ? "a weight plane" : "its engine");
  }
  return text;
}

target::RunResult CoreModule::take_result() {
  CHECK(!running_) << "take_result before the run ended";
  result_.events = events_->take();
  return std::move(result_);
}

}  // namespace lockstep::sysc
