#include "hw/sysc/build_cache.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include "hw/sysc/build_paths.h"

namespace lockstep::sysc {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWorkerFolders[] = {"hw/base", "hw/chip", "hw/isa", "hw/metrics", "hw/target", "hw/mem", "hw/sysc"};
constexpr const char* kWorkerLibraries[] = {"hw/sysc/liblockstep_hw_sysc_worker.a",
                                            "hw/sysc/liblockstep_hw_sysc_protocol.a", "hw/mem/liblockstep_hw_mem.a",
                                            "hw/isa/liblockstep_hw_isa.a", "hw/chip/liblockstep_hw_chip.a",
                                            "hw/base/liblockstep_hw_base.a"};

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Sorted files below `folder` with one of the extensions.
std::vector<fs::path> files_below(const fs::path& folder, const std::vector<std::string>& extensions) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (fs::recursive_directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
    const std::string extension = it->path().extension().string();
    if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

uint64_t hash_text(std::string_view text, uint64_t seed) { return XXH3_64bits_withSeed(text.data(), text.size(), seed); }

uint64_t hash_files(const std::vector<fs::path>& files, uint64_t seed) {
  for (const fs::path& file : files) {
    seed = hash_text(fs::relative(file, LOCKSTEP_SOURCE_DIR).string(), seed);
    seed = hash_text(read_text(file), seed);
  }
  return seed;
}

/// `text` as one word of a shell command, whatever characters it has.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') word += "'\\''";
    else word += c;
  }
  return word + "'";
}

bool is_complete(const fs::path& entry) {
  std::error_code unreadable;  // a cache that cannot be read holds nothing
  return fs::exists(entry / "complete", unreadable);
}

struct CommandResult {
  int status = 0;
  std::string log_tail;
};

/// Runs a shell command with its output appended to `log`; the tail is the last lines of that log.
CommandResult run_command(const std::string& command, const fs::path& log) {
  CommandResult result;
  result.status = std::system(fmt::format("( {} ) >>{} 2>&1 </dev/null", command, quoted(log.string())).c_str());
  if (result.status != 0) {
    const std::string text = read_text(log);
    result.log_tail = text.size() > 1500 ? text.substr(text.size() - 1500) : text;
  }
  return result;
}

