// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/formats/hdf5/file.h"
#include "core/model/fragments.h"

#include <fmt/format.h>

namespace wb::hdf5 {
namespace {

enum MessageType : std::uint16_t {
    DataspaceMessage = 1,
    DatatypeMessage = 3,
    OldFillMessage = 4,
    FillMessage = 5,
    ExternalMessage = 7,
    LayoutMessage = 8,
    FilterMessage = 0x0B
};

void readFill(File& file, const Message& message, Dataset& dataset) {
    std::uint64_t at = message.begin;
    std::uint64_t bytes = 0;
    if (message.type == OldFillMessage) {
        bytes = file.take(at, 4);
    } else {
        const std::uint64_t version = file.take(at, 1);
        if (version >= 3) {
            if ((file.take(at, 1) & 0x20) == 0) return;
        } else {
            at += 2; // when space is taken and filled
            if (file.take(at, 1) == 0) return;
        }
        bytes = file.take(at, 4);
    }
    constexpr std::uint64_t longest = 64;
    if (bytes == 0 || bytes > longest || !file.reader().canHold(at, bytes, 1)) return;
    dataset.fill.resize(bytes);
    file.reader().fill(at, dataset.fill);
}

void readFilters(File& file, const Message& message, Dataset& dataset) {
    std::uint64_t at = message.begin;
    const std::uint64_t version = file.take(at, 1), count = file.take(at, 1);
    if (version == 1) at += 6;
    if (version == 0 || version > 2 || count > 32) return file.reader().reject();
    for (std::uint64_t i = 0; i < count && file.reader().good(); ++i) {
        Filter filter;
        filter.id = static_cast<std::uint32_t>(file.take(at, 2));
        const bool hasName = version == 1 || filter.id >= 256;
        std::uint64_t nameBytes = hasName ? file.take(at, 2) : 0;
        at += 2; // flags
        const std::uint64_t values = file.take(at, 2);
        if (version == 1) nameBytes = (nameBytes + 7) / 8 * 8;
        filter.name = file.reader().text(at, nameBytes, 256);
        filter.name = filter.name.c_str(); // up to the first NUL
        at += nameBytes;
        if (values > 0) {
            std::uint64_t first = at;
            filter.firstValue = static_cast<std::uint32_t>(file.take(first, 4));
        }
        at += 4 * values + (version == 1 && values % 2 != 0 ? 4 : 0);
        dataset.filters.push_back(std::move(filter));
    }
}

class LayoutReader {
public:
    LayoutReader(File& file, Dataset& dataset, std::uint64_t& chunksLeft)
        : m_file(file), m_dataset(dataset), m_chunksLeft(chunksLeft) {}

    void read(const Message& message) {
        std::uint64_t at = message.begin;
        const std::uint64_t version = m_file.take(at, 1);
        if (version == 1 || version == 2) return readOld(at);
        if (version < 3 || version > 5) return m_file.reader().reject(); // 5 is 4 with wider sizes, which its indices name
        switch (m_file.take(at, 1)) {
        case 0: {
            m_dataset.layout = Dataset::Layout::Compact;
            m_dataset.bytes = m_file.take(at, 2);
            m_dataset.position = at;
            return;
        }
        case 1: {
            m_dataset.layout = Dataset::Layout::Contiguous;
            place(m_file.takeAddress(at));
            m_dataset.bytes = m_file.takeLength(at);
            return;
        }
        case 2: return version == 3 ? readChunked(at) : readNewChunked(at);
        default: m_dataset.why = WB_TEXT("they are assembled from other datasets"); // a virtual dataset
        }
    }

private:
    void place(std::uint64_t address) { m_dataset.position = address == undefined ? 0 : m_file.filePosition(address); }

    // One more dimension than the dataset has: the bytes of an element.
    bool takeChunkShape(std::uint64_t& at, std::uint64_t rank, unsigned bytes) {
        if (rank < 1 || rank > 33) {
            m_file.reader().reject();
            return false;
        }
        for (std::uint64_t i = 0; i < rank; ++i) m_dataset.chunkShape.push_back(m_file.take(at, bytes));
        m_dataset.chunkShape.pop_back();
        m_dataset.layout = Dataset::Layout::Chunked;
        return m_file.reader().good();
    }

    void readOld(std::uint64_t at) {
        const std::uint64_t rank = m_file.take(at, 1), kind = m_file.take(at, 1);
        at += 5;
        const std::uint64_t address = kind == 0 ? undefined : m_file.takeAddress(at);
        if (kind == 2) {
            if (takeChunkShape(at, rank, 4)) readChunkTree(m_file, address, m_dataset, m_chunksLeft);
            return;
        }
        std::uint64_t bytes = 0;
        at += 4 * rank; // the dimensions again
        if (kind == 0) bytes = m_file.take(at, 4);
        m_dataset.layout = kind == 0 ? Dataset::Layout::Compact : Dataset::Layout::Contiguous;
        if (kind == 0) m_dataset.position = at;
        else place(address);
        m_dataset.bytes = bytes; // contiguous: what the shape needs, which the caller knows
    }

