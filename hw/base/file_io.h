// Whole files in and out. Every failure is a Diag that names the path; nothing throws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hw/base/result.h"

namespace lockstep {

/// The bytes of a regular file. E0101 missing, unreadable or not a regular file; E0102 larger than max_bytes.
/// `loc` places the message, e.g. at the `extends:` line that names the file; default: the file itself.
Result<std::string> read_file(const std::string& path, int64_t max_bytes, SourceLoc loc = {});

/// Writes beside `path` and renames, so that a reader or a crash never sees half a file. Creates missing
/// parent folders. E0120 with the operating system's reason.
[[nodiscard]] std::optional<Diag> write_file_atomic(const std::string& path, std::string_view content);

/// `path` as seen from the folder of `from_file` (relative paths resolve against the file that names them).
std::string resolve_path(const std::string& path, const std::string& from_file);

}  // namespace lockstep
