// SPDX-License-Identifier: MIT
#include "core/formats/zarr/unpack.h"

#include "core/formats/zarr/zarr.h"

#include <algorithm>
#include <cstring>

namespace wb::zarr {
namespace {

using Sides = std::vector<std::uint64_t>;

enum class ChunkKind : std::uint8_t { Missing, Place, Inlined };

struct Chunk {
    ChunkKind kind = ChunkKind::Missing;
    std::uint64_t offset = 0; // in the joined sources
    std::uint64_t length = 0;
    std::span<const std::byte> inlined;
};

// Whether the elements of a chunk are its bytes as they are.
bool isPlainBytes(const ArrayMeta& meta) {
    return std::ranges::all_of(meta.codecs, [&](const Codec& codec) {
        return (codec.kind == Codec::Kind::Bytes && (!codec.isBigEndian || elementBytes(meta.dtype) == 1)) ||
               (codec.kind == Codec::Kind::Transpose && (codec.order.empty() || meta.shape.size() < 2));
    });
}

// Runs of one chunk each, of an array that is divided along its first axis alone.
std::optional<TensorSource> inPlace(const ArrayMeta& meta, const std::vector<const StoredValue*>& chunks) {
    if (!isPlainBytes(meta) || chunks.empty()) return std::nullopt;
    for (std::size_t axis = 0; axis < meta.shape.size(); ++axis)
        if (axis == 0 ? meta.shape[axis] % meta.chunk[axis] != 0 : meta.shape[axis] != meta.chunk[axis]) return std::nullopt;
    const std::uint64_t elements = Shape::make(meta.chunk)->elements(), bytes = elements * elementBytes(meta.dtype);
    std::vector<TensorPiece> pieces;
    for (const StoredValue* chunk : chunks) {
        if (!chunk || chunk->inlined || chunk->length != bytes) return std::nullopt;
        pieces.push_back({chunk->file, chunk->offset, elements});
    }
    if (pieces.size() == 1) return TensorSource::stored(pieces[0].file, pieces[0].offset, bytes);
    const std::uint64_t total = bytes * pieces.size();
    return TensorSource::pieces(std::move(pieces), total);
}

std::unexpected<Error> malformed(const io::ByteSource& source) {
    return fail(ErrorCode::Malformed, Reason("zarr.unpack"), About{source.name()},
                WB_TEXT("{}: the chunks of an array do not match its description; get a complete copy."), source.name());
}

// Fills `out`, the bytes of the array from `offset` on.
class Joiner {
public:
    Joiner(const io::ByteSource& source, const ArrayMeta& meta, std::uint64_t offset, std::span<std::byte> out)
        : m_source(source), m_meta(meta), m_width(elementBytes(meta.dtype)), m_offset(offset), m_out(out) {}

    void fill() {
        if (m_meta.fill.empty()) std::ranges::fill(m_out, std::byte{0});
        else
            for (std::size_t i = 0; i < m_out.size(); ++i) m_out[i] = m_meta.fill[(m_offset + i) % m_width];
    }

    Result<void> take(const Chunk& chunk, const Sides& at) {
        Sides begin, extent;
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            begin.push_back(at[axis] * m_meta.chunk[axis]);
            extent.push_back(std::min(m_meta.chunk[axis], m_meta.shape[axis] - begin.back()));
        }
        if (chunk.kind == ChunkKind::Missing || !touches(begin, extent)) return {};
        std::vector<std::byte> bytes(chunk.inlined.begin(), chunk.inlined.end());
        if (chunk.kind == ChunkKind::Place) {
            bytes.resize(chunk.length);
            WB_TRY(m_source.readAt(chunk.offset, bytes));
        }
        WB_TRY_ASSIGN(const auto values,
                      decodeChunk(std::move(bytes), m_meta.codecs, m_meta.chunk, m_width, m_meta.fill, m_source.name()));
        copy(values, begin, extent);
        return {};
    }

private:
    std::uint64_t flat(const Sides& at) const {
        std::uint64_t out = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis) out = out * m_meta.shape[axis] + at[axis];
        return out;
    }

    // Whether elements between the first and the last of the box may be wanted.
    bool touches(const Sides& begin, const Sides& extent) const {
        Sides last;
        for (std::size_t axis = 0; axis < begin.size(); ++axis) last.push_back(begin[axis] + extent[axis] - 1);
        return flat(begin) * m_width < m_offset + m_out.size() && (flat(last) + 1) * m_width > m_offset;
    }

