// Compiled once per Verilated model with MODEL_HEADER, MODEL_CLASS, MODEL_NAME and the build parameters as definitions.
#include MODEL_HEADER

#include <cstring>

#include "tests/rtl/mxu/mxu_dut.h"
#include "verilated.h"

namespace lockstep::rtltest {
namespace {

// Verilator ports of any width are little-endian words in a row; the model's type decides how many.
template <typename Port>
void write_port(Port& port, const void* bytes, size_t count) {
  static_assert(std::is_trivially_copyable_v<Port>);
  std::memcpy(static_cast<void*>(&port), bytes, std::min(count, sizeof(Port)));
}

template <typename Port>
void read_port(const Port& port, void* bytes, size_t count) {
  std::memcpy(bytes, static_cast<const void*>(&port), std::min(count, sizeof(Port)));
}

class VerilatedDut final : public MxuDut {
 public:
  VerilatedDut() {
    context_.fatalOnError(false);
    context_.randReset(2);  // a register that is used before it is written shows as noise
    context_.randSeed(RANDOM_SEED);
    model_ = std::make_unique<MODEL_CLASS>(&context_, "top");
  }

  void drive(const MxuInputs& inputs) override {
    MODEL_CLASS& m = *model_;
    m.clk_i = 0;
    m.rst_ni = !inputs.reset;
    m.csr_fill_i = inputs.fill;
    m.wld_issue_i = inputs.wld_issue;
    m.wld_addr_i = inputs.wld.address;
    m.wld_row_stride_i = static_cast<uint32_t>(inputs.wld.row_stride_bytes);
    m.wld_k_valid_i = inputs.wld.k_valid;
    m.wld_n_valid_i = inputs.wld.n_valid;
    m.mm_issue_i = inputs.mm_issue;
    m.mm_addr_i = inputs.mm.address;
    m.mm_row_stride_i = static_cast<uint32_t>(inputs.mm.row_stride_bytes);
    m.mm_acc_i = inputs.mm.acc_row;
    m.mm_rows_i = inputs.mm.rows;
    m.mm_k_valid_i = inputs.mm.k_valid;
    m.mm_n_valid_i = inputs.mm.n_valid;
    m.mm_first_i = inputs.mm.first;
    m.mm_switch_i = inputs.mm.switch_plane;
    write_port(m.acc_read_i, &inputs.acc_read_mask, sizeof(inputs.acc_read_mask));
    write_port(m.acc_addr_i, inputs.acc_rows.data(), sizeof(uint32_t) * OBSERVED_ROWS);
    drive_memory_ports(inputs);
    m.eval();
  }

  void sample(MxuOutputs& outputs) override {
    MODEL_CLASS& m = *model_;
    outputs.flags = {.wld_ready = m.wld_ready_o != 0, .wld_busy = m.wld_busy_o != 0, .wld_sf = m.wld_sf_o != 0,
                     .wld_done = m.wld_done_o != 0, .mm_ready = m.mm_ready_o != 0,
                     .mm_switch_ok = m.mm_switch_ok_o != 0, .mm_busy = m.mm_busy_o != 0, .mm_sf = m.mm_sf_o != 0,
                     .mm_done = m.mm_done_o != 0};
    outputs.acc_words.resize(static_cast<size_t>(OBSERVED_ROWS) * COLS);
    read_port(m.acc_data_o, outputs.acc_words.data(), outputs.acc_words.size() * sizeof(uint32_t));
    outputs.store_bytes.resize(kGranulesPerBeat * kGranuleBytes);
    read_port(m.st_data_o, outputs.store_bytes.data(), outputs.store_bytes.size());
  }

  void clock_edge() override {
    model_->clk_i = 1;
    model_->eval();
  }

  bool has_data() const override { return DATAPATH != 0; }
  bool assertion_failed() const override { return context_.gotError(); }

 private:
  void drive_memory_ports(const MxuInputs& inputs) {
    MODEL_CLASS& m = *model_;
    uint32_t read_mask = 0;
    for (int g = 0; g < kGranulesPerBeat; ++g) read_mask |= static_cast<uint32_t>(inputs.store_read[g]) << g;
    write_port(m.st_read_i, &read_mask, sizeof(read_mask));
    write_port(m.st_addr_i, inputs.store_address.data(), sizeof(inputs.store_address));

    uint32_t write_mask = 0;
    std::array<uint32_t, kLoadQueues * kGranulesPerBeat> addresses{};
    std::array<std::array<uint8_t, kGranuleBytes>, kLoadQueues * kGranulesPerBeat> bytes{};
    for (size_t g = 0; g < inputs.load.size(); ++g) {
      write_mask |= static_cast<uint32_t>(inputs.load[g].valid) << g;
      addresses[g] = inputs.load[g].address;
      bytes[g] = inputs.load[g].bytes;
    }
    write_port(m.ld_write_i, &write_mask, sizeof(write_mask));
    write_port(m.ld_addr_i, addresses.data(), sizeof(addresses));
    write_port(m.ld_data_i, bytes.data(), sizeof(bytes));

    m.vx_write_i = static_cast<uint8_t>(inputs.vx_write[0] | inputs.vx_write[1] << 1);
    write_port(m.vx_addr_i, inputs.vx_address.data(), sizeof(inputs.vx_address));
    uint64_t lanes = 0;
    for (size_t l = 0; l < inputs.vx_lanes.size(); ++l) lanes |= static_cast<uint64_t>(inputs.vx_lanes[l]) << l;
    write_port(m.vx_lane_mask_i, &lanes, sizeof(lanes));
    if (!inputs.vx_words.empty())
      write_port(m.vx_data_i, inputs.vx_words.data(), inputs.vx_words.size() * sizeof(uint32_t));
  }

  VerilatedContext context_;
  std::unique_ptr<MODEL_CLASS> model_;
};

const bool kRegistered = [] {
  mxu_models().push_back({MxuConfig{.name = MODEL_NAME, .rows = ROWS, .cols = COLS, .load_rows = LOAD_ROWS,
                                    .vmem_latency = VMEM_LATENCY, .acc_latency = ACC_LATENCY, .acc_rows = ACC_ROWS,
                                    .vmem_bytes = VMEM_BYTES, .observed_rows = OBSERVED_ROWS},
                          [] { return std::make_unique<VerilatedDut>(); }});
  return true;
}();

}  // namespace
}  // namespace lockstep::rtltest
