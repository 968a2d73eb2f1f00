// Cycles per CPU-second of one Verilated matrix unit with its VMEM: one executable per size, no arguments.
#include MODEL_HEADER

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>

#include "verilated.h"

namespace {

constexpr double kSecondsPerFigure = 1.5;
constexpr int kCyclesPerSlice = 2000;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Bench {
 public:
  Bench() : model_(std::make_unique<MODEL_CLASS>(&context_, "top")) {
    model_->rst_ni = 0;
    model_->csr_fill_i = 0;
    cycle();
    model_->rst_ni = 1;
    std::mt19937 rng(1);
    std::array<uint32_t, 32> beat_pair{};  // 4 granules of 32 bytes
    for (uint32_t address = 0; address < VMEM_BYTES; address += 128) {
      for (uint32_t& word : beat_pair) word = static_cast<uint32_t>(rng());
      const std::array<uint32_t, 4> addresses = {address, address + 32, address + 64, address + 96};
      model_->ld_write_i = 0xF;
      std::memcpy(&model_->ld_addr_i, addresses.data(), sizeof(addresses));
      std::memcpy(&model_->ld_data_i, beat_pair.data(), sizeof(beat_pair));
      cycle();
    }
    model_->ld_write_i = 0;
  }

  /// One MM of `rows` rows per tile, every word in its earliest cycle; rows 0: nothing issues.
  void run(const char* what, uint32_t rows) {
    int64_t cycles = 0;
    int64_t busy = 0;
    int64_t tiles = 0;
    const double begin = cpu_seconds();
    double elapsed = 0;
    while (elapsed < kSecondsPerFigure) {
      for (int n = 0; n < kCyclesPerSlice; ++n) {
        model_->wld_issue_i = rows != 0 && model_->wld_ready_o;
        model_->mm_issue_i = rows != 0 && model_->mm_ready_o && model_->mm_switch_ok_o;
        if (model_->wld_issue_i) drive_wld(static_cast<uint32_t>(tiles));
        if (model_->mm_issue_i) drive_mm(static_cast<uint32_t>(tiles++), rows);
        busy += model_->mm_issue_i || !model_->mm_ready_o;
        cycle();
      }
      cycles += kCyclesPerSlice;
      elapsed = cpu_seconds() - begin;
    }
    std::printf("%3d x %3d, b %d  %-28s %8.0f kcycles per CPU-second, MM busy %3.0f %%\n", ROWS, COLS, LOAD_ROWS, what,
                static_cast<double>(cycles) / elapsed / 1e3,
                100.0 * static_cast<double>(busy) / static_cast<double>(cycles));
  }

 private:
  void drive_wld(uint32_t tile) {
    model_->wld_addr_i = tile * 64 % (VMEM_BYTES / 2);
    model_->wld_row_stride_i = COLS;
    model_->wld_k_valid_i = ROWS;
    model_->wld_n_valid_i = COLS;
  }
  void drive_mm(uint32_t tile, uint32_t rows) {
    model_->mm_addr_i = tile * 32 % (VMEM_BYTES / 2);
    model_->mm_row_stride_i = ROWS;
    model_->mm_acc_i = 0;
    model_->mm_rows_i = rows;
    model_->mm_k_valid_i = ROWS;
    model_->mm_n_valid_i = COLS;
    model_->mm_first_i = tile % 4 == 0;
    model_->mm_switch_i = 1;
  }
  void cycle() {
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
  }

  VerilatedContext context_;
  std::unique_ptr<MODEL_CLASS> model_;
};

}  // namespace

int main() {
  Bench bench;
  bench.run("one MM of R rows per tile", ROWS);
  bench.run("one MM of 8 rows per tile", 8);
  bench.run("idle", 0);
  return 0;
}
