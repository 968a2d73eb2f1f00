#include "tests/rtl/mxu/mxu_reference.h"

#include <algorithm>

namespace lockstep::rtltest {
namespace {

bool contains(const std::vector<int64_t>& cycles, int64_t cycle) {
  return std::find(cycles.begin(), cycles.end(), cycle) != cycles.end();
}

}  // namespace

MxuReference::MxuReference(const MxuConfig& config)
    : config_(config),
      vmem_(static_cast<size_t>(config.vmem_bytes)),
      acc_(static_cast<size_t>(config.acc_rows) * config.cols),
      acc_ports_(static_cast<size_t>(config.observed_rows)) {
  reset(0);
}

void MxuReference::reset(uint8_t fill) {
  std::fill(vmem_.begin(), vmem_.end(), fill);
  std::fill(acc_.begin(), acc_.end(), 0x01010101u * fill);
  pending_ = false;
  wld_free_ = mm_free_ = 0;
  last_event_ = cycle_;
  loaded_ = active_ = std::make_shared<Plane>(static_cast<size_t>(config_.rows) * config_.cols);
  loads_.clear();
  multiplies_.clear();
  store_reads_.clear();
  events_ = {};
}

int64_t MxuReference::write_cycle(const Multiply& mm, int64_t m, int64_t j) const {
  return mm.issue + config_.vmem_latency + m + config_.row_blocks() - 1 + j + config_.acc_latency;
}

std::vector<uint32_t> MxuReference::rows_written(int64_t cycle) const {
  std::vector<uint32_t> rows;
  for (const Multiply& mm : multiplies_)
    for (int j = 0; j < config_.col_blocks(); ++j) {
      const int64_t m = cycle - write_cycle(mm, 0, j);
      if (m >= 0 && m < mm.word.rows) rows.push_back(mm.word.acc_row + static_cast<uint32_t>(m));
    }
  return rows;
}

MxuFlags MxuReference::expected_flags(const MxuInputs& inputs) const {
  return {.wld_ready = wld_ready(),
          .wld_busy = inputs.wld_issue || cycle_ < wld_free_,
          .wld_sf = contains(events_.wld_sf, cycle_),
          .wld_done = contains(events_.wld_done, cycle_),
          .mm_ready = cycle_ >= mm_free_,
          .mm_switch_ok = pending_,
          .mm_busy = inputs.mm_issue || cycle_ < mm_free_,
          .mm_sf = contains(events_.mm_sf, cycle_),
          .mm_done = contains(events_.mm_done, cycle_)};
}

std::vector<std::optional<std::vector<uint8_t>>> MxuReference::expected_store() const {
  std::vector<std::optional<std::vector<uint8_t>>> granules(kGranulesPerBeat);
  for (const StoreRead& read : store_reads_)
    if (read.cycle + config_.vmem_latency == cycle_) granules[static_cast<size_t>(read.granule)] = read.bytes;
  return granules;
}

void MxuReference::step(const MxuInputs& inputs) {
  const std::vector<uint32_t> acc_at_start = acc_;
  if (inputs.reset) {
    reset(inputs.fill);
  } else {
    issue(inputs);
    sample_operands(inputs);
    write_accumulators();
    write_vmem(inputs);
    retire();
  }
  for (int port = 0; port < config_.observed_rows; ++port) {
    if ((inputs.acc_read_mask >> port & 1) == 0) continue;
    const auto row = acc_at_start.begin() + static_cast<int64_t>(inputs.acc_rows[port]) * config_.cols;
    acc_ports_[static_cast<size_t>(port)] = std::vector<uint32_t>(row, row + config_.cols);
  }
  ++cycle_;
}

// MXU-2, MXU-4 (occupancy), MXU-5 (events).
void MxuReference::issue(const MxuInputs& inputs) {
  const int64_t lv = config_.vmem_latency;
  const int64_t row_blocks = config_.row_blocks();
  const int64_t col_blocks = config_.col_blocks();
  if (inputs.wld_issue) {
    loaded_ = std::make_shared<Plane>(static_cast<size_t>(config_.rows) * config_.cols);
    loads_.push_back({cycle_, inputs.wld, loaded_});
    pending_ = true;
    wld_free_ = cycle_ + row_blocks;
    events_.wld_sf.push_back(cycle_ + row_blocks - 1 + lv);
    events_.wld_done.push_back(cycle_ + lv + row_blocks + col_blocks - 2);
    last_event_ = std::max(last_event_, events_.wld_done.back());
  }
  if (inputs.mm_issue) {
    if (inputs.mm.switch_plane) {
      active_ = loaded_;
      pending_ = false;
    }
    multiplies_.push_back({cycle_, inputs.mm, active_, {}});
    mm_free_ = cycle_ + std::max<int64_t>(inputs.mm.rows, config_.acc_latency);
    const int64_t rows = std::max<int64_t>(inputs.mm.rows, 1);
    events_.mm_sf.push_back(cycle_ + rows - 1 + lv);
    events_.mm_done.push_back(cycle_ + lv + rows - 1 + row_blocks + col_blocks - 2 + config_.acc_latency);
    last_event_ = std::max(last_event_, events_.mm_done.back());
  }
  for (int g = 0; g < kGranulesPerBeat; ++g)
    if (inputs.store_read[g]) store_reads_.push_back({cycle_, g, inputs.store_address[g], {}});
}

// A read addressed in cycle t samples VMEM in cycle t + Lv - 1, before that cycle's writes.
void MxuReference::sample_operands(const MxuInputs&) {
  const int64_t addressed = cycle_ - (config_.vmem_latency - 1);
  for (Load& load : loads_) {
    const int64_t chunk = addressed - load.issue;
    if (chunk < 0 || chunk >= config_.row_blocks()) continue;
    for (int64_t k = chunk * config_.load_rows; k < (chunk + 1) * config_.load_rows; ++k) {
      if (k >= load.word.k_valid) continue;  // MXU-4: stored as 0
      const int64_t row = int64_t{load.word.address} + k * load.word.row_stride_bytes;
      for (int64_t n = 0; n < std::min<int64_t>(config_.cols, load.word.n_valid); ++n)
        (*load.plane)[static_cast<size_t>(k * config_.cols + n)] =
            static_cast<int8_t>(vmem_[static_cast<size_t>(row + n)]);
    }
  }
  for (Multiply& mm : multiplies_) {
    const int64_t m = addressed - mm.issue;
    if (m < 0 || m >= mm.word.rows) continue;
    const int64_t row = int64_t{mm.word.address} + m * mm.word.row_stride_bytes;
    std::vector<int8_t> activations(static_cast<size_t>(config_.rows));
    for (int64_t k = 0; k < std::min<int64_t>(config_.rows, mm.word.k_valid); ++k)
      activations[static_cast<size_t>(k)] = static_cast<int8_t>(vmem_[static_cast<size_t>(row + k)]);
    mm.activations.push_back(std::move(activations));
  }
  for (StoreRead& read : store_reads_)
    if (read.cycle == addressed)
      read.bytes.assign(vmem_.begin() + read.address, vmem_.begin() + read.address + kGranuleBytes);
}

void MxuReference::write_accumulators() {
  for (const Multiply& mm : multiplies_)
    for (int j = 0; j < config_.col_blocks(); ++j) {
      const int64_t m = cycle_ - write_cycle(mm, 0, j);
      if (m >= 0 && m < mm.word.rows) write_block(mm, static_cast<int>(m), j);
    }
}

// MXU-6: first overwrites; MXU-4: masked columns add 0. int32 wraps.
void MxuReference::write_block(const Multiply& mm, int row, int col_block) {
  for (int n = col_block * config_.load_rows; n < (col_block + 1) * config_.load_rows; ++n) {
    uint32_t sum = 0;
    if (static_cast<uint32_t>(n) < mm.word.n_valid)
      for (int k = 0; k < config_.rows; ++k)
        sum += static_cast<uint32_t>(int32_t{mm.activations[static_cast<size_t>(row)][static_cast<size_t>(k)]} *
                                     int32_t{(*mm.plane)[static_cast<size_t>(k * config_.cols + n)]});
    uint32_t& word = acc_[(mm.word.acc_row + static_cast<size_t>(row)) * config_.cols + static_cast<size_t>(n)];
    word = (mm.word.first ? 0 : word) + sum;
  }
}

void MxuReference::write_vmem(const MxuInputs& inputs) {
  for (const GranuleWrite& granule : inputs.load)
    if (granule.valid) std::copy(granule.bytes.begin(), granule.bytes.end(), vmem_.begin() + granule.address);
  const auto lanes = static_cast<size_t>(config_.cols);
  for (size_t row = 0; row < inputs.vx_write.size(); ++row) {
    if (!inputs.vx_write[row]) continue;
    for (size_t l = 0; l < lanes; ++l)
      if (inputs.vx_lanes[l])
        for (size_t byte = 0; byte < 4; ++byte)
          vmem_[inputs.vx_address[row] + 4 * l + byte] =
              static_cast<uint8_t>(inputs.vx_words[row * lanes + l] >> (8 * byte));
  }
}

// Drops what can no longer have an effect; one extra cycle keeps rows_written(cycle - 1) answerable.
void MxuReference::retire() {
  std::erase_if(loads_, [&](const Load& load) {
    return load.issue + config_.row_blocks() + config_.vmem_latency < cycle_;
  });
  std::erase_if(multiplies_, [&](const Multiply& mm) {
    return write_cycle(mm, mm.word.rows, config_.col_blocks()) + 1 < cycle_;
  });
  std::erase_if(store_reads_, [&](const StoreRead& read) { return read.cycle + config_.vmem_latency < cycle_; });
  for (auto* cycles : {&events_.wld_sf, &events_.wld_done, &events_.mm_sf, &events_.mm_done})
    std::erase_if(*cycles, [&](int64_t cycle) { return cycle < cycle_; });
}

}  // namespace lockstep::rtltest
