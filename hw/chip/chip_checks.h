// Relations between chip fields, and remarks on chips that are legal but cannot reach what they promise.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "hw/base/diag.h"
#include "hw/chip/chip_file.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::chip {

/// False for fields without a usable value, e.g. already reported; relations using them are not judged.
using IsKnown = std::function<bool(std::string_view name)>;

/// E031x: relations the hardware relies on. Each message is placed at the first field and notes the second one.
std::vector<Diag> check_relations(const ChipSpec& chip, const Origins& origins, const IsKnown& is_known);

/// All a chip built by set_field must still satisfy: every range (E0301, E0302), everything built (E032x), every
/// relation (E031x). Empty = usable.
std::vector<Diag> check_chip(const ChipSpec& chip, const Origins& origins = {});

/// W03xx with numbers: the weight port, the DMA ports or the outstanding window cannot carry the DRAM rate (MXU-7,
/// DMA-4, DMA-6); a setting that no built kernel uses (W0325).
std::vector<Diag> chip_warnings(const ChipSpec& chip, const Origins& origins = {});

}  // namespace lockstep::chip
