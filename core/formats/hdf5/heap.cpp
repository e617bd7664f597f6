// SPDX-License-Identifier: MIT
#include "core/formats/hdf5/file.h"

#include <bit>
#include <set>

// Version 2 B-trees and the fractal heap, where groups and attributes of many members keep them.
namespace wb::hdf5 {
namespace {

unsigned log2FromValue(std::uint64_t value) { return value == 0 ? 0 : static_cast<unsigned>(std::bit_width(value)) - 1; }
unsigned bytesFor(std::uint64_t value) { return log2FromValue(value) / 8 + 1; }

class Tree {
public:
    using Visit = std::function<void(std::uint64_t position, unsigned bytes)>;

    Tree(File& file, const Visit& visit) : m_file(file), m_visit(visit) {}

    void read(std::uint64_t address) {
        std::uint64_t at = m_file.filePosition(address);
        if (!m_file.reader().hasText(at, "BTHD")) return m_file.reader().reject();
        at += 4 + 1 + 1; // version, type
        m_nodeBytes = m_file.take(at, 4);
        m_recordBytes = static_cast<unsigned>(m_file.take(at, 2));
        const auto depth = static_cast<unsigned>(m_file.take(at, 2));
        at += 2; // when nodes are split and merged
        const std::uint64_t root = m_file.takeAddress(at);
        const std::uint64_t records = m_file.take(at, 2);
        if (m_recordBytes == 0 || m_nodeBytes < nodeFrame + m_recordBytes || depth > 16) return m_file.reader().reject();
        measure(depth);
        if (root != undefined && m_file.reader().good()) readNode(root, records, depth);
    }

private:
    static constexpr std::uint64_t nodeFrame = 10; // signature, version, type, checksum

    // How many records a node of each level holds at most, and how wide the counts of its children are.
    void measure(unsigned depth) {
        const std::uint64_t leaf = (m_nodeBytes - nodeFrame) / m_recordBytes;
        m_countBytes = bytesFor(leaf);
        m_totals = {leaf};
        m_totalBytes = {0};
        for (unsigned level = 1; level <= depth; ++level) {
            const std::uint64_t pointer = m_file.offsetBytes() + m_countBytes + m_totalBytes[level - 1];
            const std::uint64_t most = (m_nodeBytes - nodeFrame) / (m_recordBytes + pointer);
            const std::uint64_t below = m_totals[level - 1];
            const std::uint64_t total = below > (std::uint64_t{1} << 40) ? below : (most + 1) * below + most;
            m_totals.push_back(total);
            m_totalBytes.push_back(bytesFor(total));
        }
    }

    void readNode(std::uint64_t address, std::uint64_t records, unsigned level) {
        std::uint64_t at = m_file.filePosition(address);
        if (!m_seen.insert(address).second || !m_file.reader().hasText(at, level == 0 ? "BTLF" : "BTIN"))
            return m_file.reader().reject();
        at += 6;
        if (!m_file.reader().canHold(at, records, m_recordBytes)) return m_file.reader().reject();
        for (std::uint64_t i = 0; i < records && m_file.reader().good(); ++i, at += m_recordBytes) m_visit(at, m_recordBytes);
        if (level == 0) return;
        for (std::uint64_t i = 0; i <= records && m_file.reader().good(); ++i) {
            const std::uint64_t child = m_file.takeAddress(at);
            const std::uint64_t count = m_file.take(at, m_countBytes);
            at += m_totalBytes[level - 1];
            if (child == undefined) return m_file.reader().reject();
            readNode(child, count, level - 1);
        }
    }

    File& m_file;
    const Visit& m_visit;
    std::uint64_t m_nodeBytes = 0;
    unsigned m_recordBytes = 0;
    unsigned m_countBytes = 0;
    std::vector<std::uint64_t> m_totals;
    std::vector<unsigned> m_totalBytes; // of a child at each level: leaves need none
    std::set<std::uint64_t> m_seen;
};

// The doubling table: rows of blocks, each row but the first two with blocks twice as large as the one before.
class Heap {
public:
    Heap(File& file, std::uint64_t address) : m_file(file) {
        std::uint64_t at = m_file.filePosition(address);
        if (!m_file.reader().hasText(at, "FRHP")) m_file.reader().reject();
        at += 4 + 1;
        m_idBytes = static_cast<unsigned>(m_file.take(at, 2));
        const std::uint64_t filters = m_file.take(at, 2);
        at += 1; // flags
        m_largestObject = m_file.take(at, 4);
        at += m_file.lengthBytes() + m_file.offsetBytes(); // huge objects
        at += m_file.lengthBytes() + m_file.offsetBytes(); // free space
        at += 8 * m_file.lengthBytes();                    // counts of managed, huge and tiny objects
        m_width = m_file.take(at, 2);
        m_firstBytes = m_file.takeLength(at);
        m_largestDirect = m_file.takeLength(at);
        m_addressBits = static_cast<unsigned>(m_file.take(at, 2));
        at += 2; // rows of the first indirect block
        m_root = m_file.takeAddress(at);
        m_rows = m_file.take(at, 2);
        if (filters != 0 || m_width == 0 || !std::has_single_bit(m_firstBytes) || !std::has_single_bit(m_largestDirect) ||
            m_addressBits > 64 || m_largestDirect < m_firstBytes)
            m_file.reader().reject(); // blocks with filters are not supported
    }

