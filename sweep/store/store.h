// A sweep's folder: one flushed JSON line per finished trial, so that kill -9 at any moment loses nothing that a
// trial line says. Running the same command again reads the lines back and goes on.
//
//   OUTDIR/.lock           held while a runner works (released by the kernel when it dies)
//   OUTDIR/manifest.json   what was asked for; another request in the same folder is refused
//   OUTDIR/trials.jsonl    appended, never rewritten; a torn last line is cut off at the next start
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "hw/base/result.h"
#include "sweep/store/trial.h"

namespace lockstep::sweep {

/// A file descriptor that is closed with its owner.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle();
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

struct StoreRequest {
  std::string folder;
  std::string manifest;     // full text of manifest.json; must be equal to resume
  bool force = false;       // discard what earlier runs left in the folder
};

class TrialStore {
 public:
  /// Creates or resumes the folder. E0101 or E0120 a file cannot be read or written; E1210 other trouble with the folder; E1211 another runner holds the lock;
  /// E1212 broken line; E1213 the folder belongs to another sweep.
  static Result<TrialStore> open(const StoreRequest& request);

  /// What earlier runs recorded, in file order, one record an id (the first wins).
  const std::vector<TrialRecord>& recorded_trials() const { return lines_.trials; }
  const std::vector<RtlRecord>& recorded_rtl() const { return lines_.rtl; }

  /// Appends one line with a single write; safe from several threads. False when the disk refuses (errno text in `why`).
  bool append(const TrialRecord& record, std::string& why) { return append_line(trial_line(record), why); }
  bool append(const RtlRecord& record, std::string& why) { return append_line(rtl_line(record), why); }

 private:
  TrialStore(FileHandle lock, FileHandle log, StoreLines lines);
  bool append_line(std::string line, std::string& why);

  FileHandle lock_;
  FileHandle log_;
  StoreLines lines_;
  std::unique_ptr<std::mutex> mutex_;
};

}  // namespace lockstep::sweep
