#include "hw/sysc/protocol.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <type_traits>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hw/isa/binary.h"

namespace lockstep::sysc {

namespace {

class Writer {
 public:
  template <typename T>
  void pod(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    out_.insert(out_.end(), bytes, bytes + sizeof(T));
  }
  void bytes(const uint8_t* data, size_t size) {
    pod(static_cast<uint64_t>(size));
    out_.insert(out_.end(), data, data + size);
  }
  void text(const std::string& value) { bytes(reinterpret_cast<const uint8_t*>(value.data()), value.size()); }
  template <typename T>
  void pods(const std::vector<T>& values) {
    bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T));
  }
  void reserve(size_t size) { out_.reserve(size); }
  Bytes take() { return std::move(out_); }

 private:
  Bytes out_;
};

class Reader {
 public:
  explicit Reader(const Bytes& in) : in_(in) {}
  template <typename T>
  void pod(T& value) {
    if (!need(sizeof(T))) return;
    std::memcpy(&value, in_.data() + at_, sizeof(T));
    at_ += sizeof(T);
  }
  void bytes(Bytes& out) {
    uint64_t size = 0;
    pod(size);
    if (!need(size)) return;
    out.assign(in_.begin() + static_cast<ptrdiff_t>(at_), in_.begin() + static_cast<ptrdiff_t>(at_ + size));
    at_ += size;
  }
  void text(std::string& out) {
    Bytes raw;
    bytes(raw);
    out.assign(raw.begin(), raw.end());
  }
  template <typename T>
  void pods(std::vector<T>& out) {
    Bytes raw;
    bytes(raw);
    if (raw.size() % sizeof(T) != 0) ok_ = false;
    out.resize(raw.size() / sizeof(T));
    if (!raw.empty() && ok_) std::memcpy(out.data(), raw.data(), raw.size());
  }
  bool ok() const { return ok_; }

 private:
  bool need(uint64_t size) {
    if (size > in_.size() - at_) ok_ = false;
    return ok_;
  }

  const Bytes& in_;
  size_t at_ = 0;
  bool ok_ = true;
};

Diag garbled(const char* what) { return error("E0904", {}, std::string("RTL worker protocol: malformed ") + what); }