    void copy(const std::vector<std::byte>& values, const Sides& begin, const Sides& extent) {
        const std::uint64_t run = (extent.empty() ? 1 : extent.back()) * m_width;
        Sides rows = extent, at(extent.size(), 0);
        if (!rows.empty()) rows.back() = 1;
        do {
            std::uint64_t from = 0, to = 0;
            for (std::size_t axis = 0; axis < at.size(); ++axis) {
                from = from * m_meta.chunk[axis] + at[axis];
                to = to * m_meta.shape[axis] + begin[axis] + at[axis];
            }
            copyRun(std::span(values).subspan(from * m_width, run), to * m_width);
        } while (nextPlace(at, rows));
    }

    void copyRun(std::span<const std::byte> values, std::uint64_t to) {
        if (to + values.size() <= m_offset || to >= m_offset + m_out.size()) return;
        const std::uint64_t skipped = to < m_offset ? m_offset - to : 0, place = to + skipped - m_offset;
        const std::uint64_t length = std::min<std::uint64_t>(values.size() - skipped, m_out.size() - place);
        std::memcpy(m_out.data() + place, values.data() + skipped, length);
    }

    const io::ByteSource& m_source;
    const ArrayMeta& m_meta;
    std::uint64_t m_width;
    std::uint64_t m_offset;
    std::span<std::byte> m_out;
};

} // namespace

TensorSource chunkSource(formats::Index& index, const formats::Sources& sources, const ArrayMeta& meta,
                         const std::vector<const StoredValue*>& chunks) {
    if (auto source = inPlace(meta, chunks)) return *std::move(source);
    std::vector<std::uint32_t> files;
    std::map<std::uint32_t, std::uint64_t> begins; // of a file among those joined
    std::uint64_t joined = 0;
    for (const StoredValue* chunk : chunks)
        if (chunk && !chunk->inlined && begins.emplace(chunk->file, joined).second) {
            files.push_back(chunk->file);
            joined += sources[chunk->file]->size();
        }
    if (files.empty()) files.push_back(0); // the task needs a source, though it reads none
    worker::WireWriter spec;
    writeMeta(spec, meta);
    spec.u64(chunks.size());
    for (const StoredValue* chunk : chunks) {
        const ChunkKind kind = !chunk ? ChunkKind::Missing : chunk->inlined ? ChunkKind::Inlined : ChunkKind::Place;
        spec.u8(static_cast<std::uint8_t>(kind));
        if (kind == ChunkKind::Inlined) spec.bytes(*chunk->inlined);
        if (kind == ChunkKind::Place) spec.u64(begins[chunk->file] + chunk->offset), spec.u64(chunk->length);
    }
    const std::uint64_t elements = Shape::make(meta.shape)->elements();
    const std::uint64_t bytes = elements * elementBytes(meta.dtype);
    return TensorSource::stored(index.addUnpacked(files, spec.take(), bytes), 0, bytes);
}

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    worker::WireReader in(spec);
    const ArrayMeta meta = readMetaMessage(in);
    const auto grid = in.good() ? chunkGrid(meta) : std::nullopt;
    if (!grid) return malformed(source);
    std::uint64_t chunks = Shape::make(meta.shape)->elements() == 0 ? 0 : 1;
    for (const std::uint64_t side : *grid) chunks *= side;
    const std::uint64_t bytes = Shape::make(meta.shape)->elements() * elementBytes(meta.dtype);
    if (in.count(1) != chunks || !io::Extent::make(bytes, offset, out.size())) return malformed(source);
    Joiner joiner(source, meta, offset, out);
    joiner.fill();
    Sides at(grid->size(), 0);
    for (std::uint64_t i = 0; i < chunks; ++i) {
        Chunk chunk;
        const std::uint8_t kind = in.u8();
        if (kind > static_cast<std::uint8_t>(ChunkKind::Inlined)) return malformed(source);
        chunk.kind = static_cast<ChunkKind>(kind);
        if (chunk.kind == ChunkKind::Inlined) chunk.inlined = in.bytes();
        if (chunk.kind == ChunkKind::Place) {
            chunk.offset = in.u64();
            chunk.length = in.u64();
            if (!io::Extent::make(source.size(), chunk.offset, chunk.length)) return malformed(source);
        }
        if (!in.good()) return malformed(source);
        WB_TRY(joiner.take(chunk, at));
        (void)nextPlace(at, *grid);
    }
    return {};
}

} // namespace wb::zarr
