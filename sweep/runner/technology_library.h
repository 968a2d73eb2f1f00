// Technology files by name, each loaded once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hw/base/result.h"
#include "hw/metrics/technology.h"

namespace lockstep::sweep {

class TechnologyLibrary {
 public:
  /// `folder` holds NAME.yaml.
  explicit TechnologyLibrary(std::string folder) : folder_(std::move(folder)) {}

  /// The technology called `name`; its file's errors otherwise. Safe from several threads.
  Result<std::shared_ptr<const metrics::Technology>> find(const std::string& name);

 private:
  std::string folder_;
  std::mutex mutex_;
  std::map<std::string, Result<std::shared_ptr<const metrics::Technology>>> loaded_;
};

}  // namespace lockstep::sweep
