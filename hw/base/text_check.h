// Checks on the raw bytes of a text file before any parser sees them.
#pragma once

#include <string_view>

#include "hw/base/diag.h"

namespace lockstep {

/// Reports E0103 when `text` is not text: NUL or other control bytes, invalid UTF-8, UTF-16. At most one report,
/// at the first bad byte. Tab, LF and CR are text; a leading UTF-8 byte order mark is text.
void check_is_text(std::string_view text, const std::string& file, DiagSink& sink);

/// Reports E0111 for each line indented with a tab, and E0107 for each line that starts with '%' (a YAML directive).
void check_yaml_lines(std::string_view text, const std::string& file, DiagSink& sink);

}  // namespace lockstep
