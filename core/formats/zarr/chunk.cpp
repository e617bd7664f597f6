// SPDX-License-Identifier: MIT
#include "core/formats/zarr/chunk.h"

#include "core/base/checked.h"
#include "core/formats/stream/stream.h"
#include "core/formats/table/table.h"

#include <algorithm>
#include <cstring>

namespace wb::zarr {
namespace {

using Bytes = std::vector<std::byte>;
using Sides = std::vector<std::uint64_t>;

std::unexpected<Error> damaged(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("zarr.chunk"), About{name},
                WB_TEXT("{}: a chunk of an array is damaged or has another size; get a complete copy."), name);
}

std::uint64_t product(const Sides& sides) {
    std::uint64_t out = 1;
    for (const std::uint64_t side : sides) out *= side; // of a chunk, which was checked
    return out;
}

// Compressed data are at most a little longer than their content.
std::uint64_t packedBound(std::uint64_t bytes) { return bytes + bytes / 8 + (1 << 16); }

std::uint64_t load(std::span<const std::byte> bytes, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
    return value;
}

Result<Bytes> unstream(Bytes bytes, stream::StreamKind kind, std::uint64_t most, const std::string& name) {
    const io::MemorySource source(name, std::move(bytes));
    return stream::unpack(source, kind, most, {});
}

Result<Bytes> stripSum(Bytes bytes, const std::string& name) {
    if (bytes.size() < 4) return damaged(name);
    const std::span content = std::span(bytes).first(bytes.size() - 4);
    if (table::crc32c(content) != load(bytes, content.size(), 4)) return damaged(name);
    bytes.resize(content.size());
    return bytes;
}

// Axis i of the stored array is axis order[i] of the chunk.
Bytes untransposed(const Bytes& bytes, const std::vector<std::uint32_t>& order, const Sides& shape, std::uint64_t width) {
    Bytes out(bytes.size());
    Sides stored, strides(shape.size(), 0), at(shape.size(), 0);
    for (const std::uint32_t axis : order) stored.push_back(shape[axis]);
    std::uint64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) strides[axis] = stride;
    if (bytes.empty()) return out;
    std::uint64_t from = 0;
    do {
        std::uint64_t to = 0;
        for (std::size_t i = 0; i < order.size(); ++i) to += at[i] * strides[order[i]];
        std::memcpy(out.data() + to * width, bytes.data() + from * width, width);
        ++from;
    } while (nextPlace(at, stored));
    return out;
}

void swapBytes(Bytes& bytes, std::uint64_t width) {
    for (std::size_t i = 0; i + width <= bytes.size(); i += width) std::ranges::reverse(std::span(bytes).subspan(i, width));
}

// A shard: chunks one after another, and an index of the place and length of each, all ones for a missing one.
Result<Bytes> decodeShard(const Bytes& bytes, const Codec& codec, const Sides& shape, std::uint64_t width,
                          std::span<const std::byte> fill, const std::string& name, unsigned depth) {
    Sides grid;
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] % codec.inner[axis] != 0) return damaged(name);
        grid.push_back(shape[axis] / codec.inner[axis]);
        count *= grid.back();
    }
    const std::uint64_t indexBytes = count * 16 + codec.indexTail;
    if (bytes.size() < indexBytes) return damaged(name);
    const std::uint64_t indexAt = codec.isIndexFirst ? 0 : bytes.size() - indexBytes;
    Bytes out(product(shape) * width);
    for (std::uint64_t i = 0; !fill.empty() && i < out.size(); i += width)
        std::copy(fill.begin(), fill.end(), out.begin() + static_cast<std::ptrdiff_t>(i));
    if (count == 0) return out;
    Sides at(grid.size(), 0);
    const Sides origin(grid.size(), 0);
    std::uint64_t chunk = 0;
    do {
        const std::uint64_t offset = load(bytes, indexAt + chunk * 16, 8), length = load(bytes, indexAt + chunk * 16 + 8, 8);
        ++chunk;
        if (offset == ~std::uint64_t{0} && length == ~std::uint64_t{0}) continue;
        if (!io::Extent::make(bytes.size(), offset, length)) return damaged(name);
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
        WB_TRY_ASSIGN(const Bytes values, decodeChunk(Bytes(begin, begin + static_cast<std::ptrdiff_t>(length)), codec.codecs,
                                                      codec.inner, width, fill, name, depth + 1));
        Sides to;
        for (std::size_t axis = 0; axis < at.size(); ++axis) to.push_back(at[axis] * codec.inner[axis]);
        copyBox(values, {codec.inner, origin}, out, {shape, to}, codec.inner, width);
    } while (nextPlace(at, grid));
    return out;
}

} // namespace

