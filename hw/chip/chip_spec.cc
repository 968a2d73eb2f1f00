#include "hw/chip/chip_spec.h"

#include <algorithm>
#include <charconv>
#include <string_view>

// One hash in one file: the header-only form avoids a run-time dependency on the shared library.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep::chip {

namespace {

constexpr int kWordBytes = 4;     // a VPU lane and an accumulator word are 32 bit
constexpr int kSublanes = 8;      // rows of a vector register (VPU-1)
constexpr int64_t kKiB = 1024;

/// The canonical text that is hashed: `name=value;` per timing-relevant field, in the order of ChipSpec.
/// Text, not memory: no padding, no byte order, and doubles in their shortest round-trip form.
class CanonicalText {
 public:
  void add(std::string_view name, int value) { append(name, value); }
  void add(std::string_view name, double value) { append(name, value); }
  void add(std::string_view name, std::string_view value) {
    text_.append(name).append("=").append(value).append(";");
  }
  const std::string& text() const { return text_; }

 private:
  template <typename T>
  void append(std::string_view name, T value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), value);
    add(name, std::string_view(digits, static_cast<size_t>(end.ptr - digits)));
  }

  std::string text_;
};

void add_mxu(CanonicalText& text, const MxuSpec& mxu) {
  text.add("mxu.count", mxu.count);
  text.add("mxu.rows", mxu.rows);
  text.add("mxu.cols", mxu.cols);
  text.add("mxu.weight_load_rows", mxu.weight_load_rows);
  text.add("mxu.k_per_pe.bf16", mxu.k_per_pe.bf16);
  text.add("mxu.k_per_pe.int8", mxu.k_per_pe.int8);
  text.add("mxu.k_per_pe.fp8", mxu.k_per_pe.fp8);
  text.add("mxu.k_per_pe.int4", mxu.k_per_pe.int4);
  text.add("mxu.acc_rows", mxu.acc_rows);
  text.add("mxu.acc_latency", mxu.acc_latency);
}

void add_vpu(CanonicalText& text, const VpuSpec& vpu) {
  text.add("vpu.lanes", vpu.lanes);
  text.add("vpu.rows_per_cycle", vpu.rows_per_cycle);
  text.add("vpu.slots.single", vpu.slots.single ? 1 : 0);
  text.add("vpu.slots.load", vpu.slots.load);
  text.add("vpu.slots.alu", vpu.slots.alu);
  text.add("vpu.slots.eup", vpu.slots.eup);
  text.add("vpu.slots.xlu", vpu.slots.xlu);
  text.add("vpu.slots.store", vpu.slots.store);
  text.add("vpu.latency.start", vpu.latency.start);
  text.add("vpu.latency.load", vpu.latency.load);
  text.add("vpu.latency.alu", vpu.latency.alu);
  text.add("vpu.latency.eup", vpu.latency.eup);
  text.add("vpu.latency.xlu", vpu.latency.xlu);
  text.add("vpu.latency.store", vpu.latency.store);
  text.add("vpu.vregs", vpu.vregs);
}

void add_memory(CanonicalText& text, const ChipSpec& chip) {
  text.add("vmem.size_KiB", chip.vmem.size_KiB);
  text.add("vmem.read_latency", chip.vmem.read_latency);
  text.add("dma.load_queues", chip.dma.load_queues);
  text.add("dma.burst_bytes", chip.dma.burst_bytes);
  text.add("dma.beat_bytes", chip.dma.beat_bytes);
  text.add("dma.granule_bytes", chip.dma.granule_bytes);
  text.add("dma.setup_cycles", chip.dma.setup_cycles);
  text.add("dma.max_outstanding", chip.dma.max_outstanding);
  text.add("dma.quantum", chip.dma.quantum);
  text.add("dram.preset", chip.dram.preset);
  text.add("dram.bandwidth_GBps", chip.dram.bandwidth_GBps);
  text.add("dram.latency_ns", chip.dram.latency_ns);
  text.add("dram.access_bytes", chip.dram.access_bytes);
  text.add("dram.channels", chip.dram.channels);
  text.add("dram.gang", chip.dram.gang);
  text.add("dram.command_slots", chip.dram.command_slots);
  text.add("dram.ticks", chip.dram.ticks);
}

}  // namespace

int line_bytes(const ChipSpec& chip) {
  // int8 operands, 1 byte each: an activation row is R * k_per_pe, a weight row C elements.
  return std::max({kWordBytes * chip.vpu.lanes, chip.mxu.rows * chip.mxu.k_per_pe.int8, chip.mxu.cols});
}

int issue_interval(const ChipSpec& chip) { return kSublanes / chip.vpu.rows_per_cycle; }

int64_t vmem_bytes(const ChipSpec& chip) { return chip.vmem.size_KiB * kKiB; }

double dram_bytes_per_cycle(const ChipSpec& chip) {
  // GB/s over MHz: 1e9 / 1e6 leaves a factor of 1000.
  return chip.dram.bandwidth_GBps * 1000.0 / chip.clock_MHz;
}

uint64_t timing_hash(const ChipSpec& chip) {
  CanonicalText text;
  text.add("clock_MHz", chip.clock_MHz);
  add_mxu(text, chip.mxu);
  add_vpu(text, chip.vpu);
  add_memory(text, chip);
  text.add("queue_depth.ld", chip.queue_depth.ld);
  text.add("queue_depth.st", chip.queue_depth.st);
  text.add("queue_depth.wld", chip.queue_depth.wld);
  text.add("queue_depth.mm", chip.queue_depth.mm);
  text.add("queue_depth.vx", chip.queue_depth.vx);
  text.add("smem_words", chip.smem_words);
  text.add("imem_words", chip.imem_words);
  text.add("host.launch_cycles", chip.host.launch_cycles);
  return XXH3_64bits(text.text().data(), text.text().size());
}

}  // namespace lockstep::chip
