// SPDX-License-Identifier: MIT
#include "core/worker/protocol.h"

#include <array>
#include <cstring>

namespace wb::worker {

bool Channel::send(MessageKind kind, std::span<const std::byte> content) {
    const auto length = static_cast<std::uint32_t>(content.size());
    std::array<std::byte, 5> head{};
    for (std::size_t i = 0; i < 4; ++i) head[i] = static_cast<std::byte>(length >> (8 * i));
    head[4] = static_cast<std::byte>(kind);
    return sendAll(head) && sendAll(content);
}

Channel::Outcome Channel::receive(Message& message) {
    std::array<std::byte, 5> head{};
    if (const Outcome outcome = receiveAll(head); outcome != Outcome::Got) return outcome;
    std::uint32_t length = 0;
    for (std::size_t i = 4; i-- > 0;) length = length << 8 | std::to_integer<std::uint32_t>(head[i]);
    if (length > maxMessage || head[4] >= static_cast<std::byte>(MessageKind::Count)) return Outcome::Garbled;
    message.kind = static_cast<MessageKind>(head[4]);
    message.content.resize(length);
    return receiveAll(message.content);
}

} // namespace wb::worker
