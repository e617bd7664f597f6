// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/formats/hdf5/file.h"

#include <set>

namespace wb::hdf5 {
namespace {

// A version 1 B-tree of chunks: between its keys are the addresses.
class ChunkTree {
public:
    ChunkTree(File& file, Dataset& dataset, std::uint64_t& chunksLeft)
        : m_file(file), m_dataset(dataset), m_chunksLeft(chunksLeft), m_keyBytes(8 + 8 * (dataset.chunkShape.size() + 1)) {}

    void readNode(std::uint64_t address, unsigned depth) {
        std::uint64_t at = m_file.filePosition(address);
        if (depth > 32 || !m_seen.insert(address).second || !m_file.reader().hasText(at, "TREE")) return m_file.reader().reject();
        at += 4 + 1; // type
        const std::uint64_t level = m_file.take(at, 1), children = m_file.take(at, 2);
        at += 2 * m_file.offsetBytes();
        for (std::uint64_t i = 0; i < children && m_file.reader().good(); ++i) {
            std::uint64_t key = at;
            at += m_keyBytes;
            const std::uint64_t child = m_file.takeAddress(at);
            if (child == undefined) return m_file.reader().reject();
            if (level != 0) readNode(child, depth + 1);
            else addChunk(key, child);
        }
    }

private:
    void addChunk(std::uint64_t key, std::uint64_t address) {
        if (m_chunksLeft-- == 0) return m_file.reader().reject();
        Chunk chunk;
        chunk.bytes = m_file.take(key, 4);
        chunk.skipped = static_cast<std::uint32_t>(m_file.take(key, 4));
        for (std::size_t i = 0; i < m_dataset.chunkShape.size(); ++i) chunk.offset.push_back(m_file.take(key, 8));
        chunk.position = m_file.filePosition(address);
        m_dataset.chunks.push_back(std::move(chunk));
    }

    File& m_file;
    Dataset& m_dataset;
    std::uint64_t& m_chunksLeft;
    std::uint64_t m_keyBytes;
    std::set<std::uint64_t> m_seen;
};

// The indices of layout version 4.
class ChunkIndex {
public:
    ChunkIndex(File& file, Dataset& dataset, std::uint64_t& chunksLeft)
        : m_file(file), m_dataset(dataset), m_chunksLeft(chunksLeft) {
        m_chunkBytes = dataset.type.bytes;
        for (const std::uint64_t side : dataset.chunkShape) m_chunkBytes *= side; // wraps only where no chunk is that large
        for (std::size_t i = 0; i < dataset.shape.size() && i < dataset.chunkShape.size(); ++i) {
            const std::uint64_t side = dataset.chunkShape[i];
            m_grid.push_back(side == 0 ? 0 : dataset.shape[i] / side + (dataset.shape[i] % side == 0 ? 0 : 1));
        }
    }

    void read(std::uint64_t at, unsigned type, unsigned flags) {
        enum { Single = 1, Implicit, Fixed, Extensible, Tree };
        switch (type) {
        case Single: return readSingle(at, flags);
        case Implicit: return readImplicit(m_file.takeAddress(at));
        case Fixed: at += 1; return readFixed(m_file.takeAddress(at));
        case Tree: at += 4 + 1 + 1; return readTree(m_file.takeAddress(at));
        default: m_dataset.why = WB_TEXT("its chunks are in an extensible array, which is not supported");
        }
    }

private:
    void add(std::uint64_t number, std::uint64_t address, std::uint64_t bytes, std::uint32_t skipped) {
        if (address == undefined) return;
        if (m_chunksLeft-- == 0) return m_file.reader().reject();
        Chunk chunk{m_file.filePosition(address), bytes, skipped, std::vector<std::uint64_t>(m_grid.size())};
        for (std::size_t axis = m_grid.size(); axis-- > 0;) {
            if (m_grid[axis] == 0) return;
            chunk.offset[axis] = number % m_grid[axis] * m_dataset.chunkShape[axis];
            number /= m_grid[axis];
        }
        m_dataset.chunks.push_back(std::move(chunk));
    }

    void readSingle(std::uint64_t at, unsigned flags) {
        constexpr unsigned isFiltered = 2;
        std::uint64_t bytes = m_chunkBytes;
        std::uint32_t skipped = 0;
        if ((flags & isFiltered) != 0) {
            bytes = m_file.takeLength(at);
            skipped = static_cast<std::uint32_t>(m_file.take(at, 4));
        }
        add(0, m_file.takeAddress(at), bytes, skipped);
    }