/// First line of `command --version`, so that another tool version is another cache entry.
std::string tool_version(const std::string& command) {
  std::string line;
  FILE* pipe = popen((quoted(command) + " --version 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return line;
  for (int c = std::fgetc(pipe); c != EOF && c != '\n'; c = std::fgetc(pipe)) line += static_cast<char>(c);
  pclose(pipe);
  return line;
}

class FileLock {
 public:
  explicit FileLock(const fs::path& path) : fd_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (fd_ >= 0) flock(fd_, LOCK_EX);
  }
  ~FileLock() {
    if (fd_ >= 0) close(fd_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

fs::path cache_root() {
  if (const char* dir = std::getenv("LOCKSTEP_RTL_CACHE"); dir != nullptr && *dir != '\0') return dir;
  return fs::path(LOCKSTEP_BINARY_DIR) / "rtl_cache";
}

std::string verilator_flags(const BuildOptions& options) {
  std::string flags =
      "-O3 --x-assign fast --x-initial fast --unroll-count 256 -Wall -Wno-fatal --prefix Vlk_core --top-module lk_core";
  flags += " --output-split-cfuncs 100000000";  // a split process keeps its temporaries in memory: a third slower
  flags += options.assertions ? " --assert" : " --noassert";
  if (options.body == MxuBody::kSpecification) flags += " -GMxuSpecBody=1";
  return flags;
}

/// Packages first: Verilator reads files in command-line order.
std::string source_list(const fs::path& rtl) {
  std::string packages;
  std::string modules;
  for (const fs::path& file : files_below(rtl, {".sv"})) {
    const std::string name = file.filename().string();
    std::string& list = name.size() > 7 && name.ends_with("_pkg.sv") ? packages : modules;
    list += fmt::format(" {}", quoted(file.string()));
  }
  return packages + modules;
}

void say(const BuildOptions& options, const std::string& line) {
  if (options.progress) options.progress(line);
}

/// An empty scratch folder beside `entry`. Its name is new for every process: the compilers of a build whose process was
/// killed may go on writing to theirs. Called with the lock of the entry.
Result<fs::path> make_scratch(const fs::path& entry) {
  const std::string prefix = entry.filename().string() + ".building";
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (fs::directory_iterator it(entry.parent_path(), ignored), end; it != end; it.increment(ignored)) {
    if (it->path().filename().string().starts_with(prefix)) stale.push_back(it->path());
  }
  for (const fs::path& folder : stale) fs::remove_all(folder, ignored);
  const fs::path scratch = entry.parent_path() / fmt::format("{}-{}", prefix, getpid());
  std::error_code failed;
  fs::create_directories(scratch, failed);
  std::string problem = failed.message();
  if (scratch.string().find_first_of(" \t\n") != std::string::npos) {
    failed = std::make_error_code(std::errc::invalid_argument);
    problem = "GNU make cannot build in a folder with a space in its path";
  }
  if (!failed) return scratch;
  return error("E0902", {}, fmt::format("{}: {}; LOCKSTEP_RTL_CACHE names another folder for the RTL builds", scratch.string(),
                                        problem));
}

/// Runs the steps that fill `entry` in a scratch folder, then renames it: an interrupted build leaves no entry.
Result<fs::path> build_entry(const fs::path& entry, const std::string& what, const BuildOptions& options,
                             const std::function<std::string(const fs::path&)>& command) {
  std::error_code ignored;
  fs::create_directories(entry.parent_path(), ignored);
  const FileLock lock(entry.string() + ".lock");
  if (is_complete(entry)) return entry;
  const Result<fs::path> scratch = make_scratch(entry);
  if (!scratch) return scratch.diags();
  const fs::path log = entry.string() + ".log";
  fs::remove(log, ignored);
  say(options, fmt::format("building {} (cold; cached afterwards) ...", what));
  const auto start = std::chrono::steady_clock::now();
  const CommandResult result = run_command(command(*scratch), log);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (result.status != 0) {
    fs::remove_all(*scratch, ignored);
    return error("E0902", {}, fmt::format("building {} failed after {:.1f} s", what, seconds),
                 {fmt::format("log: {}", log.string()), result.log_tail});
  }
  std::ofstream(*scratch / "complete") << what << '\n';
  fs::remove_all(entry, ignored);
  std::error_code renamed;
  fs::rename(*scratch, entry, renamed);
  if (renamed) return error("E0902", {}, fmt::format("cannot move {}: {}", scratch->string(), renamed.message()));
  say(options, fmt::format("built {} in {:.1f} s", what, seconds));
  return entry;
}

std::string chip_label(const chip::ChipSpec& chip) {
  return fmt::format("{}x{} b{}", chip.mxu.rows, chip.mxu.cols, chip.mxu.weight_load_rows);
}

/// Verilates and compiles the core into `scratch`.
std::string core_command(const chip::ChipSpec& chip, const BuildOptions& options, const fs::path& scratch) {
  const fs::path rtl = fs::path(LOCKSTEP_SOURCE_DIR) / "rtl";
  return fmt::format(
      "{} --cc {} {} -I{} -Mdir {} {} && make -C {} -f Vlk_core.mk -j{} OPT_FAST=-O{} OPT_SLOW=-O{} "
      "OPT_GLOBAL=-O1 CXX=\"$(command -v ccache) g++\" CFG_CXXFLAGS_PCH_I= Vlk_core__ALL.a verilated.o "
      "verilated_threads.o",
      quoted(LOCKSTEP_VERILATOR), verilator_flags(options), core_parameters(chip), quoted((rtl / "include").string()),
      quoted(scratch.string()), source_list(rtl), quoted(scratch.string()), options.jobs, options.optimisation,
      std::min(options.optimisation, 1));
}

Result<fs::path> core_for(const chip::ChipSpec& chip, const BuildOptions& options, uint64_t* hash_out) {
  BuildOptions same_for_all = options;
  same_for_all.jobs = 1;
  uint64_t hash = hash_files(files_below(fs::path(LOCKSTEP_SOURCE_DIR) / "rtl", {".sv", ".svh"}), 1);
  hash = hash_text(core_command(chip, same_for_all, {}), hash);
  hash = hash_text(tool_version(LOCKSTEP_VERILATOR) + tool_version("g++"), hash);
  *hash_out = hash;
  const fs::path entry = cache_root() / fmt::format("core-{:016x}", hash);
  if (is_complete(entry)) return entry;
  return build_entry(entry, fmt::format("RTL core {}", chip_label(chip)), options,
                     [&](const fs::path& scratch) { return core_command(chip, options, scratch); });
}

std::vector<fs::path> worker_libraries() {
  std::vector<fs::path> files;
  for (const char* library : kWorkerLibraries) files.push_back(fs::path(LOCKSTEP_BINARY_DIR) / library);
  return files;
}

std::string link_command(const fs::path& core, const fs::path& scratch) {
  const fs::path source(LOCKSTEP_SOURCE_DIR);
  const std::string object = quoted((scratch / "core_shim.o").string());
  std::string inputs = object;
  for (const char* file : {"Vlk_core__ALL.a", "verilated.o", "verilated_threads.o"}) {
    inputs += fmt::format(" {}", quoted((core / file).string()));
  }
  for (const fs::path& library : worker_libraries()) inputs += fmt::format(" {}", quoted(library.string()));
  return fmt::format(
      "$(command -v ccache) g++ -std=c++20 -DVL_TIME_CONTEXT -O2 -ffp-contract=off "
      "-I{} -I{} -isystem \"$({} --getenv VERILATOR_ROOT)/include\" -c {} -o {} && "
      "g++ -Wl,--undefined=sc_main -o {} {} -lsystemc -lfmt -lyaml-cpp -lxxhash -lpthread",
      quoted(source.string()), quoted(core.string()), quoted(LOCKSTEP_VERILATOR),
      quoted((source / "hw/sysc/core_shim.cc").string()), object, quoted((scratch / "lockstep_rtl_worker").string()), inputs);
}

}  // namespace

std::string core_parameters(const chip::ChipSpec& chip) {
  const auto flag = [](const char* name, int64_t value) { return fmt::format("-G{}={} ", name, value); };
  std::string text = flag("Rows", chip.mxu.rows) + flag("Cols", chip.mxu.cols) +
                     flag("LoadRows", chip.mxu.weight_load_rows) + flag("Lanes", chip.vpu.lanes) +
                     flag("RowsPerCycle", chip.vpu.rows_per_cycle) + flag("AccRows", chip.mxu.acc_rows) +
                     flag("VmemBytes", chip::vmem_bytes(chip)) + flag("LineBytes", chip::line_bytes(chip)) +
                     flag("VmemLatency", chip.vmem.read_latency) + flag("AccLatency", chip.mxu.acc_latency) +
                     flag("BeatBytes", chip.dma.beat_bytes) + flag("GranuleBytes", chip.dma.granule_bytes) +
                     flag("BurstBytes", chip.dma.burst_bytes) + flag("LoadQueues", chip.dma.load_queues) +
                     flag("ImemWords", chip.imem_words);
  text.pop_back();
  return text;
}

bool rtl_available(std::string* why) {
  const auto lacks = [&](const std::string& what) {
    if (why != nullptr) *why = what;
    return false;
  };
  if (!fs::exists(fs::path(LOCKSTEP_SOURCE_DIR) / "rtl/top/lk_core.sv")) return lacks("the rtl/ sources are not there");
  if (!fs::exists(LOCKSTEP_VERILATOR)) return lacks("verilator is not installed");
  if (!fs::exists("/usr/include/systemc") && !fs::exists("/usr/include/systemc.h")) return lacks("SystemC is not installed");
  return true;
}

Result<std::string> worker_for(const chip::ChipSpec& chip, const BuildOptions& options) {
  if (std::string why; !rtl_available(&why)) return error("E0901", {}, "RTL cannot be simulated here: " + why);
  uint64_t hash = 0;
  const Result<fs::path> core = core_for(chip, options, &hash);
  if (!core) return core.diags();
  for (const char* folder : kWorkerFolders) {
    hash = hash_files(files_below(fs::path(LOCKSTEP_SOURCE_DIR) / folder, {".h", ".cc"}), hash);
  }
  // The libraries themselves, too: sources that were edited and not yet compiled must not give their name to an old worker.
  for (const fs::path& library : worker_libraries()) hash = hash_text(read_text(library), hash);
  const fs::path entry = cache_root() / fmt::format("worker-{:016x}", hash);
  if (!is_complete(entry)) {
    const Result<fs::path> built = build_entry(entry, fmt::format("RTL worker {}", chip_label(chip)), options,
                                               [&](const fs::path& scratch) { return link_command(*core, scratch); });
    if (!built) return built.diags();
  }
  return (entry / "lockstep_rtl_worker").string();
}

}  // namespace lockstep::sysc
