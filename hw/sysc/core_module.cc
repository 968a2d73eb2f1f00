#include "hw/sysc/core_module.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "hw/base/check.h"
#include "hw/isa/binary.h"
#include "hw/isa/field_table.h"
#include "hw/isa/fault.h"

namespace lockstep::sysc {

namespace {

constexpr int64_t kDefaultMaxCycles = int64_t{1} << 40;
// Longer than any stage may be silent while nothing is scheduled in the memory and no engine but LD and ST is busy: DMA
// setup is at most 1,024 cycles, the pipeline of the largest array less.
constexpr int64_t kQuietCycles = 10'000;
constexpr uint32_t kDmaEngines = 1u << isa::kLd0 | 1u << (isa::kLd0 + 1) | 1u << isa::kSt0;

}  // namespace

CoreModule::CoreModule(sc_core::sc_module_name name)
    : sc_module(name),
      socket("socket"),
      core_(make_verilated_core()),
      pins_(core_->pins()),
      extension_(new BurstExtension) {
  payload_.set_extension(extension_);
  SC_HAS_PROCESS(CoreModule);
  SC_METHOD(step);
  sensitive << start_event_;
  dont_initialize();
}

void CoreModule::pulse_clock() {
  pins_.clk_i = 0;
  core_->eval();
  pins_.clk_i = 1;
  core_->eval();
}

void CoreModule::apply_limits(const Limits& limits, uint8_t fill, int64_t hbm_bytes) {
  pins_.csr_setup_cycles_i = static_cast<uint32_t>(limits.setup_cycles);
  pins_.csr_max_outstanding_i = static_cast<uint32_t>(limits.max_outstanding);
  pins_.csr_quantum_i = static_cast<uint32_t>(limits.quantum);
  pins_.csr_depth_ld_i = static_cast<uint32_t>(limits.depth_ld);
  pins_.csr_depth_st_i = static_cast<uint32_t>(limits.depth_st);
  pins_.csr_depth_wld_i = static_cast<uint32_t>(limits.depth_wld);
  pins_.csr_depth_mm_i = static_cast<uint32_t>(limits.depth_mm);
  pins_.csr_depth_vx_i = static_cast<uint32_t>(limits.depth_vx);
  pins_.csr_stripe_log2_i = static_cast<uint32_t>(__builtin_ctzll(static_cast<uint64_t>(limits.dram.stripe_bytes)));
  pins_.csr_channels_i = static_cast<uint32_t>(limits.dram.channels);
  pins_.csr_vx_start_i = static_cast<uint32_t>(limits.vx_start);
  pins_.csr_vx_load_latency_i = static_cast<uint32_t>(limits.vx_load_latency);
  pins_.csr_vx_store_latency_i = static_cast<uint32_t>(limits.vx_store_latency);
  pins_.csr_fill_i = fill;
  pins_.csr_hbm_bytes_i = static_cast<uint64_t>(hbm_bytes);
}

void CoreModule::load_image(const isa::Program& program) {
  pins_.imem_we_i = 1;
  CHECK(static_cast<size_t>(isa::word_bytes()) == pins_.imem_data_i.size())
      << "lk_isa_pkg and hw/isa disagree on the word width";
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    isa::encode_word(program.code[pc], pins_.imem_data_i);
    pins_.imem_addr_i = static_cast<uint32_t>(pc);
    pulse_clock();
  }
  pins_.imem_we_i = 0;
  pins_.reg_we_i = 1;
  const auto write_register = [&](size_t address, uint64_t data) {
    pins_.reg_addr_i = static_cast<uint32_t>(address);
    pins_.reg_data_i = data;
    pulse_clock();
  };
  for (size_t i = 0; i < program.base_registers.size(); ++i) {
    write_register(i, static_cast<uint64_t>(program.base_registers[i]));
  }
  for (size_t i = 0; i < program.rings.size(); ++i) {
    write_register(16 + i, static_cast<uint64_t>(program.rings[i].modulus << 4 | program.rings[i].start));
  }
  for (size_t i = 0; i < program.semaphores.size(); ++i) write_register(32 + i, program.semaphores[i]);
  pins_.reg_we_i = 0;
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

