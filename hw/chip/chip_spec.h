// ChipSpec: one accelerator core, as plain numbers with their units in the names.
//
// The field table (hw/chip/field_table.h) parses, defaults, range-checks and documents every member here;
// YAML keys and sweep axes use exactly these names, dotted: mxu.weight_load_rows, dma.burst_bytes ...
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::chip {

/// Products per PE and cycle along the depth axis, by element type (MXU-7). Only int8: 1 is built today.
struct KPerPe {
  int bf16 = 1;
  int int8 = 1;
  int fp8 = 1;
  int int4 = 1;
};

struct MxuSpec {
  int count = 1;
  int rows = 0;              // R: depth of the array, a power of two in [4, 256]
  int cols = 0;              // C: width, a power of two in [4, 256], a multiple of vpu.lanes
  int weight_load_rows = 1;  // b: rows a WLD writes per cycle; divides rows and cols; 1, 2, 4 or 8
  KPerPe k_per_pe;
  int acc_rows = 0;      // accumulator rows of `cols` 32-bit words
  int acc_latency = 2;   // La >= 2
};

/// Bundle slots per cycle (VPU-2). `single`: one slot of any kind per bundle, the counts are then all 1.
struct VpuSlots {
  bool single = true;
  int load = 1;
  int alu = 1;
  int eup = 1;
  int xlu = 1;
  int store = 1;
};

/// Cycles until a result may be used by a later bundle; `start` is T0 of VPU-3.
struct VpuLatency {
  int start = 4;
  int load = 3;
  int alu = 2;
  int eup = 6;
  int xlu = 8;
  int store = 1;
};

struct VpuSpec {
  int lanes = 0;
  int rows_per_cycle = 1;  // issue interval I = 8 / rows_per_cycle
  VpuSlots slots;
  VpuLatency latency;
  int vregs = 32;
};

struct VmemSpec {
  int size_KiB = 0;
  int read_latency = 2;  // Lv >= 1
};

struct DmaSpec {
  int load_queues = 1;  // 1 or 2
  int burst_bytes = 1024;
  int beat_bytes = 0;  // bytes a DMA queue moves between VMEM and the memory port per cycle
  int granule_bytes = 32;
  int setup_cycles = 4;
  int max_outstanding = 64;  // bursts in flight per queue
  int quantum = 16;          // DMA-3
};

struct QueueDepthSpec {
  int ld = 4;
  int st = 4;
  int wld = 4;
  int mm = 4;
  int vx = 4;
};

struct DramSpec {
  std::string preset = "ideal";
  double bandwidth_GBps = 0;  // preset ideal: peak of the one channel, 1e9 bytes per second
  double latency_ns = 0;      // preset ideal: CL, from column command to first data
  int access_bytes = 64;      // preset ideal: bytes of one column access
  int channels = 1;
  int gang = 1;
  int command_slots = 8;
  double size_GiB = 0;
  int ticks = 0;  // MEM-3: ticks per core cycle, 1..64; 0 = choose
};

struct HostSpec {
  int launch_cycles = 0;
};

struct ChipSpec {
  std::string name;
  int clock_MHz = 0;
  MxuSpec mxu;
  VpuSpec vpu;
  VmemSpec vmem;
  DmaSpec dma;
  QueueDepthSpec queue_depth;
  int smem_words = 65536;
  int imem_words = 2048;
  DramSpec dram;
  HostSpec host;
  std::string technology = "n7";  // names a file of configs/technology
};

/// VMEM-1: bytes of one VMEM line = max(4 * lanes, R * k_per_pe * 1 byte, C * 1 byte) for int8 operands.
int line_bytes(const ChipSpec& chip);

/// VPU-3: cycles between two bundles of a kernel, 8 / rows_per_cycle.
int issue_interval(const ChipSpec& chip);

int64_t vmem_bytes(const ChipSpec& chip);

/// DRAM peak in bytes per core cycle before tick rounding.
double dram_bytes_per_cycle(const ChipSpec& chip);

/// XXH3-64 of the timing-relevant fields in table order; stored in every program image (ISA-2) and
/// compared before a run. Two chips that differ only in name, technology or size_GiB hash alike.
uint64_t timing_hash(const ChipSpec& chip);

}  // namespace lockstep::chip
