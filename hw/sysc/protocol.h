// Messages between RtlTarget (host side) and the RTL worker process, over one socket.
//
//   host -> worker   "LKRQ" u64 size, payload: Limits, RunOptions, program image, memory image
//   worker -> host   "LKRS" u64 size, payload: status, RunResult, memory image
//
// Integers are little endian. One request is answered before the next is sent, so neither side can block the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/result.h"
#include "hw/chip/chip_spec.h"
#include "hw/isa/program.h"
#include "hw/mem/dram.h"
#include "hw/target/target.h"

namespace lockstep::sysc {

/// Run-time limits of a chip that share one RTL build (the CSR inputs of lk_core).
struct Limits {
  int setup_cycles = 0;
  int max_outstanding = 0;
  int quantum = 0;
  int depth_ld = 0;
  int depth_st = 0;
  int depth_wld = 0;
  int depth_mm = 0;
  int depth_vx = 0;
  int vx_start = 0;
  int vx_load_latency = 0;
  int vx_store_latency = 0;
  mem::DramConfig dram;
};

Result<Limits> make_limits(const chip::ChipSpec& chip);

struct RunRequest {
  Limits limits;
  target::RunOptions options;
  isa::Program program;
  target::MemoryImage image;
};

struct RunResponse {
  target::RunResult result;
  target::MemoryImage image;
};

using Bytes = std::vector<uint8_t>;

/// Fails when a word of the program has no encoding.
Result<Bytes> encode_request(const Limits& limits, const target::RunOptions& options, const isa::Program& program,
                             const target::MemoryImage& image);
/// E0904 when the bytes are not a request (a worker of another version).
Result<RunRequest> decode_request(const Bytes& bytes);

Bytes encode_response(const target::RunResult& result, const target::MemoryImage& image);
Result<RunResponse> decode_response(const Bytes& bytes);

enum class MessageKind : uint32_t { kRequest = 0x51524B4C, kResponse = 0x53524B4C };  // "LKRQ", "LKRS"

/// Payloads above this are refused on both sides: a length beyond it is garbage.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 36;

enum class ChannelStatus { kOk, kClosed, kTimeout, kGarbled };

/// Both wait for ever when timeout_ms < 0; else the limit covers the whole message.
ChannelStatus send_message(int fd, MessageKind kind, const Bytes& payload, int64_t timeout_ms);
ChannelStatus receive_message(int fd, MessageKind kind, Bytes& payload, int64_t timeout_ms);

}  // namespace lockstep::sysc