    // Where an object with this id lies; false for ids of another type.
    bool find(std::uint64_t idAt, std::uint64_t& position, std::uint64_t& bytes) {
        const std::uint64_t kind = m_file.take(idAt, 1) >> 4 & 3;
        if (kind != 0 || !m_file.reader().good()) return false;
        const unsigned offsetBytes = (m_addressBits + 7) / 8;
        const unsigned sizeBytes = std::min((log2FromValue(m_largestDirect) + 7) / 8, bytesFor(m_largestObject));
        if (1 + offsetBytes + sizeBytes > m_idBytes) return false;
        const std::uint64_t offset = m_file.take(idAt, offsetBytes);
        bytes = m_file.take(idAt, sizeBytes);
        if (m_root == undefined) return false;
        if (m_rows == 0) return inDirect(m_root, 0, m_firstBytes, offset, bytes, position);
        return inIndirect(m_root, offset, 0, bytes, position, 0);
    }

private:
    bool inDirect(std::uint64_t address, std::uint64_t begin, std::uint64_t blockBytes, std::uint64_t offset, std::uint64_t bytes,
                  std::uint64_t& position) {
        const std::uint64_t at = m_file.filePosition(address);
        if (!m_file.reader().hasText(at, "FHDB") || offset < begin) return false;
        const std::uint64_t inside = offset - begin;
        if (inside > blockBytes || bytes > blockBytes - inside) return false;
        position = at + inside;
        return m_file.reader().canHold(position, bytes, 1);
    }

    bool inIndirect(std::uint64_t address, std::uint64_t offset, std::uint64_t begin, std::uint64_t bytes, std::uint64_t& position,
                    unsigned depth) {
        std::uint64_t at = m_file.filePosition(address);
        if (depth > 8 || offset < begin || !m_file.reader().hasText(at, "FHIB")) return false;
        at += 4 + 1 + m_file.offsetBytes() + (m_addressBits + 7) / 8;
        const std::uint64_t inside = offset - begin,
                            rowBytes = m_firstBytes * m_width; // the width has 16 bits, the block at most 32
        const unsigned row = inside < rowBytes ? 0 : log2FromValue(inside / rowBytes) + 1;
        if (row > 48) return false;
        const std::uint64_t blockBytes = row == 0 ? m_firstBytes : m_firstBytes << (row - 1);
        const std::uint64_t rowBegin = row == 0 ? 0 : rowBytes << (row - 1);
        const std::uint64_t column = (inside - rowBegin) / blockBytes;
        const unsigned directRows = log2FromValue(m_largestDirect) - log2FromValue(m_firstBytes) + 2;
        at += (row * m_width + column) * m_file.offsetBytes(); // direct and indirect blocks are in the order of their rows
        const std::uint64_t child = m_file.takeAddress(at);
        const std::uint64_t childBegin = begin + rowBegin + column * blockBytes;
        if (child == undefined || !m_file.reader().good()) return false;
        if (row < directRows) return inDirect(child, childBegin, blockBytes, offset, bytes, position);
        return inIndirect(child, offset, childBegin, bytes, position, depth + 1);
    }

    File& m_file;
    unsigned m_idBytes = 0;
    std::uint64_t m_largestObject = 0;
    std::uint64_t m_width = 0;
    std::uint64_t m_firstBytes = 0;
    std::uint64_t m_largestDirect = 0;
    unsigned m_addressBits = 0;
    std::uint64_t m_root = undefined;
    std::uint64_t m_rows = 0;
};

} // namespace

void eachRecord(File& file, std::uint64_t treeAddress, const std::function<void(std::uint64_t position, unsigned bytes)>& visit) {
    Tree(file, visit).read(treeAddress);
}

void eachHeapObject(File& file, std::uint64_t heapAddress, std::uint64_t treeAddress, unsigned idOffset,
                    const std::function<void(std::uint64_t position, std::uint64_t bytes)>& visit) {
    Heap heap(file, heapAddress);
    if (!file.reader().good()) return;
    eachRecord(file, treeAddress, [&](std::uint64_t record, unsigned) {
        std::uint64_t position = 0, bytes = 0;
        if (heap.find(record + idOffset, position, bytes)) visit(position, bytes);
        else file.reader().reject();
    });
}

} // namespace wb::hdf5
