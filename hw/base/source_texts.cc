#include "hw/base/source_texts.h"

#include "hw/base/file_io.h"

namespace lockstep {

namespace {

constexpr int64_t kMaxSourceBytes = int64_t{16} << 20;

}  // namespace

std::string_view SourceTexts::find(const std::string& file) {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return known->second;
  Result<std::string> text = read_file(file, kMaxSourceBytes);
  std::string& slot = texts_[file];
  if (text.ok()) slot = *std::move(text);
  return slot;
}

std::string SourceTexts::format(const Diag& diag) {
  const bool has_line = !diag.loc.file.empty() && diag.loc.line > 0;
  return format_diag(diag, has_line ? find(diag.loc.file) : std::string_view());
}

std::string SourceTexts::format(const std::vector<Diag>& diags) {
  std::string out;
  for (const Diag& diag : diags) out += format(diag);
  return out;
}

}  // namespace lockstep
