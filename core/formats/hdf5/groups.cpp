// SPDX-License-Identifier: MIT
#include "core/formats/hdf5/file.h"

#include <set>

namespace wb::hdf5 {
namespace {

constexpr std::uint64_t longestName = 64 << 10;

enum GroupMessage : std::uint16_t { LinkInfoMessage = 2, LinkMessage = 6, SymbolTableMessage = 0x11 };

// A group of the old format: a B-tree of symbol table nodes, whose names are in a local heap.
class SymbolTable {
public:
    SymbolTable(File& file, std::vector<Link>& links, std::uint64_t& linksLeft)
        : m_file(file), m_links(links), m_linksLeft(linksLeft) {}

    void read(std::uint64_t at) {
        const std::uint64_t tree = m_file.takeAddress(at), heap = m_file.takeAddress(at);
        if (tree == undefined || heap == undefined) return;
        std::uint64_t h = m_file.filePosition(heap);
        if (!m_file.reader().hasText(h, "HEAP")) return m_file.reader().reject();
        h += 8;
        m_heapBytes = m_file.takeLength(h);
        (void)m_file.takeLength(h); // the free list
        const std::uint64_t data = m_file.takeAddress(h);
        if (data == undefined) return;
        m_heap = m_file.filePosition(data);
        readNode(tree, 0);
    }

private:
    void readNode(std::uint64_t address, unsigned depth) {
        if (address == undefined) return;
        std::uint64_t at = m_file.filePosition(address);
        if (depth > 32 || !m_seen.insert(address).second) return m_file.reader().reject();
        if (m_file.reader().hasText(at, "SNOD")) return readSymbols(at + 4);
        if (!m_file.reader().hasText(at, "TREE")) return m_file.reader().reject();
        at += 4 + 1 + 1; // type, level
        const std::uint64_t children = m_file.take(at, 2);
        at += 2 * m_file.offsetBytes() + m_file.lengthBytes(); // siblings, first key
        for (std::uint64_t i = 0; i < children && m_file.reader().good(); ++i) {
            readNode(m_file.takeAddress(at), depth + 1);
            at += m_file.lengthBytes();
        }
    }

    void readSymbols(std::uint64_t at) {
        at += 2; // version
        const std::uint64_t symbols = m_file.take(at, 2);
        for (std::uint64_t i = 0; i < symbols && m_file.reader().good(); ++i) {
            if (m_linksLeft-- == 0) return m_file.reader().reject();
            Link link;
            const std::uint64_t name = m_file.take(at, m_file.offsetBytes());
            link.address = m_file.takeAddress(at);
            const std::uint64_t cached = m_file.take(at, 4);
            at += 4 + 16; // reserved, scratch pad
            link.isHard = cached != 2;
            link.name = nameAt(name);
            m_links.push_back(std::move(link));
        }
    }

    std::string nameAt(std::uint64_t offset) {
        std::string name;
        while (offset < m_heapBytes && name.size() < longestName && m_file.reader().good()) {
            const auto letter = m_file.reader().read<char>(m_heap + offset++);
            if (letter == '\0') return name;
            name += letter;
        }
        m_file.reader().reject();
        return name;
    }

    File& m_file;
    std::vector<Link>& m_links;
    std::uint64_t& m_linksLeft;
    std::uint64_t m_heap = 0;
    std::uint64_t m_heapBytes = 0;
    std::set<std::uint64_t> m_seen;
};

} // namespace

Link readLink(File& file, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t at = begin;
    Link link;
    if (file.take(at, 1) != 1) {
        file.reader().reject();
        return link;
    }
    const auto flags = static_cast<unsigned>(file.take(at, 1));
    const std::uint64_t kind = (flags & 8) != 0 ? file.take(at, 1) : 0;
    if ((flags & 4) != 0) at += 8;    // creation order
    if ((flags & 0x10) != 0) at += 1; // character set
    const std::uint64_t nameBytes = file.take(at, 1u << (flags & 3));
    if (at > end || nameBytes > end - at) {
        file.reader().reject();
        return link;
    }
    link.name = file.reader().text(at, nameBytes, longestName);
    at += nameBytes;
    link.isHard = kind == 0;
    if (link.isHard) link.address = file.takeAddress(at);
    return link;
}

std::vector<Link> readLinks(File& file, const std::vector<Message>& messages, std::uint64_t& linksLeft) {
    std::vector<Link> links;
    for (const Message& message : messages) {
        std::uint64_t at = message.begin;
        if (message.type == SymbolTableMessage) {
            SymbolTable(file, links, linksLeft).read(at);
        } else if (message.type == LinkMessage) {
            if (linksLeft-- == 0) {
                file.reader().reject();
                return links;
            }
            links.push_back(readLink(file, at, at + message.bytes));
        } else if (message.type == LinkInfoMessage) {
            at += 1; // version
            const auto flags = static_cast<unsigned>(file.take(at, 1));
            if ((flags & 1) != 0) at += 8; // highest creation index
            const std::uint64_t heap = file.takeAddress(at), tree = file.takeAddress(at);
            if (heap == undefined || tree == undefined) continue;
            constexpr unsigned hashBytes = 4;
            eachHeapObject(file, heap, tree, hashBytes, [&](std::uint64_t position, std::uint64_t bytes) {
                if (linksLeft-- == 0) return file.reader().reject();
                links.push_back(readLink(file, position, position + bytes));
            });
        }
    }
    return links;
}

} // namespace wb::hdf5
