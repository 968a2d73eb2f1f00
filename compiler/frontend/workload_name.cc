#include "compiler/frontend/workload_name.h"

#include <cctype>

namespace lockstep::frontend {

std::string workload_name(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  for (const char* extension : {".json", ".yaml", ".yml"}) {
    const std::string_view suffix(extension);
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
      break;
    }
  }
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || (std::isalnum(byte) == 0 && c != '_' && c != '.' && c != '-')) c = '_';
  }
  return name.empty() ? "workload" : name;
}

}  // namespace lockstep::frontend
