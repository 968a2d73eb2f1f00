// Chips of the compiler's tests, written out so that the tests do not depend on the shipped files.
#pragma once

#include "hw/chip/chip_spec.h"

namespace lockstep::compiler_test {

inline chip::ChipSpec make_chip(const char* name, int rows, int cols, int load_rows, int acc_rows, int vmem_KiB, double bytes_per_cycle) {
  chip::ChipSpec c;
  c.name = name;
  c.clock_MHz = 1000;
  c.mxu.rows = rows;
  c.mxu.cols = cols;
  c.mxu.weight_load_rows = load_rows;
  c.mxu.acc_rows = acc_rows;
  c.vpu.lanes = cols;
  c.vmem.size_KiB = vmem_KiB;
  c.dma.beat_bytes = 64;
  c.dram.bandwidth_GBps = bytes_per_cycle;  // at 1 GHz
  c.dram.latency_ns = 60;
  c.dram.size_GiB = 16;
  return c;
}

inline chip::ChipSpec tiny4() { return make_chip("tiny4", 4, 4, 2, 64, 16, 8); }
inline chip::ChipSpec edge8() { return make_chip("edge8", 8, 8, 2, 256, 64, 8); }
inline chip::ChipSpec edge16() { return make_chip("edge16", 16, 16, 4, 512, 256, 16); }
inline chip::ChipSpec tall() { return make_chip("tall", 32, 8, 8, 512, 256, 16); }

inline chip::ChipSpec wide() {
  chip::ChipSpec c = make_chip("wide", 8, 32, 4, 512, 256, 16);
  c.vpu.lanes = 16;  // two chunks in an accumulator row
  return c;
}

inline chip::ChipSpec tpu128() {
  chip::ChipSpec c = make_chip("tpu128", 128, 128, 8, 2048, 16384, 585);
  c.clock_MHz = 1050;
  c.vpu.rows_per_cycle = 8;
  c.dma.beat_bytes = 1024;
  c.dram.bandwidth_GBps = 614;
  return c;
}

}  // namespace lockstep::compiler_test