bool nextPlace(Sides& at, std::span<const std::uint64_t> sides) {
    for (std::size_t axis = at.size(); axis-- > 0;) {
        if (++at[axis] < sides[axis]) return true;
        at[axis] = 0;
    }
    return false;
}

void copyBox(std::span<const std::byte> from, const Box& source, std::span<std::byte> to, const Box& target, const Sides& extent,
             std::uint64_t width) {
    if (std::ranges::find(extent, 0u) != extent.end()) return;
    if (extent.empty()) {
        std::memcpy(to.data(), from.data(), width);
        return;
    }
    const auto flat = [](const Box& box, const Sides& offset) {
        std::uint64_t at = 0;
        for (std::size_t axis = 0; axis < offset.size(); ++axis) at = at * box.shape[axis] + box.at[axis] + offset[axis];
        return at;
    };
    Sides rows(extent.begin(), extent.end());
    rows.back() = 1; // the last axis is copied in one run
    Sides at(extent.size(), 0);
    do {
        std::memcpy(to.data() + flat(target, at) * width, from.data() + flat(source, at) * width, extent.back() * width);
    } while (nextPlace(at, rows));
}

Result<Bytes> decodeChunk(Bytes bytes, const std::vector<Codec>& codecs, const Sides& shape, std::uint64_t width,
                          std::span<const std::byte> fill, const std::string& name, unsigned depth) {
    if (depth > maxCodecDepth) return damaged(name);
    const std::uint64_t wanted = product(shape) * width;
    // The sides after the array-to-array codecs.
    Sides stored = shape;
    for (const Codec& codec : codecs)
        if (codec.kind == Codec::Kind::Transpose && !codec.order.empty()) {
            Sides next;
            for (const std::uint32_t axis : codec.order) next.push_back(stored[axis]);
            stored = next;
        }
    for (std::size_t i = codecs.size(); i-- > 0;) {
        const Codec& codec = codecs[i];
        const std::uint64_t most = packedBound(wanted);
        Result<Bytes> next = Bytes();
        switch (codec.kind) {
        case Codec::Kind::Bytes:
            if (codec.isBigEndian) swapBytes(bytes, width);
            continue;
        case Codec::Kind::Transpose: {
            if (codec.order.empty()) continue;
            Sides before(stored.size());
            for (std::size_t axis = 0; axis < stored.size(); ++axis) before[codec.order[axis]] = stored[axis];
            if (bytes.size() != wanted) return damaged(name);
            bytes = untransposed(bytes, codec.order, before, width);
            stored = before;
            continue;
        }
        case Codec::Kind::Gzip: next = unstream(std::move(bytes), stream::StreamKind::Gzip, most, name); break;
        case Codec::Kind::Zlib: next = unstream(std::move(bytes), stream::StreamKind::Zlib, most, name); break;
        case Codec::Kind::Zstd: next = unstream(std::move(bytes), stream::StreamKind::Zstd, most, name); break;
        case Codec::Kind::Bzip2: next = unstream(std::move(bytes), stream::StreamKind::Bzip2, most, name); break;
        case Codec::Kind::Blosc: next = unpackBlosc(bytes, most, name); break;
        case Codec::Kind::Crc32c: next = stripSum(std::move(bytes), name); break;
        case Codec::Kind::Sharding: next = decodeShard(bytes, codec, stored, width, fill, name, depth); break;
        case Codec::Kind::Lz4:
        case Codec::Kind::Unknown:
            return fail(ErrorCode::Unsupported, Reason("zarr.codec"), About{name},
                        WB_TEXT("{}: a chunk is compressed by an unsupported codec."), name);
        }
        if (!next) return std::unexpected(std::move(next).error());
        bytes = *std::move(next);
    }
    if (bytes.size() != wanted) return damaged(name);
    return bytes;
}

} // namespace wb::zarr