/// Milliseconds left of a budget that began at `start`; -1 = no limit.
int remaining_ms(std::chrono::steady_clock::time_point start, int64_t timeout_ms) {
  if (timeout_ms < 0) return -1;
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  const int64_t left = timeout_ms - spent.count();
  return static_cast<int>(std::min<int64_t>(std::max<int64_t>(left, 0), 1'000'000'000));
}

ChannelStatus receive_exact(int fd, uint8_t* out, size_t size, std::chrono::steady_clock::time_point start,
                            int64_t timeout_ms) {
  while (size > 0) {
    pollfd entry{fd, POLLIN, 0};
    const int ready = poll(&entry, 1, remaining_ms(start, timeout_ms));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return ChannelStatus::kTimeout;
    const ssize_t got = ready < 0 ? -1 : read(fd, out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ChannelStatus::kClosed;
    out += got;
    size -= static_cast<size_t>(got);
  }
  return ChannelStatus::kOk;
}

ChannelStatus send_exact(int fd, const uint8_t* data, size_t size, std::chrono::steady_clock::time_point start,
                         int64_t timeout_ms) {
  while (size > 0) {
    pollfd entry{fd, POLLOUT, 0};
    const int ready = poll(&entry, 1, remaining_ms(start, timeout_ms));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return ChannelStatus::kTimeout;
    // A dead worker is an answer, not a SIGPIPE; a full socket is waited for above, where the limit holds.
    const ssize_t sent = ready < 0 ? -1 : send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (ready > 0 && sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return ChannelStatus::kClosed;
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return ChannelStatus::kOk;
}

}  // namespace

Result<Limits> make_limits(const chip::ChipSpec& chip) {
  Result<mem::DramConfig> dram = mem::make_dram_config(chip);
  if (!dram) return dram.diags();
  Limits limits;
  limits.setup_cycles = chip.dma.setup_cycles;
  limits.max_outstanding = chip.dma.max_outstanding;
  limits.quantum = chip.dma.quantum;
  limits.depth_ld = chip.queue_depth.ld;
  limits.depth_st = chip.queue_depth.st;
  limits.depth_wld = chip.queue_depth.wld;
  limits.depth_mm = chip.queue_depth.mm;
  limits.depth_vx = chip.queue_depth.vx;
  limits.vx_start = chip.vpu.latency.start;
  limits.vx_load_latency = chip.vpu.latency.load;
  limits.vx_store_latency = chip.vpu.latency.store;
  limits.dram = *dram;
  return limits;
}

Result<Bytes> encode_request(const Limits& limits, const target::RunOptions& options, const isa::Program& program,
                             const target::MemoryImage& image) {
  const Result<Bytes> encoded = isa::encode_program(program);
  if (!encoded) return encoded.diags();
  Writer out;
  out.reserve(image.size() + 65536);
  out.pod(limits);
  out.pod(options);
  out.pods(*encoded);
  out.pods(image);
  return out.take();
}

Result<RunRequest> decode_request(const Bytes& bytes) {
  Reader in(bytes);
  RunRequest request;
  Bytes program;
  in.pod(request.limits);
  in.pod(request.options);
  in.bytes(program);
  in.bytes(request.image);
  if (!in.ok()) return garbled("request");
  Result<isa::Program> decoded = isa::decode_program(program, "request");
  if (!decoded) return decoded.diags();
  request.program = std::move(*decoded);
  return request;
}

Bytes encode_response(const target::RunResult& result, const target::MemoryImage& image) {
  Writer out;
  out.reserve(image.size() + 65536);
  out.pod(static_cast<uint8_t>(result.fault ? 1 : 0));
  if (result.fault) {
    out.text(result.fault->code);
    out.pod(result.fault->tag);
    out.pod(result.fault->cycle);
    out.text(result.fault->detail);
  }
  out.pod(result.cycles);
  out.pod(result.counters);
  out.pod(result.host_cpu_seconds);
  for (const auto& records : result.events.instrs) out.pods(records);
  for (const auto& records : result.events.bursts) out.pods(records);
  out.pods(image);
  return out.take();
}

Result<RunResponse> decode_response(const Bytes& bytes) {
  Reader in(bytes);
  RunResponse response;
  uint8_t has_fault = 0;
  in.pod(has_fault);
  if (has_fault != 0) {
    target::Fault fault;
    in.text(fault.code);
    in.pod(fault.tag);
    in.pod(fault.cycle);
    in.text(fault.detail);
    response.result.fault = fault;
  }
  in.pod(response.result.cycles);
  in.pod(response.result.counters);
  in.pod(response.result.host_cpu_seconds);
  for (auto& records : response.result.events.instrs) in.pods(records);
  for (auto& records : response.result.events.bursts) in.pods(records);
  in.bytes(response.image);
  if (!in.ok()) return garbled("response");
  return response;
}

ChannelStatus send_message(int fd, MessageKind kind, const Bytes& payload, int64_t timeout_ms) {
  const auto start = std::chrono::steady_clock::now();
  uint8_t header[12];
  const auto magic = static_cast<uint32_t>(kind);
  const uint64_t size = payload.size();
  std::memcpy(header, &magic, 4);
  std::memcpy(header + 4, &size, 8);
  const ChannelStatus status = send_exact(fd, header, sizeof(header), start, timeout_ms);
  if (status != ChannelStatus::kOk) return status;
  return send_exact(fd, payload.data(), payload.size(), start, timeout_ms);
}

ChannelStatus receive_message(int fd, MessageKind kind, Bytes& payload, int64_t timeout_ms) {
  const auto start = std::chrono::steady_clock::now();
  uint8_t header[12];
  const ChannelStatus status = receive_exact(fd, header, sizeof(header), start, timeout_ms);
  if (status != ChannelStatus::kOk) return status;
  uint32_t magic = 0;
  uint64_t size = 0;
  std::memcpy(&magic, header, 4);
  std::memcpy(&size, header + 4, 8);
  if (magic != static_cast<uint32_t>(kind) || size > kMaxMessageBytes) return ChannelStatus::kGarbled;
  payload.clear();
  while (payload.size() < size) {  // piece by piece: a garbled length must not claim memory that no data follows for
    constexpr uint64_t kPieceBytes = uint64_t{1} << 26;
    const size_t have = payload.size();
    const size_t piece = std::min<uint64_t>(size - have, kPieceBytes);
    payload.resize(have + piece);
    const ChannelStatus got = receive_exact(fd, payload.data() + have, piece, start, timeout_ms);
    if (got != ChannelStatus::kOk) return got;
  }
  return ChannelStatus::kOk;
}

}  // namespace lockstep::sysc
