// A chip from YAML: `schema: lockstep/chip/v1`, optionally `extends:` another chip file whose values it overrides.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/result.h"
#include "hw/base/source_loc.h"
#include "hw/chip/chip_spec.h"

namespace lockstep::chip {

/// Where each field that some file set was set last; a field not in it has its default. Keys are dotted names;
/// the slots of a `vpu.slots` map stand under "vpu.slots".
using Origins = std::map<std::string, SourceLoc, std::less<>>;

struct ChipFile {
  ChipSpec spec;
  Origins origins;
  std::vector<std::string> files;  // the file itself first, then what it extends, outermost base last
};

/// Reads and checks a chip. Every error of every file involved is reported: YAML (E01xx), keys and types (E02xx),
/// ranges and relations between fields (E03xx), values not built (E032x).
Result<ChipFile> parse_chip(const std::string& path);

/// The same for a text that may not extend a file; `file` names it in messages.
Result<ChipFile> parse_chip_text(std::string_view text, const std::string& file);

}  // namespace lockstep::chip
