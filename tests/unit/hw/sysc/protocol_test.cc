// Frames between host and worker: whatever a peer sends ends in a status, never in a crash, a hang or a large allocation.
#include <array>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hw/base/rng.h"
#include "hw/sysc/protocol.h"

namespace lockstep::sysc {
namespace {

constexpr int64_t kSoonMs = 50;

class Protocol : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()), 0); }
  void TearDown() override {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  void write_header(uint32_t magic, uint64_t size) {
    std::array<uint8_t, 12> header{};
    std::memcpy(header.data(), &magic, 4);
    std::memcpy(header.data() + 4, &size, 8);
    ASSERT_EQ(write(ends_[1], header.data(), header.size()), 12);
  }
  ChannelStatus receive() { return receive_message(ends_[0], MessageKind::kResponse, payload_, kSoonMs); }
  void hang_up() {
    close(ends_[1]);
    ends_[1] = -1;
  }

  std::array<int, 2> ends_{};
  Bytes payload_;
};

constexpr auto kMagic = static_cast<uint32_t>(MessageKind::kResponse);

TEST_F(Protocol, AMessageArrivesWhole) {
  const Bytes sent = {1, 2, 3, 250};
  ASSERT_EQ(send_message(ends_[1], MessageKind::kResponse, sent, kSoonMs), ChannelStatus::kOk);
  ASSERT_EQ(receive(), ChannelStatus::kOk);
  EXPECT_EQ(payload_, sent);
  ASSERT_EQ(send_message(ends_[1], MessageKind::kResponse, {}, kSoonMs), ChannelStatus::kOk);
  ASSERT_EQ(receive(), ChannelStatus::kOk);
  EXPECT_TRUE(payload_.empty());
}

TEST_F(Protocol, AnotherMagicIsGarbled) {
  write_header(static_cast<uint32_t>(MessageKind::kRequest), 4);
  EXPECT_EQ(receive(), ChannelStatus::kGarbled);
}

TEST_F(Protocol, AnAbsurdLengthIsGarbled) {
  write_header(kMagic, kMaxMessageBytes + 1);
  EXPECT_EQ(receive(), ChannelStatus::kGarbled);
}

TEST_F(Protocol, ALengthThatNoDataFollowsForClaimsNoMemory) {
  write_header(kMagic, kMaxMessageBytes);
  EXPECT_EQ(receive(), ChannelStatus::kTimeout);
  EXPECT_LE(payload_.capacity(), size_t{1} << 27);
}

TEST_F(Protocol, AHangUpIsClosedAtAnyPoint) {
  write_header(kMagic, 100);
  hang_up();
  EXPECT_EQ(receive(), ChannelStatus::kClosed);
  EXPECT_EQ(receive(), ChannelStatus::kClosed);
  EXPECT_EQ(send_message(ends_[0], MessageKind::kRequest, {1}, kSoonMs), ChannelStatus::kClosed);
}

TEST_F(Protocol, APeerThatDoesNotReadIsATimeout) {
  const Bytes large(size_t{8} << 20);
  EXPECT_EQ(send_message(ends_[0], MessageKind::kRequest, large, kSoonMs), ChannelStatus::kTimeout);
}

// Every cut and many damaged copies of a response: decoded or refused with E0904.
TEST_F(Protocol, DamagedResponsesAreRefusedOrDecoded) {
  target::RunResult result;
  result.fault = target::Fault{"F-LINE", 3, 17, "detail"};
  result.cycles = 99;
  result.events.instrs[0].resize(3);
  const Bytes good = encode_response(result, target::MemoryImage(64, 7));
  const Result<RunResponse> decoded = decode_response(good);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->result.fault->detail, "detail");
  EXPECT_EQ(decoded->image, target::MemoryImage(64, 7));
  for (size_t size = 0; size < good.size(); ++size) {
    const Result<RunResponse> cut = decode_response(Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)));
    ASSERT_FALSE(cut.ok()) << size;
    EXPECT_EQ(cut.diags().front().code, "E0904");
  }
  Rng random(11);
  for (int round = 0; round < 20'000; ++round) {
    Bytes bad = good;
    for (uint64_t flips = 1 + random.below(3); flips > 0; --flips) {
      bad[random.below(bad.size())] = static_cast<uint8_t>(random.next());
    }
    const Result<RunResponse> response = decode_response(bad);
    EXPECT_TRUE(response.ok() || response.diags().front().code == "E0904");
  }
}

}  // namespace
}  // namespace lockstep::sysc
