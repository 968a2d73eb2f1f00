#include "sweep/cli/context.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep::sweep {

namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace

std::string Context::find_folder(const std::string& folder) const {
  for (const std::string& root : roots) {
    const std::string path = root.empty() ? folder : root + "/" + folder;
    if (exists(path)) return path;
  }
  return folder;
}

Result<std::string> Context::find_named(const std::string& name, const std::vector<NamedPlace>& places) const {
  const bool has_suffix = std::any_of(places.begin(), places.end(),
                                      [&](const NamedPlace& place) { return name.ends_with(place.suffix); });
  if (has_suffix || name.find('/') != std::string::npos || exists(name)) return name;
  std::vector<std::string> known;
  std::vector<std::string> folders;
  std::vector<std::string> notes;
  for (const auto& [folder, suffix] : places) {
    for (const std::string& root : roots) {
      const std::string path = fmt::format("{}{}{}/{}{}", root, root.empty() ? "" : "/", folder, name, suffix);
      if (exists(path)) return path;
    }
    folders.push_back(folder);
    const std::vector<std::string> names = names_in(find_folder(folder), suffix);
    if (!names.empty()) notes.push_back(fmt::format("{} has {}", folder, join_list(names)));
    known.insert(known.end(), names.begin(), names.end());
  }
  const std::string near = nearest_name(name, known);
  const std::string hint = near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
  return error("E1106", {}, fmt::format("no file and no name in {}: {}{}", join_choices(folders), quote_text(name), hint),
               notes);
}

std::vector<std::string> names_in(const std::string& folder, const std::string& suffix) {
  std::vector<std::string> names;
  std::error_code failed;
  for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string file = it->path().filename().string();
    if (file.size() > suffix.size() && file.ends_with(suffix)) names.push_back(file.substr(0, file.size() - suffix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lockstep::sweep