  pins_.start_i = 0;
  pins_.imem_we_i = 0;
  pins_.reg_we_i = 0;
  pins_.ld_valid_i = 0;
  pins_.mem_slot_free_i = 0;
  apply_limits(request.limits, request.options.vmem_fill, request.program.hbm_bytes);
  pins_.rst_ni = 0;
  pulse_clock();
  pins_.rst_ni = 1;
  load_image(request.program);
  pins_.start_i = 1;
  pulse_clock();
  pins_.start_i = 0;

  running_ = true;
  start_event_.notify(sc_core::SC_ZERO_TIME);
}

void CoreModule::step() {
  drive_inputs();
  pins_.clk_i = 0;
  core_->eval();
  sample_outputs();
  handle_memory();
  const bool end = finished();
  pins_.clk_i = 1;
  core_->eval();
  ++cycle_;
  if (end) {
    running_ = false;  // no new notification: the kernel starves and sc_start() returns
  } else {
    next_trigger(cycles_to_time(1));
  }
}

void CoreModule::drive_inputs() {
  pins_.mem_slot_free_i = credit->free_slots(cycle_);
  unsigned valid = 0;
  for (unsigned q = 0; q < loads_.size(); ++q) {
    if (loads_[q].empty() || loads_[q].front().data_cycle >= cycle_) continue;
    valid |= 1u << q;
    const LoadBurst& burst = loads_[q].front();
    const std::span<uint8_t> port = q == 0 ? pins_.ld_data0_i : pins_.ld_data1_i;
    const size_t bytes = std::min(burst.data.size() - burst.next_byte, port.size());
    std::memcpy(port.data(), burst.data.data() + burst.next_byte, bytes);
  }
  pins_.ld_valid_i = static_cast<uint8_t>(valid);
}

void CoreModule::count_busy(uint32_t busy) {
  for (; busy != 0; busy &= busy - 1) ++result_.counters.engines[static_cast<size_t>(__builtin_ctz(busy))].busy_cycles;
}

void CoreModule::sample_outputs() {
  const uint32_t issue = pins_.ev_issue_o;
  const uint32_t source_free = pins_.ev_source_free_o;
  const uint32_t done = pins_.ev_done_o;
  if (pins_.ev_word_o != 0) ++result_.counters.words;
  if (pins_.ev_dispatch_valid_o != 0) {
    events_->dispatch(cycle_, pins_.ev_dispatch_engine_o, pins_.ev_dispatch_pc_o, pins_.ev_dispatch_tag_o);
  }
  if ((issue | source_free | done) != 0) events_->strobes(cycle_, issue, source_free, done);
  for (uint32_t bits = issue; bits != 0; bits &= bits - 1) {
    ++result_.counters.engines[static_cast<size_t>(__builtin_ctz(bits))].instrs;
  }
  count_busy(pins_.ev_busy_o);
  if (pins_.ev_seq_done_o != 0) events_->sequencer_done(cycle_);
  const uint32_t moves = issue | source_free | done | pins_.ev_word_o | (pins_.ev_busy_o & ~kDmaEngines) | pins_.gnt_valid_o |
                         pins_.ld_beat_o | pins_.st_read_o | pins_.st_valid_o;
  if (moves != 0) last_progress_ = std::max(last_progress_, cycle_);
}

