#include "sweep/runner/technology_library.h"

namespace lockstep::sweep {

Result<std::shared_ptr<const metrics::Technology>> TechnologyLibrary::find(const std::string& name) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const auto found = loaded_.find(name);
  if (found != loaded_.end()) return found->second;
  Result<metrics::Technology> technology = metrics::load_technology(folder_ + "/" + name + ".yaml");
  Result<std::shared_ptr<const metrics::Technology>> entry =
      technology.ok() ? Result<std::shared_ptr<const metrics::Technology>>(
                            std::make_shared<const metrics::Technology>(*std::move(technology)))
                      : Result<std::shared_ptr<const metrics::Technology>>(technology.diags());
  return loaded_.emplace(name, std::move(entry)).first->second;
}

}  // namespace lockstep::sweep
