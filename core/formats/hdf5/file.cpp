// SPDX-License-Identifier: MIT
#include "core/formats/hdf5/file.h"

#include <algorithm>
#include <set>

namespace wb::hdf5 {
namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1A\n";
constexpr std::size_t maxMessages = 65'536;

bool isWidth(unsigned bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

struct Block {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

// Collects the messages of one block; continuations are added to `blocks`.
class MessageList {
public:
    explicit MessageList(File& file) : m_file(file) {}

    std::vector<Message> read(std::uint64_t address) {
        const std::uint64_t at = m_file.filePosition(address);
        const bool isNew = m_file.reader().hasText(at, "OHDR");
        if (isNew) readNewHeader(at);
        else readOldHeader(at);
        return m_file.reader().good() ? std::move(m_messages) : std::vector<Message>();
    }

private:
    void readOldHeader(std::uint64_t at) {
        if (m_file.take(at, 1) != 1) return;
        at += 1 + 2 + 4; // reserved, count of messages, references
        const std::uint64_t bytes = m_file.take(at, 4);
        m_blocks.push_back({at + 4, bytes}); // filled up to a multiple of 8
        for (std::size_t i = 0; i < m_blocks.size() && isFine(i); ++i) readOldBlock(m_blocks[i]);
    }

    // At most so many blocks, each once.
    bool isFine(std::size_t block) { return block < 4096 && m_seen.insert(m_blocks[block].begin).second; }

    void readOldBlock(Block block) {
        std::uint64_t at = block.begin;
        const std::uint64_t end = at + block.bytes;
        if (!m_file.reader().canHold(at, block.bytes, 1)) return;
        while (end - at >= 8 && m_messages.size() < maxMessages && m_file.reader().good()) {
            Message message;
            message.type = static_cast<std::uint16_t>(m_file.take(at, 2));
            message.bytes = m_file.take(at, 2);
            message.flags = static_cast<std::uint8_t>(m_file.take(at, 1));
            at += 3;
            message.begin = at;
            if (message.bytes > end - at) return;
            at += message.bytes;
            add(message);
        }
    }

    void readNewHeader(std::uint64_t at) {
        at += 4;
        if (m_file.take(at, 1) != 2) return;
        const auto flags = static_cast<unsigned>(m_file.take(at, 1));
        if ((flags & 0x20) != 0) at += 16; // times
        if ((flags & 0x10) != 0) at += 4;  // limits of compact storage
        const std::uint64_t bytes = m_file.take(at, 1u << (flags & 3));
        m_hasOrder = (flags & 4) != 0;
        m_blocks.push_back({at, bytes});
        for (std::size_t i = 0; i < m_blocks.size() && isFine(i); ++i) readNewBlock(m_blocks[i], i != 0);
    }

    void readNewBlock(Block block, bool isContinuation) {
        constexpr std::uint64_t framed = 8; // signature and checksum
        std::uint64_t at = block.begin, bytes = block.bytes;
        if (isContinuation) {
            if (bytes < framed || !m_file.reader().hasText(at, "OCHK")) return;
            at += 4;
            bytes -= framed;
        }
        if (!m_file.reader().canHold(at, bytes, 1)) return;
        const std::uint64_t end = at + bytes, headerBytes = m_hasOrder ? 6 : 4;
        while (end - at >= headerBytes && m_messages.size() < maxMessages && m_file.reader().good()) {
            Message message;
            message.type = static_cast<std::uint16_t>(m_file.take(at, 1));
            message.bytes = m_file.take(at, 2);
            message.flags = static_cast<std::uint8_t>(m_file.take(at, 1));
            if (m_hasOrder) at += 2;
            message.begin = at;
            if (message.bytes > end - at) return;
            at += message.bytes;
            add(message);
        }
    }

    void add(const Message& message) {
        constexpr std::uint16_t nil = 0, continuation = 0x10;
        if (message.type == continuation) {
            std::uint64_t at = message.begin;
            const std::uint64_t address = m_file.takeAddress(at);
            const std::uint64_t bytes = m_file.takeLength(at);
            if (address != undefined) m_blocks.push_back({m_file.filePosition(address), bytes});
        } else if (message.type != nil) {
            m_messages.push_back(message);
        }
    }

    File& m_file;
    std::vector<Message> m_messages;
    std::vector<Block> m_blocks;
    std::set<std::uint64_t> m_seen;
    bool m_hasOrder = false;
};

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    return std::ranges::any_of(std::initializer_list<std::size_t>{0, 512, 1024, 2048},
                               [&](std::size_t at) { return at <= text.size() && text.substr(at).starts_with(signature); });
}

std::uint64_t File::takeAddress(std::uint64_t& at) {
    const std::uint64_t value = take(at, m_offsetBytes);
    const std::uint64_t all = m_offsetBytes >= 8 ? undefined : (std::uint64_t{1} << 8 * m_offsetBytes) - 1;
    // An address beyond the file leads nowhere either; the sum of it and the base must not wrap.
    return value == all || value > m_reader.size() ? undefined : value;
}

std::optional<std::uint64_t> File::open() {
    for (std::uint64_t at = 0; m_reader.canHold(at, 64, 1); at = at == 0 ? 512 : at * 2) {
        if (!m_reader.hasText(at, signature)) continue;
        m_base = at;
        at += signature.size();
        const std::uint64_t version = take(at, 1);
        if (version > 3) return std::nullopt;
        if (version < 2) at += 4; // versions of structures, reserved
        m_offsetBytes = static_cast<unsigned>(take(at, 1));
        m_lengthBytes = static_cast<unsigned>(take(at, 1));
        if (!isWidth(m_offsetBytes) || !isWidth(m_lengthBytes)) return std::nullopt;
        if (version >= 2) {
            at += 1 + 2 * m_offsetBytes; // flags; base, extension
            m_end = take(at, m_offsetBytes);
            const std::uint64_t root = takeAddress(at);
            return m_reader.good() && root != undefined ? std::optional(root) : std::nullopt;
        }
        at += 1 + 2 + 2 + 4 + (version == 1 ? 4 : 0); // reserved, the sizes of group nodes, flags
        at += 2 * m_offsetBytes;                      // base, free space
        m_end = take(at, m_offsetBytes);
        at += 2 * m_offsetBytes; // driver; the root's name
        const std::uint64_t root = takeAddress(at);
        return m_reader.good() && root != undefined ? std::optional(root) : std::nullopt;
    }
    return std::nullopt;
}

std::vector<Message> readMessages(File& file, std::uint64_t address) {
    if (address == undefined) return {};
    return MessageList(file).read(address);
}

std::optional<Message> resolved(File& file, const Message& message) {
    constexpr std::uint8_t isShared = 2;
    if ((message.flags & isShared) == 0) return message;
    std::uint64_t at = message.begin;
    const std::uint64_t version = file.take(at, 1);
    const std::uint64_t type = file.take(at, 1);
    if (version == 1) at += 6;
    if (version > 3 || (version == 3 && type != 2)) return std::nullopt; // in a heap of shared messages
    for (const Message& other : readMessages(file, file.takeAddress(at)))
        if (other.type == message.type && (other.flags & isShared) == 0) return other;
    return std::nullopt;
}

} // namespace wb::hdf5
