// SPDX-License-Identifier: MIT
#include "core/formats/zarr/chunk.h"

#include "core/formats/stream/stream.h"

#include <algorithm>
#include <array>

namespace wb::zarr {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t headBytes = 16;

std::unexpected<Error> damagedBuffer(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("zarr.blosc"), About{name},
                WB_TEXT("{}: a chunk compressed by blosc is damaged; get a complete copy."), name);
}

std::uint32_t load32(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

void append32(Bytes& out, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> 8 * i & 0xFF));
}

// A block of LZ4 in a frame, which core/formats/stream reads.
Bytes inFrame(std::span<const std::byte> block) {
    Bytes frame;
    append32(frame, 0x184D2204);
    for (const unsigned byte : {0x60u, 0x70u, 0u}) frame.push_back(static_cast<std::byte>(byte));
    append32(frame, static_cast<std::uint32_t>(block.size()));
    frame.insert(frame.end(), block.begin(), block.end());
    append32(frame, 0);
    return frame;
}

enum class Compressor : std::uint8_t { BloscLz = 0, Lz4 = 1, Snappy = 2, Zlib = 3, Zstd = 4 };

Result<Bytes> unpackPart(std::span<const std::byte> part, Compressor compressor, std::uint64_t bytes, const std::string& name) {
    using stream::StreamKind;
    const auto run = [&](Bytes content, StreamKind kind) {
        const io::MemorySource source(name, std::move(content));
        return stream::unpack(source, kind, bytes, {});
    };
    switch (compressor) {
    case Compressor::Lz4: return run(inFrame(part), StreamKind::Lz4);
    case Compressor::Zlib: return run(Bytes(part.begin(), part.end()), StreamKind::Zlib);
    case Compressor::Zstd: return run(Bytes(part.begin(), part.end()), StreamKind::Zstd);
    default: break;
    }
    return fail(ErrorCode::Unsupported, Reason("zarr.codec"), About{name},
                WB_TEXT("{}: a chunk is compressed by an unsupported codec."), name);
}

// Bytes of equal rank in their elements stand together. What fills no element is left as it is.
Bytes unshuffled(const Bytes& block, std::size_t width) {
    Bytes out(block.size());
    const std::size_t elements = block.size() / width;
    for (std::size_t byte = 0; byte < width; ++byte)
        for (std::size_t i = 0; i < elements; ++i) out[i * width + byte] = block[byte * elements + i];
    std::copy(block.begin() + static_cast<std::ptrdiff_t>(elements * width), block.end(),
              out.begin() + static_cast<std::ptrdiff_t>(elements * width));
    return out;
}

// The same with bits, of whole eights of elements.
Bytes bitUnshuffled(const Bytes& block, std::size_t width) {
    Bytes out(block);
    const std::size_t elements = block.size() / width / 8 * 8;
    if (elements == 0) return out;
    std::fill_n(out.begin(), elements * width, std::byte{0});
    for (std::size_t bit = 0; bit < width * 8; ++bit)
        for (std::size_t i = 0; i < elements; ++i) {
            const auto set = std::to_integer<unsigned>(block[bit * (elements / 8) + i / 8]) >> i % 8 & 1;
            out[i * width + bit / 8] |= static_cast<std::byte>(set << bit % 8);
        }
    return out;
}

struct Head {
    unsigned flags = 0;
    std::size_t width = 1;
    std::uint64_t bytes = 0, blockBytes = 0;
};

Result<Bytes> unpackBlock(std::span<const std::byte> in, const Head& head, std::uint64_t bytes, bool isLast,
                          const std::string& name) {
    constexpr unsigned dontSplit = 0x10;
    constexpr std::size_t maxSplits = 16, smallest = 128;
    const bool isSplit = (head.flags & dontSplit) == 0 && head.width <= maxSplits && bytes / head.width >= smallest && !isLast;
    const std::size_t parts = isSplit ? head.width : 1;
    Bytes block;
    for (std::size_t part = 0; part < parts; ++part) {
        if (in.size() < 4) return damagedBuffer(name);
        const std::uint32_t packed = load32(in, 0);
        in = in.subspan(4);
        if (packed > in.size()) return damagedBuffer(name);
        const auto content = in.first(packed);
        in = in.subspan(packed);
        if (packed == bytes / parts) {
            block.insert(block.end(), content.begin(), content.end());
            continue;
        }
        WB_TRY_ASSIGN(const Bytes plain, unpackPart(content, static_cast<Compressor>(head.flags >> 5), bytes / parts, name));
        block.insert(block.end(), plain.begin(), plain.end());
    }
    if (block.size() != bytes) return damagedBuffer(name);
    if ((head.flags & 1) != 0 && head.width > 1) return unshuffled(block, head.width);
    if ((head.flags & 4) != 0) return bitUnshuffled(block, head.width);
    return block;
}

} // namespace

// version, version of the codec, flags, size of an element, u32 bytes unpacked, u32 bytes of a block, u32 bytes packed; then a u32
// position for each block.
Result<Bytes> unpackBlosc(std::span<const std::byte> bytes, std::uint64_t most, const std::string& name) {
    constexpr unsigned isCopy = 2;
    if (bytes.size() < headBytes) return damagedBuffer(name);
    const Head head{std::to_integer<unsigned>(bytes[2]), std::max<std::size_t>(std::to_integer<std::size_t>(bytes[3]), 1),
                    load32(bytes, 4), load32(bytes, 8)};
    if (head.bytes > most || (head.blockBytes == 0 && head.bytes != 0)) return damagedBuffer(name);
    if ((head.flags & isCopy) != 0) {
        if (bytes.size() - headBytes < head.bytes) return damagedBuffer(name);
        const auto begin = bytes.begin() + headBytes;
        return Bytes(begin, begin + static_cast<std::ptrdiff_t>(head.bytes));
    }
    const std::uint64_t blocks = head.bytes == 0 ? 0 : (head.bytes - 1) / head.blockBytes + 1;
    if (blocks > (bytes.size() - headBytes) / 4) return damagedBuffer(name);
    Bytes out;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const std::uint32_t begin = load32(bytes, headBytes + i * 4);
        if (begin > bytes.size()) return damagedBuffer(name);
        const std::uint64_t rest = head.bytes - i * head.blockBytes, own = std::min(rest, head.blockBytes);
        WB_TRY_ASSIGN(const Bytes block, unpackBlock(bytes.subspan(begin), head, own, own < head.blockBytes, name));
        out.insert(out.end(), block.begin(), block.end());
    }
    return out;
}

} // namespace wb::zarr
