#include "tests/rtl/mxu/mxu_runner.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::rtltest {
namespace {

MxuInputs idle_inputs(const MxuConfig& config) {
  MxuInputs inputs;
  inputs.vx_words.resize(static_cast<size_t>(kVxRows) * config.cols);
  inputs.vx_lanes.resize(static_cast<size_t>(config.cols));
  return inputs;
}

std::string describe(const MxuFlags& f) {
  return fmt::format("wld ready {:d} busy {:d} sf {:d} done {:d}, "
                     "mm ready {:d} switch_ok {:d} busy {:d} sf {:d} done {:d}",
                     f.wld_ready, f.wld_busy, f.wld_sf, f.wld_done, f.mm_ready, f.mm_switch_ok, f.mm_busy, f.mm_sf,
                     f.mm_done);
}

/// One in-order queue: the head may ask to issue `delay_cycles` after it became the head.
template <typename Entry>
class Queue {
 public:
  Queue(const std::vector<Entry>& entries, int64_t now) : entries_(entries), head_since_(now) {}
  const Entry* head(int64_t now) const {
    if (next_ == entries_.size() || now < head_since_ + entries_[next_].delay_cycles) return nullptr;
    return &entries_[next_];
  }
  void pop(int64_t now) {
    ++next_;
    head_since_ = now + 1;
  }
  bool empty() const { return next_ == entries_.size(); }

 private:
  const std::vector<Entry>& entries_;
  size_t next_ = 0;
  int64_t head_since_;
};

}  // namespace

MxuRunner::MxuRunner(const MxuConfig& config, std::vector<std::unique_ptr<MxuDut>> duts, uint64_t seed)
    : config_(config), duts_(std::move(duts)), rng_(seed), reference_(config) {}

void MxuRunner::start(uint8_t fill, bool keep_fill) {
  MxuInputs inputs = idle_inputs(config_);
  inputs.reset = true;
  inputs.fill = fill;
  cycle(inputs);
  ++stats_.resets;
  if (keep_fill) return;
  for (uint32_t address = 0; address < static_cast<uint32_t>(config_.vmem_bytes);) {
    inputs = idle_inputs(config_);
    for (GranuleWrite& granule : inputs.load) {
      granule.valid = true;
      granule.address = address;
      for (uint8_t& byte : granule.bytes) byte = static_cast<uint8_t>(rng_());
      address += kGranuleBytes;
    }
    cycle(inputs);
  }
}

void MxuRunner::run(const MxuProgram& program, std::optional<int64_t> reset_after) {
  const int64_t begin = reference_.cycle();
  Queue<MxuProgram::Wld> wlds(program.wlds, begin);
  Queue<MxuProgram::Mm> mms(program.mms, begin);
  issue_times_ = {};
  while (!wlds.empty() || !mms.empty() || reference_.cycle() <= reference_.last_event() + 1) {
    const int64_t now = reference_.cycle();
    if (mismatch_ || (reset_after && now - begin >= *reset_after)) return;
    MxuInputs inputs = idle_inputs(config_);
    if (const auto* head = wlds.head(now); head != nullptr && reference_.wld_ready()) {
      inputs.wld_issue = true;
      inputs.wld = head->word;
      issue_times_.wld.push_back(now);
      wlds.pop(now);
    }
    if (const auto* head = mms.head(now); head != nullptr && reference_.mm_ready(head->word)) {
      inputs.mm_issue = true;
      inputs.mm = head->word;
      issue_times_.mm.push_back(now);
      ++stats_.mms;
      mms.pop(now);
    }
    observe(inputs);
    add_traffic(inputs, program.vmem_traffic_percent);
    cycle(inputs);
  }
  sweep_accumulators();
}

// Every cycle: the rows that are being written (they must still read as before) and the rows written one cycle ago
// (they must read as new): so each column block is caught changing in exactly its cycle (MXU-5). Then random rows.
void MxuRunner::observe(MxuInputs& inputs) {
  std::vector<uint32_t> rows = reference_.rows_written(reference_.cycle());
  const std::vector<uint32_t> before = reference_.rows_written(reference_.cycle() - 1);
  rows.insert(rows.end(), before.begin(), before.end());
  std::shuffle(rows.begin(), rows.end(), rng_);
  for (int port = 0; port < config_.observed_rows; ++port) {
    const auto index = static_cast<size_t>(port);
    if (index < rows.size()) {
      inputs.acc_rows[index] = rows[index];
    } else {
      inputs.acc_rows[index] = static_cast<uint32_t>(pick(rng_, 0, config_.acc_rows - 1));
      if (pick(rng_, 0, 3) != 0) continue;
    }
    inputs.acc_read_mask |= 1u << port;
  }
}

