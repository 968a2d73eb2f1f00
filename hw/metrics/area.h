// Area proxy of a chip in mm2, by component. The components sum to the total; what no figure covers is not counted
// and named in docs (vector unit, sequencer, DMA engines).
#pragma once

#include <array>
#include <string_view>

#include "hw/chip/chip_spec.h"
#include "hw/metrics/technology.h"

namespace lockstep::metrics {

struct AreaComponent {
  std::string_view name;      // CSV column, snake_case with the unit last
  std::string_view sentence;  // what it counts
  double mm2 = 0;
};

struct AreaReport {
  std::array<AreaComponent, 5> components;
  double total_mm2() const;
};

/// MACs, VMEM, accumulators, weight port (b x C bytes per cycle and MXU), HBM PHY and controller.
AreaReport area_of(const chip::ChipSpec& chip, const Technology& technology);

}  // namespace lockstep::metrics