mem::Service CoreModule::transact(const Grant& grant, uint8_t* data, bool write) {
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(static_cast<uint64_t>(grant.address));
  payload_.set_data_ptr(data);
  payload_.set_data_length(static_cast<unsigned>(grant.bytes));
  payload_.set_streaming_width(static_cast<unsigned>(grant.bytes));
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  extension_->queue = static_cast<uint8_t>(grant.engine);
  extension_->close = grant.close;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload_, phase, delay);
  CHECK(status == tlm::TLM_COMPLETED) << "the memory completes every burst early";
  if (payload_.is_response_error()) {
    fault("F-HBM-RANGE", 0, cycle_, fmt::format("memory refused a burst at {:#x}, {} bytes", grant.address, grant.bytes));
    return {};
  }
  const mem::Service& service = extension_->service;
  result_.counters.hbm_bus_bytes += static_cast<uint64_t>(service.columns) * access_bytes_;
  last_progress_ = std::max({last_progress_, service.data_cycle, service.release_cycle});  // what is scheduled will happen
  return service;
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
  if (pins_.st_valid_o == 0) return;
  const auto beat = pins_.st_data_o.first(pins_.st_bytes_o);
  store_data_.insert(store_data_.end(), beat.begin(), beat.end());
  if (pins_.st_last_o == 0) return;
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
    if ((pins_.ld_beat_o >> q & 1) == 0) continue;
    CHECK(!loads_[q].empty()) << "LD" << q << " took a beat that was not offered";
    const bool last = (pins_.ld_last_o >> q & 1) != 0;
    events_->burst_beat(cycle_, q, last);
    LoadBurst& burst = loads_[q].front();
    burst.next_byte += pins_.ld_data0_i.size();
    CHECK(last == (burst.next_byte >= burst.data.size())) << "LD" << q << " and memory disagree on the burst length";
    if (last) loads_[q].pop_front();
  }
  if (pins_.st_read_o != 0) events_->burst_beat(cycle_, isa::kSt0, pins_.st_read_last_o != 0);
  if (pins_.gnt_valid_o == 0) return;
  const Grant grant{static_cast<int64_t>(pins_.gnt_addr_o), static_cast<int>(pins_.gnt_bytes_o), pins_.gnt_engine_o,
                    pins_.gnt_close_o != 0};
  credit->take_slot(grant.address, cycle_);
  events_->burst_grant(cycle_, grant.engine);
  if (grant.engine == isa::kSt0) stores_.push_back(grant);
  else granted_.push_back(grant);
}

void CoreModule::fault(std::string code, uint32_t tag, int64_t cycle, std::string detail) {
  if (!result_.fault) result_.fault = target::Fault{std::move(code), tag, cycle, std::move(detail)};
}

bool CoreModule::finished() {
  const bool halted = pins_.halted_o != 0;
  if (pins_.fault_valid_o != 0) {  // high from the cycle after the offence
    fault(isa::fault_name(static_cast<isa::FaultCode>(pins_.fault_code_o)), pins_.fault_tag_o, cycle_ - 1, describe_stall());
  } else if (!halted && cycle_ >= max_cycles_) {
    fault("F-WATCHDOG", 0, cycle_, describe_stall());
  } else if (!halted && cycle_ - last_progress_ > kQuietCycles) {
    fault("F-DEADLOCK", 0, cycle_, describe_stall());
  }
  if (result_.fault) return true;
  if (!halted) return false;
  result_.cycles = cycle_;  // halted_o rises in the cycle after HALT's done: done + 1 (SEQ-5)
  result_.counters.macs = pins_.ctr_macs_o;
  return true;
}

std::string CoreModule::describe_stall() const {
  std::string text = fmt::format("pc {}", static_cast<uint32_t>(pins_.dbg_pc_o));
  for (unsigned e = 0; e < isa::kEngineCount; ++e) {
    if ((pins_.dbg_queue_nonempty_o >> e & 1) == 0) continue;
    const bool sem = (pins_.dbg_wait_sem_o >> e & 1) != 0;
    const bool plane = pins_.dbg_wait_plane_o != 0 && e >= isa::kWld0;
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

int sc_main(int, char*[]) {
  lockstep::sysc::DramModule dram("dram");
  lockstep::sysc::CoreModule core("core");
  core.socket.bind(dram.socket);
  core.credit.bind(dram);
  return lockstep::sysc::serve(core, dram);
}
