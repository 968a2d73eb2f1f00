// A Verilated lk_mxu_bench behind one interface, so that the checks are compiled once for all sizes and bodies.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::rtltest {

inline constexpr int kGranuleBytes = 32;
inline constexpr int kGranulesPerBeat = 2;
inline constexpr int kLoadQueues = 2;
inline constexpr int kMaxObservedRows = 32;
inline constexpr int kVxRows = 2;

/// Build parameters of lk_mxu_bench.
struct MxuConfig {
  std::string name;
  int rows = 0;           // R
  int cols = 0;           // C
  int load_rows = 0;      // b
  int vmem_latency = 0;   // Lv
  int acc_latency = 0;    // La
  int acc_rows = 0;
  int vmem_bytes = 0;
  int observed_rows = 0;  // accumulator rows the bench may read per cycle

  int row_blocks() const { return rows / load_rows; }
  int col_blocks() const { return cols / load_rows; }
};

struct WldWord {
  uint32_t address = 0;
  int32_t row_stride_bytes = 0;
  uint32_t k_valid = 0;
  uint32_t n_valid = 0;
};

struct MmWord {
  uint32_t address = 0;
  int32_t row_stride_bytes = 0;
  uint32_t acc_row = 0;
  uint32_t rows = 0;
  uint32_t k_valid = 0;
  uint32_t n_valid = 0;
  bool first = false;
  bool switch_plane = false;
};

struct GranuleWrite {
  bool valid = false;
  uint32_t address = 0;
  std::array<uint8_t, kGranuleBytes> bytes{};
};

/// What the bench drives in one cycle. Granule index of `load`: queue * kGranulesPerBeat + granule.
struct MxuInputs {
  bool reset = false;
  uint8_t fill = 0;
  bool wld_issue = false;
  WldWord wld;
  bool mm_issue = false;
  MmWord mm;
  uint32_t acc_read_mask = 0;
  std::array<uint32_t, kMaxObservedRows> acc_rows{};
  std::array<bool, kGranulesPerBeat> store_read{};
  std::array<uint32_t, kGranulesPerBeat> store_address{};
  std::array<GranuleWrite, kLoadQueues * kGranulesPerBeat> load;
  std::array<bool, kVxRows> vx_write{};
  std::array<uint32_t, kVxRows> vx_address{};
  std::vector<uint32_t> vx_words;  // [row][lane]
  std::vector<bool> vx_lanes;      // one mask for both rows
};

struct MxuFlags {
  bool wld_ready = false, wld_busy = false, wld_sf = false, wld_done = false;
  bool mm_ready = false, mm_switch_ok = false, mm_busy = false, mm_sf = false, mm_done = false;
  friend bool operator==(const MxuFlags&, const MxuFlags&) = default;
};

/// What the bench sees in one cycle, before the clock edge.
struct MxuOutputs {
  MxuFlags flags;
  std::vector<uint32_t> acc_words;  // [observed row][column], of the reads of the cycle before
  std::vector<uint8_t> store_bytes;
};

class MxuDut {
 public:
  virtual ~MxuDut() = default;
  /// Drives the inputs of this cycle and settles.
  virtual void drive(const MxuInputs& inputs) = 0;
  virtual void sample(MxuOutputs& outputs) = 0;
  virtual void clock_edge() = 0;
  /// False for a timing-only build: events and nothing else.
  virtual bool has_data() const = 0;
  /// True once an RTL assertion has failed.
  virtual bool assertion_failed() const = 0;
};

struct MxuModel {
  MxuConfig config;
  std::function<std::unique_ptr<MxuDut>()> make;
};

/// Every model linked into this executable, in no particular order.
std::vector<MxuModel>& mxu_models();

}  // namespace lockstep::rtltest
