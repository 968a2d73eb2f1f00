// A workload's default name, from the file it was read from.
#pragma once

#include <string>

namespace lockstep::frontend {

/// "models/llama-3.1-8b.json" -> "llama-3.1-8b"; characters a name cannot hold become '_'.
std::string workload_name(const std::string& path);

}  // namespace lockstep::frontend
