#include "hw/base/file_io.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep {

namespace {

namespace fs = std::filesystem;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

Diag cannot_read(const std::string& path, const SourceLoc& loc, const std::string& why) {
  return error("E0101", loc, fmt::format("cannot read {}: {}", quote_text(path), why));
}

Diag cannot_write(const std::string& path, const std::string& why) {
  return error("E0120", {path, 0, 0}, fmt::format("cannot write {}: {}", quote_text(path), why));
}

/// All of `content` to the descriptor and to the disk; 0 or the errno of the step that failed.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(descriptor) == 0) return 0;
  return errno == EINVAL || errno == ENOTSUP ? 0 : errno;  // a device has nothing to sync
}

}  // namespace

Result<std::string> read_file(const std::string& path, int64_t max_bytes, SourceLoc loc) {
  if (loc.file.empty()) loc.file = path;
  if (path.empty()) return error("E0101", loc, "cannot read a file with an empty name");
  if (path.find('\0') != std::string::npos) return cannot_read(path, loc, "the name holds a NUL byte");
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return cannot_read(path, loc, reason(errno));
  if (S_ISDIR(status.st_mode)) return cannot_read(path, loc, "it is a directory");
  // A pipe or device could block for ever or never end.
  if (!S_ISREG(status.st_mode)) return cannot_read(path, loc, "it is not a regular file");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return cannot_read(path, loc, reason(errno));

  std::string content;
  char buffer[65536];
  for (size_t got = 0; (got = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0;) {
    content.append(buffer, got);
    if (static_cast<int64_t>(content.size()) > max_bytes) {
      return error("E0102", loc, fmt::format("{} is larger than the limit of {} bytes", quote_text(path), max_bytes));
    }
  }
  if (std::ferror(file.get()) != 0) return cannot_read(path, loc, "reading failed");
  return content;
}

namespace {

/// 0, or the errno of what failed.
int write_to(const std::string& path, int flags, std::string_view content) {
  const int descriptor = ::open(path.c_str(), flags, 0666);
  if (descriptor < 0) return errno;
  int failed = write_all(descriptor, content);
  if (::close(descriptor) != 0 && failed == 0) failed = errno;
  return failed;
}

}  // namespace

std::optional<Diag> write_file_atomic(const std::string& path, std::string_view content) {
  if (path.empty() || path.find('\0') != std::string::npos) return cannot_write(path, "not a file name");
  std::error_code code;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, code);
  if (code) return cannot_write(path, code.message());

  // A device or a pipe is written to: a rename would replace it by a file. A link stays, what it names is replaced.
  if (fs::is_other(fs::status(path, code))) {
    const int failed = write_to(path, O_WRONLY | O_CLOEXEC, content);
    return failed == 0 ? std::nullopt : std::optional(cannot_write(path, reason(failed)));
  }
  std::string target = path;
  if (fs::is_symlink(fs::symlink_status(path, code))) {
    const fs::path named = fs::canonical(path, code);
    if (!code) target = named.string();
  }
  // The process id keeps two writers of one path from sharing a temporary.
  const std::string temporary = fmt::format("{}.{}.tmp", target, ::getpid());
  int failed = write_to(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, content);
  if (failed == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) failed = errno;
  if (failed == 0) return std::nullopt;
  ::unlink(temporary.c_str());
  return cannot_write(path, reason(failed));
}

std::string resolve_path(const std::string& path, const std::string& from_file) {
  const fs::path named(path);
  if (named.is_absolute()) return path;
  return (fs::path(from_file).parent_path() / named).lexically_normal().string();
}

}  // namespace lockstep
