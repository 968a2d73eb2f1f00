#include "sweep/store/store.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "hw/base/file_io.h"

namespace lockstep::sweep {

namespace {

constexpr char kLock[] = ".lock";
constexpr char kManifest[] = "manifest.json";
constexpr char kTrials[] = "trials.jsonl";
constexpr int64_t kMaxManifestBytes = int64_t{64} << 20;
constexpr int64_t kMaxTrialsBytes = int64_t{4} << 30;
// What a sweep leaves behind; --force removes exactly these.
constexpr const char* kOwned[] = {kManifest,     kTrials,        "results.csv",          "layers.csv",
                                  "columns.json", "config.resolved.yaml", "host_timings.csv"};

Diag file_error(const std::string& path, const std::string& what) {
  return error("E1210", {path, 0, 0}, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Writes all of `text`; a short write goes on where it stopped.
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

Result<FileHandle> take_lock(const std::string& folder) {
  const std::string path = folder + "/" + kLock;
  FileHandle lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.fd() < 0) return file_error(path, "cannot open the lock file");
  if (::flock(lock.fd(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return file_error(path, "cannot lock");
  return error("E1211", {path, 0, 0}, "another lockstep is running in this folder",
               {"wait for it to end, or choose another folder with -o"});
}

/// True when the manifest on disk is the one asked for; false when the folder is to start afresh.
Result<bool> same_manifest(const StoreRequest& request) {
  const std::string path = request.folder + "/" + kManifest;
  if (request.force || !std::filesystem::exists(path)) return false;
  const Result<std::string> found = read_file(path, kMaxManifestBytes);
  if (!found.ok()) return found.diags();
  if (*found == request.manifest) return true;
  return error("E1213", {path, 0, 0}, "this folder holds another sweep or another tool version",
               {"choose another folder with -o, or discard its trials with --force"});
}

std::optional<Diag> start_afresh(const StoreRequest& request) {
  for (const char* name : kOwned) {
    std::error_code failed;
    std::filesystem::remove(request.folder + "/" + name, failed);
  }
  return write_file_atomic(request.folder + "/" + kManifest, request.manifest);
}

/// One record an id: two lines of one id can only come from a copied file, and then the first one counts.
void drop_repeated(StoreLines& lines) {
  std::unordered_set<std::string> seen;
  std::erase_if(lines.trials, [&](const TrialRecord& record) { return !seen.insert(record.id).second; });
  seen.clear();
  std::erase_if(lines.rtl, [&](const RtlRecord& record) { return !seen.insert(record.id).second; });
}

}  // namespace

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileHandle::~FileHandle() {
  if (fd_ >= 0) ::close(fd_);
}

TrialStore::TrialStore(FileHandle lock, FileHandle log, StoreLines lines)
    : lock_(std::move(lock)), log_(std::move(log)), lines_(std::move(lines)), mutex_(std::make_unique<std::mutex>()) {}

Result<TrialStore> TrialStore::open(const StoreRequest& request) {
  std::error_code failed;
  std::filesystem::create_directories(request.folder, failed);
  if (failed) return error("E1210", {request.folder, 0, 0}, "cannot create the folder: " + failed.message());
  Result<FileHandle> lock = take_lock(request.folder);
  if (!lock.ok()) return lock.diags();
  const Result<bool> same = same_manifest(request);
  if (!same.ok()) return same.diags();
  if (!*same) {
    if (std::optional<Diag> failed_start = start_afresh(request)) return *failed_start;
  }

  const std::string path = request.folder + "/" + kTrials;
  FileHandle log(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (log.fd() < 0) return file_error(path, "cannot open");
  const Result<std::string> text = read_file(path, kMaxTrialsBytes);
  if (!text.ok()) return text.diags();
  Result<StoreLines> lines = parse_store(*text, path);
  if (!lines.ok()) return lines.diags();
  if (lines->complete_bytes < text->size() && ::ftruncate(log.fd(), static_cast<off_t>(lines->complete_bytes)) != 0) {
    return file_error(path, "cannot cut off the torn last line");
  }
  drop_repeated(*lines);
  return TrialStore(std::move(*lock), std::move(log), std::move(*lines));
}

bool TrialStore::append_line(std::string line, std::string& why) {
  line += '\n';
  const std::lock_guard<std::mutex> guard(*mutex_);
  if (write_all(log_.fd(), line)) return true;
  why = std::strerror(errno);
  return false;
}

}  // namespace lockstep::sweep
