// The identity of this build: results of another one are not mixed with its own.
#pragma once

#include <string>

namespace lockstep::sweep {

/// "0.1.0+3f2a...": the release and a hash of the sources that decide results (hw, compiler, sweep).
/// Defined by a file that version_stamp.cmake writes at build time.
std::string tool_version();

}  // namespace lockstep::sweep
