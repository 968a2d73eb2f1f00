// Technology figures behind the area report, read from configs/technology/*.yaml (schema lockstep/technology/v1).
//
// Every number carries its unit and its source; a file with a number that has no source does not load.
#pragma once

#include <string>
#include <vector>

#include "hw/base/result.h"

namespace lockstep::metrics {

/// One figure. `assumed` when its source begins with "assumed": our estimate, named as such wherever it is printed.
struct TechNumber {
  double value = 0;
  std::string unit;
  std::string source;
  bool assumed() const { return source.rfind("assumed", 0) == 0; }
};

/// Share of a bank's area that holds bits, by bank size, in growing order of size.
struct BankEfficiency {
  double bank_KiB = 0;
  double percent = 0;
};

struct Technology {
  std::string name;
  TechNumber mac_int8;                    // um2 of one int8 multiply-accumulate with its registers
  TechNumber sram_mm2_per_MiB;            // for banks at or above the last entry of bank_efficiency
  std::string bank_efficiency_source;
  std::vector<BankEfficiency> bank_efficiency;
  TechNumber vmem_bank_KiB;
  TechNumber accumulator_bank_KiB;
  TechNumber accumulator_port_factor;     // ratio
  TechNumber weight_port_um2_per_byte;    // um2 per byte and cycle of weight loading
  TechNumber hbm_stack_mm2;               // PHY and controller of one stack
  TechNumber hbm_stack_GBps;              // the bandwidth that area serves
  std::string text;                       // the file, for identifying results
};

/// Reads one technology file. E1301 no source, E1302 another unit than the key's, E1303 a table out of order, and the
/// errors of the strict reader, all at once. `named_at` places the message of a missing file.
Result<Technology> load_technology(const std::string& path, const SourceLoc& named_at = {});

/// mm2 of `bytes` of SRAM cut into banks of `bank_bytes`: linear interpolation of the efficiency
/// between table entries, the last entry's efficiency above, the first entry's below.
double sram_mm2(const Technology& technology, double bytes, double bank_bytes);

}  // namespace lockstep::metrics