    void readChunked(std::uint64_t at) {
        const std::uint64_t rank = m_file.take(at, 1);
        const std::uint64_t address = m_file.takeAddress(at);
        if (takeChunkShape(at, rank, 4)) readChunkTree(m_file, address, m_dataset, m_chunksLeft);
    }

    void readNewChunked(std::uint64_t at) {
        const auto flags = static_cast<unsigned>(m_file.take(at, 1));
        const std::uint64_t rank = m_file.take(at, 1);
        const auto bytes = static_cast<unsigned>(m_file.take(at, 1));
        if (bytes == 0 || bytes > 8) return m_file.reader().reject();
        if (!takeChunkShape(at, rank, bytes)) return;
        const auto index = static_cast<unsigned>(m_file.take(at, 1));
        readChunks(m_file, at, index, flags, m_dataset, m_chunksLeft);
    }

    File& m_file;
    Dataset& m_dataset;
    std::uint64_t& m_chunksLeft;
};

// Bytes of the whole dataset; empty where they overflow.
std::optional<std::uint64_t> datasetBytes(const Dataset& dataset) {
    std::optional<std::uint64_t> bytes = dataset.type.bytes;
    for (const std::uint64_t side : dataset.shape)
        if (side == 0) return 0;
    for (const std::uint64_t side : dataset.shape)
        if (bytes) bytes = checked::mul(*bytes, side);
    return bytes;
}

void judge(Dataset& dataset) {
    for (const Filter& filter : dataset.filters)
        if (filter.id != deflateFilter && filter.id != shuffleFilter && filter.id != fletcherFilter && dataset.why.empty())
            dataset.why = fragmentText(fragment::filter, filter.name.empty() ? std::to_string(filter.id) : filter.name);
    const auto bytes = datasetBytes(dataset);
    constexpr std::uint64_t large = 4ull << 30, maxPerByte = 1000;
    std::uint64_t stored = dataset.layout == Dataset::Layout::Chunked ? 0 : dataset.bytes;
    for (const Chunk& chunk : dataset.chunks) stored += chunk.bytes;
    // A shape bomb: a few bytes that claim to be gigabytes.
    if (!bytes || (*bytes > large && *bytes / maxPerByte > stored)) dataset.why = WB_TEXT("its shape is implausible for its size");
    if (dataset.layout == Dataset::Layout::None && dataset.why.empty())
        dataset.why = WB_TEXT("the file does not specify their location");
    if (dataset.layout == Dataset::Layout::Contiguous && bytes) {
        if (dataset.bytes == 0) dataset.bytes = *bytes;
        if (dataset.bytes < *bytes) dataset.why = WB_TEXT("they are truncated");
        dataset.bytes = *bytes;
    }
    if (dataset.layout == Dataset::Layout::Compact && bytes && dataset.bytes < *bytes) dataset.why = WB_TEXT("they are truncated");
    if (dataset.layout == Dataset::Layout::Chunked && dataset.chunkShape.size() != dataset.shape.size())
        dataset.why = WB_TEXT("its chunks do not match its shape");
}

} // namespace

bool readDataset(File& file, const std::vector<Message>& messages, Dataset& dataset, std::uint64_t& chunksLeft) {
    bool hasLayout = false, hasType = false;
    const Message* layout = nullptr;
    for (const Message& given : messages) {
        if (given.type != DataspaceMessage && given.type != DatatypeMessage && given.type != OldFillMessage &&
            given.type != FillMessage && given.type != ExternalMessage && given.type != LayoutMessage &&
            given.type != FilterMessage)
            continue;
        const auto message = resolved(file, given);
        if (!message) {
            dataset.why = WB_TEXT("part of its description is shared in an unsupported way");
            continue;
        }
        std::uint64_t at = message->begin;
        switch (given.type) {
        case DataspaceMessage: {
            auto shape = readDataspace(file, at);
            if (shape) dataset.shape = std::move(*shape);
            else dataset.shape = {0}; // a dataset without elements
            break;
        }
        case DatatypeMessage:
            dataset.type = readType(file, at);
            hasType = true;
            break;
        case OldFillMessage:
        case FillMessage: readFill(file, *message, dataset); break;
        case ExternalMessage: dataset.why = WB_TEXT("they are in another file, which is not opened"); break;
        case LayoutMessage: layout = &given; break;
        case FilterMessage: readFilters(file, *message, dataset); break;
        default: break;
        }
    }
    if (layout) {
        hasLayout = true;
        LayoutReader(file, dataset, chunksLeft).read(*layout);
    }
    if (hasType && hasLayout) judge(dataset);
    return hasType && hasLayout;
}

} // namespace wb::hdf5
