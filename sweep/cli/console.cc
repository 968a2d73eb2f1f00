#include "sweep/cli/console.h"

#include <utility>

#include "hw/base/file_io.h"

namespace lockstep::sweep {

namespace {

constexpr int64_t kMaxSourceBytes = int64_t{16} << 20;
constexpr char kReset[] = "\033[0m";
constexpr char kRed[] = "\033[1;31m";
constexpr char kYellow[] = "\033[1;33m";

}  // namespace

void Console::result(std::string_view text) { out_ << text; }

void Console::end_progress_line() {
  if (progress_open_) err_ << '\n';
  progress_open_ = false;
}

void Console::log(std::string_view line, int level) {
  if (style_.verbosity < level) return;
  end_progress_line();
  err_ << line << '\n';
}

void Console::progress(std::string_view line) {
  if (style_.verbosity < 1) return;
  if (style_.err_is_tty) {
    err_ << "\r\033[K" << line << std::flush;
    progress_open_ = true;
  } else {
    err_ << line << '\n' << std::flush;
  }
}

std::string Console::paint(const Diag& diag, std::string text) const {
  if (!style_.color) return text;
  const std::string word = diag.severity == Severity::kError ? "error" : "warning";
  const std::string tag = word + "[" + diag.code + "]";
  const size_t at = text.find(tag);
  if (at == std::string::npos) return text;
  return text.replace(at, tag.size(), (diag.severity == Severity::kError ? kRed : kYellow) + tag + kReset);
}

void Console::report(const std::vector<Diag>& diags) {
  std::map<std::string, std::string> sources;
  for (const Diag& diag : diags) {
    if (diag.severity != Severity::kError && style_.verbosity < 1) continue;
    end_progress_line();
    std::string source;
    if (diag.loc.line > 0) {
      const auto [entry, is_new] = sources.try_emplace(diag.loc.file);
      if (is_new) {
        Result<std::string> text = read_file(diag.loc.file, kMaxSourceBytes);
        if (text.ok()) entry->second = *std::move(text);
      }
      source = entry->second;
    }
    err_ << paint(diag, format_diag(diag, source));
  }
  err_ << std::flush;
}

bool Console::result_ok() const {
  out_.flush();
  return out_.good();
}

}  // namespace lockstep::sweep
