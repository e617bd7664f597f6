// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

// The messages between a program and its worker: u32 length of the rest, u8 kind, content. All numbers are little-endian.
namespace wb::worker {

enum class MessageKind : std::uint8_t {
    Task,     // to the child: name, request, and of each source its size and name
    Bytes,    // to the child: the bytes it asked for
    Refused,  // to the child: the error of that read
    Read,     // to the parent: u32 source, u64 offset, u32 length
    Progress, // to the parent: u64 done, u64 total
    Reply,    // to the parent: a part of the reply
    Done,     // to the parent: the reply is complete
    Failed,   // to the parent: the task's error
    Count
};

inline constexpr std::uint32_t maxMessage = 16 << 20;
inline constexpr std::uint32_t maxRead = 4 << 20; // bytes of one Read
inline constexpr std::uint32_t replyPart = 1 << 20;

struct Message {
    MessageKind kind = MessageKind::Count;
    std::vector<std::byte> content;
};

// One end of the pair of sockets (of pipes on Windows). Not thread-safe.
class Channel {
public:
    // Takes the handles over. `mayWait` is asked every 20 ms while the other side keeps silent; false stops. The child waits
    // endlessly.
    Channel(std::intptr_t in, std::intptr_t out, std::function<bool()> mayWait = {});
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    // False where the other side is gone, or mayWait said no.
    bool send(MessageKind kind, std::span<const std::byte> content);

    enum class Outcome { Got, Closed, GaveUp, Garbled };
    Outcome receive(Message& message);

private:
    bool sendAll(std::span<const std::byte> bytes);
    Outcome receiveAll(std::span<std::byte> bytes);
    bool wait(bool toWrite);

    std::intptr_t m_in;
    std::intptr_t m_out;
    std::function<bool()> m_mayWait;
};

} // namespace wb::worker
