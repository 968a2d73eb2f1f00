#include "tests/rtl/core/core_bench.h"

#include <algorithm>
#include <cstring>

#include <verilated.h>
#include CORE_MODEL_HEADER

#include "hw/isa/field_table.h"

namespace lockstep::rtl_test {

std::vector<uint32_t> pack_word(const isa::Instr& instr) {
  std::vector<uint32_t> words(static_cast<size_t>(isa::word_bits()) / 32);
  for (const isa::Field& field : isa::op_fields(instr.op)) {
    const auto value = static_cast<uint64_t>(field.get(instr));
    for (int bit = 0; bit < field.width; ++bit) {
      const auto at = static_cast<size_t>(field.lsb + bit);
      if ((value >> bit & 1) != 0) words[at / 32] |= 1u << at % 32;
    }
  }
  return words;
}

CoreBench::CoreBench() : context_(std::make_unique<VerilatedContext>()) {
  context_->randReset(2);  // registers power up with random values: what reset forgets shows as a wrong event
  context_->randSeed(20);
  core_ = std::make_unique<CORE_MODEL>(context_.get());
}

CoreBench::~CoreBench() { core_->final(); }

void CoreBench::pulse() {
  core_->clk_i = 0;
  core_->eval();
  core_->clk_i = 1;
  core_->eval();
}

void CoreBench::begin(const isa::Program& program) {
  for (auto& queue : loads_) queue.clear();
  arriving_.clear();
  stores_.clear();
  store_data_.clear();
  loads_seen_ = 0;
  next_issue_ = next_source_free_ = next_done_ = {};
  next_burst_ = {};

  core_->csr_setup_cycles_i = static_cast<uint32_t>(limits.setup_cycles);
  core_->csr_max_outstanding_i = static_cast<uint32_t>(limits.max_outstanding);
  core_->csr_quantum_i = static_cast<uint32_t>(limits.quantum);
  core_->csr_depth_ld_i = core_->csr_depth_st_i = core_->csr_depth_wld_i = core_->csr_depth_mm_i = core_->csr_depth_vx_i =
      static_cast<uint32_t>(limits.depth);
  core_->csr_stripe_log2_i = static_cast<uint32_t>(limits.stripe_log2);
  core_->csr_channels_i = 1;
  core_->csr_vx_start_i = static_cast<uint32_t>(limits.vx_start);
  core_->csr_vx_load_latency_i = static_cast<uint32_t>(limits.vx_load_latency);
  core_->csr_vx_store_latency_i = static_cast<uint32_t>(limits.vx_store_latency);
  core_->csr_fill_i = limits.fill;
  core_->csr_hbm_bytes_i = memory.size();
  core_->start_i = core_->imem_we_i = core_->reg_we_i = 0;
  core_->ld_valid_i = 0;
  core_->mem_slot_free_i = 0;
  core_->rst_ni = 0;
  pulse();
  core_->rst_ni = 1;

  core_->imem_we_i = 1;
  for (size_t pc = 0; pc < program.code.size(); ++pc) {
    const std::vector<uint32_t> word = pack_word(program.code[pc]);
    static_assert(sizeof(core_->imem_data_i) % 4 == 0);
    std::memcpy(&core_->imem_data_i, word.data(), std::min(sizeof(core_->imem_data_i), word.size() * 4));
    core_->imem_addr_i = static_cast<uint32_t>(pc);
    pulse();
  }
  core_->imem_we_i = 0;
  core_->reg_we_i = 1;
  const auto write = [&](size_t address, uint64_t data) {
    core_->reg_addr_i = static_cast<uint32_t>(address);
    core_->reg_data_i = data;
    pulse();
  };
  for (size_t i = 0; i < program.base_registers.size(); ++i) write(i, static_cast<uint64_t>(program.base_registers[i]));
  for (size_t i = 0; i < program.rings.size(); ++i) {
    write(16 + i, static_cast<uint64_t>(program.rings[i].modulus << 4 | program.rings[i].start));
  }
  for (size_t i = 0; i < program.semaphores.size(); ++i) write(32 + i, program.semaphores[i]);
  core_->reg_we_i = 0;
  core_->start_i = 1;
  pulse();
  core_->start_i = 0;
}

void CoreBench::drive(int64_t cycle) {
  core_->mem_slot_free_i = behaviour.slot_free(cycle) ? 1 : 0;
  unsigned valid = 0;
  for (unsigned q = 0; q < 2; ++q) {
    if (loads_[q].empty() || loads_[q].front().data_cycle >= cycle) continue;
    valid |= 1u << q;
    const LoadBurst& burst = loads_[q].front();
    auto& port = q == 0 ? core_->ld_data0_i : core_->ld_data1_i;
    std::memcpy(&port, burst.data.data() + burst.next, std::min(sizeof(port), burst.data.size() - burst.next));
  }
  core_->ld_valid_i = static_cast<uint8_t>(valid);
}

void CoreBench::sample(int64_t cycle, RunLog& log) {
  if (core_->ev_dispatch_valid_o != 0) {
    auto& records = log.events.instrs[target::log_index(core_->ev_dispatch_engine_o)];
    target::InstrEvent record;
    record.engine = core_->ev_dispatch_engine_o;
    record.pc = core_->ev_dispatch_pc_o;
    record.seq = records.size();
    record.tag = core_->ev_dispatch_tag_o;
    record.dispatch = cycle;
    record.issue = record.source_free = record.done = -1;
    records.push_back(record);
  }
  const auto stamp = [&](size_t engine, bool strobe, size_t& next, int64_t target::InstrEvent::*field) {
    if (strobe) log.events.instrs[engine].at(next++).*field = cycle;
  };
  for (size_t e = 0; e < isa::kEngineCount; ++e) {
    stamp(e, core_->ev_issue_o >> e & 1, next_issue_[e], &target::InstrEvent::issue);
    stamp(e, core_->ev_source_free_o >> e & 1, next_source_free_[e], &target::InstrEvent::source_free);
    stamp(e, core_->ev_done_o >> e & 1, next_done_[e], &target::InstrEvent::done);
    log.busy_cycles[e] += core_->ev_busy_o >> e & 1;
  }
  stamp(isa::kEngineCount, core_->ev_seq_done_o, next_done_[isa::kEngineCount], &target::InstrEvent::done);
}

void CoreBench::sample_memory(int64_t cycle, RunLog& log) {
  // Loads granted in the previous cycle arrive now and see the stores of earlier cycles.
  for (const Grant& grant : arriving_) {
    LoadBurst burst;
    burst.data_cycle = cycle + behaviour.latency(loads_seen_++);
    burst.data.assign(memory.begin() + grant.address, memory.begin() + grant.address + grant.bytes);
    loads_.at(static_cast<size_t>(grant.engine)).push_back(std::move(burst));
  }
  arriving_.clear();
  const auto beat = [&](size_t engine, bool last) {
    target::BurstEvent& record = log.events.bursts[engine].at(next_burst_[engine]);
    if (record.first_beat < 0) record.first_beat = cycle;
    if (last) record.last_beat = cycle;
    if (last) ++next_burst_[engine];
  };
  if (core_->gnt_valid_o != 0) {
    const Grant grant{cycle, core_->gnt_engine_o, static_cast<int64_t>(core_->gnt_addr_o), static_cast<int>(core_->gnt_bytes_o)};
    log.grants.push_back(grant);
    auto& bursts = log.events.bursts[static_cast<size_t>(grant.engine)];
    bursts.push_back({static_cast<isa::EngineId>(grant.engine), bursts.size(), cycle, -1, -1});
    (grant.engine == isa::kSt0 ? stores_ : arriving_).push_back(grant);
  }
  for (size_t q = 0; q < 2; ++q) {
    if ((core_->ld_beat_o >> q & 1) == 0) continue;
    const bool last = (core_->ld_last_o >> q & 1) != 0;
    LoadBurst& burst = loads_[q].at(0);
    burst.next += sizeof(core_->ld_data0_i);
    beat(q, last);
    if (last != (burst.next >= burst.data.size())) log.fault_code = -1;  // the core and the memory disagree on beats
    if (last) loads_[q].pop_front();
  }
  if (core_->st_read_o != 0) beat(isa::kSt0, core_->st_read_last_o != 0);
  if (core_->st_valid_o != 0) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&core_->st_data_o);
    store_data_.insert(store_data_.end(), bytes, bytes + core_->st_bytes_o);
    if (core_->st_last_o != 0) {
      const Grant grant = stores_.front();
      stores_.pop_front();
      if (static_cast<int>(store_data_.size()) != grant.bytes) log.fault_code = -1;
      std::copy(store_data_.begin(), store_data_.end(), memory.begin() + grant.address);
      store_data_.clear();
    }
  }
}

bool CoreBench::step(int64_t cycle, RunLog& log) {
  drive(cycle);
  core_->clk_i = 0;
  core_->eval();
  const bool halted = core_->halted_o != 0;
  const bool faulted = core_->fault_valid_o != 0;
  if (halted) log.cycles = cycle;
  if (faulted) {
    log.fault_code = static_cast<int>(core_->fault_code_o);
    log.fault_tag = core_->fault_tag_o;
    log.fault_cycle = cycle - 1;
  }
  log.macs = core_->ctr_macs_o;
  if (halted || faulted) return false;
  sample(cycle, log);
  sample_memory(cycle, log);
  core_->clk_i = 1;
  core_->eval();
  return log.fault_code == 0;
}

RunLog CoreBench::run(const isa::Program& program, int64_t max_cycles) {
  RunLog log;
  begin(program);
  for (int64_t cycle = 0; cycle < max_cycles && step(cycle, log); ++cycle) {
  }
  return log;
}

void CoreBench::run_partly(const isa::Program& program, int64_t cycles) {
  RunLog log;
  begin(program);
  for (int64_t cycle = 0; cycle < cycles && step(cycle, log); ++cycle) {
  }
}

}  // namespace lockstep::rtl_test
