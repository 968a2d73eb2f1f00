// What every verb works with.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "sweep/cli/console.h"
#include "sweep/runner/factories.h"

namespace lockstep::sweep {

/// Where a name is looked up: "configs/chips" and ".yaml".
struct NamedPlace {
  std::string folder;
  std::string suffix;
};

struct Context {
  Console& console;
  TargetFactories targets;
  std::vector<std::string> roots;            // folders that may hold configs/ and workloads/, best first
  std::string version;                       // tool version, part of every trial id
  const std::atomic<bool>* interrupted = nullptr;

  /// The first root's `folder` that exists, e.g. "configs/technology"; the relative name itself when none does.
  std::string find_folder(const std::string& folder) const;

  /// A path as it is when such a file exists or it has a '/' or a suffix, else folder/name + suffix of a root, the
  /// places in their order. E1106 with the nearest name when there is none.
  Result<std::string> find_named(const std::string& name, const std::vector<NamedPlace>& places) const;
};

/// Names, sorted, of the files of `folder` that end in `suffix`, without it.
std::vector<std::string> names_in(const std::string& folder, const std::string& suffix);

}  // namespace lockstep::sweep