uint32_t MxuRunner::pick_granule() {
  return static_cast<uint32_t>(pick(rng_, 0, config_.vmem_bytes / kGranuleBytes - 1) * kGranuleBytes);
}

void MxuRunner::add_traffic(MxuInputs& inputs, int percent) {
  const auto chance = [&] { return pick(rng_, 0, 99) < percent; };
  for (GranuleWrite& granule : inputs.load) {
    granule.valid = chance();
    granule.address = pick_granule();
    for (uint8_t& byte : granule.bytes) byte = static_cast<uint8_t>(rng_());
  }
  for (size_t g = 0; g < inputs.store_read.size(); ++g) {
    inputs.store_read[g] = chance();
    inputs.store_address[g] = pick_granule();
  }
  for (size_t row = 0; row < inputs.vx_write.size(); ++row) {
    inputs.vx_write[row] = chance();
    inputs.vx_address[row] = static_cast<uint32_t>(pick(rng_, 0, (config_.vmem_bytes - 4 * config_.cols) / 4) * 4);
  }
  for (uint32_t& word : inputs.vx_words) word = static_cast<uint32_t>(rng_());
  for (size_t l = 0; l < inputs.vx_lanes.size(); ++l) inputs.vx_lanes[l] = pick(rng_, 0, 3) != 0;
}

void MxuRunner::sweep_accumulators() {
  for (uint32_t row = 0; row < static_cast<uint32_t>(config_.acc_rows) && !mismatch_;) {
    MxuInputs inputs = idle_inputs(config_);
    for (int port = 0; port < config_.observed_rows && row < static_cast<uint32_t>(config_.acc_rows); ++port, ++row) {
      inputs.acc_read_mask |= 1u << port;
      inputs.acc_rows[static_cast<size_t>(port)] = row;
    }
    cycle(inputs);
  }
  MxuInputs inputs = idle_inputs(config_);
  cycle(inputs);
}

void MxuRunner::cycle(MxuInputs& inputs) {
  for (size_t dut = 0; dut < duts_.size(); ++dut) {
    duts_[dut]->drive(inputs);
    MxuOutputs outputs;
    duts_[dut]->sample(outputs);
    if (stats_.cycles > 0) compare(inputs, dut, outputs);  // before the first reset everything is noise
    duts_[dut]->clock_edge();
    if (duts_[dut]->assertion_failed()) fail(dut, "an RTL assertion failed");
  }
  reference_.step(inputs);
  ++stats_.cycles;
}

void MxuRunner::compare(const MxuInputs& inputs, size_t dut, const MxuOutputs& outputs) {
  const MxuFlags expected = reference_.expected_flags(inputs);
  if (outputs.flags != expected)
    fail(dut, fmt::format("flags\n  expected {}\n  got      {}", describe(expected), describe(outputs.flags)));
  if (duts_[dut]->has_data()) compare_memory_ports(dut, outputs);
}

void MxuRunner::compare_memory_ports(size_t dut, const MxuOutputs& outputs) {
  const auto& ports = reference_.expected_acc();
  for (size_t port = 0; port < ports.size(); ++port) {
    if (!ports[port]) continue;
    for (size_t n = 0; n < static_cast<size_t>(config_.cols); ++n) {
      const uint32_t word = outputs.acc_words[port * static_cast<size_t>(config_.cols) + n];
      if (word != (*ports[port])[n])
        fail(dut, fmt::format("accumulator port {} column {}: expected {:08x} got {:08x}", port, n, (*ports[port])[n],
                              word));
    }
  }
  const auto granules = reference_.expected_store();
  for (size_t g = 0; g < granules.size(); ++g)
    if (granules[g] && !std::equal(granules[g]->begin(), granules[g]->end(),
                                   outputs.store_bytes.begin() + static_cast<int64_t>(g) * kGranuleBytes))
      fail(dut, fmt::format("store port granule {} differs", g));
}

void MxuRunner::fail(size_t dut, const std::string& text) {
  if (mismatch_) return;
  mismatch_ = fmt::format("{} (model {} of {}), cycle {}: {}", config_.name, dut, duts_.size(), reference_.cycle(),
                          text);
}

}  // namespace lockstep::rtltest