    void readImplicit(std::uint64_t address) {
        if (address == undefined) return;
        std::uint64_t count = 1;
        for (const std::uint64_t side : m_grid) count = side == 0 || count > m_chunksLeft / side ? m_chunksLeft + 1 : count * side;
        if (!m_file.reader().canHold(m_file.filePosition(address), count, std::max<std::uint64_t>(m_chunkBytes, 1)))
            return m_file.reader().reject();
        for (std::uint64_t i = 0; i < count && m_file.reader().good(); ++i) add(i, address + i * m_chunkBytes, m_chunkBytes, 0);
    }

    // A header that leads to one block of entries, which is divided into pages where it is long.
    void readFixed(std::uint64_t address) {
        if (address == undefined) return;
        std::uint64_t at = m_file.filePosition(address);
        if (!m_file.reader().hasText(at, "FAHD")) return m_file.reader().reject();
        at += 4 + 1;
        const bool isFiltered = m_file.take(at, 1) == 1;
        const auto entryBytes = static_cast<unsigned>(m_file.take(at, 1));
        const std::uint64_t pageBits = m_file.take(at, 1);
        const std::uint64_t count = m_file.takeLength(at);
        const std::uint64_t block = m_file.takeAddress(at);
        if (block == undefined) return;
        at = m_file.filePosition(block);
        const unsigned sizeBytes = entryBytes - (isFiltered ? m_file.offsetBytes() + 4 : 0);
        if (!m_file.reader().hasText(at, "FADB") || pageBits > 32 || entryBytes < m_file.offsetBytes() ||
            (isFiltered && sizeBytes > 8) || !m_file.reader().canHold(at, count, entryBytes))
            return m_file.reader().reject();
        at += 4 + 1 + 1 + m_file.offsetBytes();
        const std::uint64_t page = std::uint64_t{1} << pageBits;
        const bool isPaged = count > page;
        constexpr std::uint64_t checksum = 4;
        std::uint64_t bitmap = at;
        if (isPaged) at += ((count + page - 1) / page + 7) / 8 + checksum;
        for (std::uint64_t i = 0; i < count && m_file.reader().good(); ++i) {
            if (isPaged && i % page == 0) {
                if (i != 0) at += checksum;
                const std::uint64_t number = i / page;
                const bool isWritten = (m_file.reader().read<std::uint8_t>(bitmap + number / 8) >> (7 - number % 8) & 1) != 0;
                if (!isWritten) {
                    const std::uint64_t skipped = std::min(page, count - i);
                    at += skipped * entryBytes;
                    i += skipped - 1;
                    continue;
                }
            }
            const std::uint64_t chunk = m_file.takeAddress(at);
            const std::uint64_t bytes = isFiltered ? m_file.take(at, sizeBytes) : m_chunkBytes;
            const auto mask = static_cast<std::uint32_t>(isFiltered ? m_file.take(at, 4) : 0);
            add(i, chunk, bytes, mask);
        }
    }

    // Records: address, for filtered chunks their bytes and mask, then the position in the grid.
    void readTree(std::uint64_t address) {
        if (address == undefined) return;
        const std::size_t rank = m_grid.size();
        eachRecord(m_file, address, [&](std::uint64_t at, unsigned bytes) {
            const std::uint64_t plain = m_file.offsetBytes() + 8 * rank;
            Chunk chunk;
            const std::uint64_t place = m_file.takeAddress(at);
            chunk.bytes = m_chunkBytes;
            if (bytes > plain + 4) {
                chunk.bytes = m_file.take(at, static_cast<unsigned>(bytes - plain - 4));
                chunk.skipped = static_cast<std::uint32_t>(m_file.take(at, 4));
            }
            for (std::size_t axis = 0; axis < rank; ++axis) {
                const auto offset = checked::mul(m_file.take(at, 8), m_dataset.chunkShape[axis]);
                if (!offset) return m_file.reader().reject();
                chunk.offset.push_back(*offset);
            }
            if (place == undefined) return;
            if (m_chunksLeft-- == 0) return m_file.reader().reject();
            chunk.position = m_file.filePosition(place);
            m_dataset.chunks.push_back(std::move(chunk));
        });
    }

    File& m_file;
    Dataset& m_dataset;
    std::uint64_t& m_chunksLeft;
    std::uint64_t m_chunkBytes = 0;
    std::vector<std::uint64_t> m_grid; // chunks along each axis
};

} // namespace

void readChunkTree(File& file, std::uint64_t address, Dataset& dataset, std::uint64_t& chunksLeft) {
    if (address != undefined) ChunkTree(file, dataset, chunksLeft).readNode(address, 0);
}

void readChunks(File& file, std::uint64_t at, unsigned indexType, unsigned flags, Dataset& dataset, std::uint64_t& chunksLeft) {
    ChunkIndex(file, dataset, chunksLeft).read(at, indexType, flags);
}

} // namespace wb::hdf5
