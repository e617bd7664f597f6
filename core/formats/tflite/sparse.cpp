// SPDX-License-Identifier: MIT
#include "core/formats/tflite/sparse.h"

#include "core/base/checked.h"
#include "core/formats/tflite/tflite.h"

#include <algorithm>
#include <cstring>

namespace wb::tflite {
namespace {

constexpr std::uint64_t maxDense = 4ull << 30;

// DimensionMetadata and the unions of index vectors, by the numbers of the schema.
constexpr std::int8_t dense = 0, sparseCsr = 1;
constexpr unsigned traversalSlot = 0, blockMapSlot = 1, dimensionsSlot = 2;
constexpr unsigned formatSlot = 0, denseSizeSlot = 1, segmentsTypeSlot = 2, segmentsSlot = 3, indicesTypeSlot = 4, indicesSlot = 5;

struct Numbers {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0; // of one
};

// Int32Vector, Uint16Vector or Uint8Vector.
std::optional<Numbers> indexVector(const flat::Table& dimension, unsigned typeSlot, unsigned slot) {
    const auto type = dimension.number<std::uint8_t>(typeSlot);
    const std::uint64_t bytes = type == 1 ? 4 : type == 2 ? 2 : type == 3 ? 1 : 0;
    const flat::Table vector = dimension.table(slot);
    if (bytes == 0 || !vector.isThere()) return std::nullopt;
    const flat::Vector list = vector.vector(0, bytes);
    return Numbers{list.begin, list.count, bytes};
}

bool isIdentity(const std::vector<std::int32_t>& order, std::size_t rank) {
    if (order.size() != rank) return false;
    for (std::size_t i = 0; i < rank; ++i)
        if (order[i] != static_cast<std::int32_t>(i)) return false;
    return true;
}

// Whether all dimensions but the last are stored in full.
bool isDenseBeforeLast(const flat::Table& sparsity, const flat::Vector& dimensions, const Shape& shape) {
    for (std::uint64_t i = 0; i + 1 < dimensions.count; ++i) {
        const flat::Table dimension = sparsity.tableAt(dimensions, i);
        if (dimension.number<std::int8_t>(formatSlot) != dense) return false;
        const auto size = dimension.number<std::int32_t>(denseSizeSlot);
        if (size < 0 || static_cast<std::uint64_t>(size) != shape[i]) return false;
    }
    return true;
}

// The numbers `first` to `first + count` of a list in the file.
Result<std::vector<std::uint64_t>> readNumbers(const io::ByteSource& file, std::uint64_t begin, std::uint64_t bytes,
                                               std::uint64_t first, std::uint64_t count) {
    std::vector<std::byte> raw(count * bytes);
    WB_TRY(file.readAt(begin + first * bytes, raw));
    std::vector<std::uint64_t> out(count);
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(&out[i], raw.data() + i * bytes, bytes); // little-endian, zeros above
    return out;
}

std::unexpected<Error> malformed(const io::ByteSource& file) {
    return fail(ErrorCode::Malformed, Reason("tflite.sparse"), About{file.name()},
                WB_TEXT("{}: the positions of the elements of a sparse tensor are invalid; get a complete copy."), file.name());
}

// Writes the part of the rows `first` to `last` that is in `out`, which starts at byte `offset` of the dense tensor.
Result<void> expandRows(const io::ByteSource& file, const SparseRows& rows, std::uint64_t first, std::uint64_t last,
                        std::uint64_t offset, std::span<std::byte> out) {
    WB_TRY_ASSIGN(const auto begins, readNumbers(file, rows.segments, rows.segmentBytes, first, last - first + 1));
    if (!std::ranges::is_sorted(begins) || begins.back() > rows.count) return malformed(file);
    const std::uint64_t count = begins.back() - begins.front();
    WB_TRY_ASSIGN(const auto columns, readNumbers(file, rows.indices, rows.indexBytes, begins.front(), count));
    std::vector<std::byte> values(count * rows.elementBytes);
    WB_TRY(file.readAt(rows.values + begins.front() * rows.elementBytes, values));
    for (std::uint64_t row = first; row < last; ++row) {
        for (std::uint64_t i = begins[row - first] - begins.front(); i < begins[row - first + 1] - begins.front(); ++i) {
            if (columns[i] >= rows.columns) return malformed(file);
            const std::uint64_t at = (row * rows.columns + columns[i]) * rows.elementBytes;
            for (std::uint64_t byte = 0; byte < rows.elementBytes; ++byte)
                if (at + byte >= offset && at + byte - offset < out.size())
                    out[at + byte - offset] = values[i * rows.elementBytes + byte];
        }
    }
    return {};
}

} // namespace

std::optional<SparseRows> readSparsity(const flat::Table& sparsity, const Shape& shape, std::uint64_t elementBytes,
                                       const TensorPlace& values, const io::ByteSource& file) {
    const std::size_t rank = shape.rank();
    const flat::Vector dimensions = sparsity.vector(dimensionsSlot, 4);
    const bool isPlain = rank > 0 && dimensions.count == rank && sparsity.vector(blockMapSlot, 4).count == 0 &&
                         isIdentity(sparsity.numbers<std::int32_t>(traversalSlot, Shape::maximumRank), rank) &&
                         isDenseBeforeLast(sparsity, dimensions, shape);
    if (!isPlain || elementBytes == 0 || values.bytes % elementBytes != 0) return std::nullopt;
    const flat::Table last = sparsity.tableAt(dimensions, rank - 1);
    const auto segments = indexVector(last, segmentsTypeSlot, segmentsSlot),
               indices = indexVector(last, indicesTypeSlot, indicesSlot);
    if (last.number<std::int8_t>(formatSlot) != sparseCsr || !segments || !indices) return std::nullopt;
    SparseRows out;
    out.columns = shape[rank - 1];
    out.rows = out.columns == 0 ? 0 : shape.elements() / out.columns;
    out.elementBytes = elementBytes;
    out.values = *values.offset;
    out.count = values.bytes / elementBytes;
    out.segments = segments->begin, out.segmentBytes = segments->bytes;
    out.indices = indices->begin, out.indexBytes = indices->bytes;
    const auto bytes = checked::mul(shape.elements(), elementBytes);
    const bool fits = bytes && *bytes <= maxDense && segments->count == out.rows + 1 && indices->count == out.count &&
                      io::Extent::make(file.size(), segments->begin, segments->count * segments->bytes) &&
                      io::Extent::make(file.size(), indices->begin, indices->count * indices->bytes);
    return fits ? std::optional(out) : std::nullopt;
}

std::uint32_t addDense(formats::Index& index, const SparseRows& rows) {
    worker::WireWriter spec;
    for (const std::uint64_t number : {rows.rows, rows.columns, rows.elementBytes, rows.values, rows.count, rows.segments,
                                       rows.segmentBytes, rows.indices, rows.indexBytes})
        spec.u64(number);
    return index.addUnpacked(0, spec.take(), rows.denseBytes());
}

// The spec comes from the parent; its places were checked when it was made, and reading beyond the file fails.
Result<void> unpack(const io::ByteSource& file, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    worker::WireReader in(spec);
    SparseRows rows;
    for (std::uint64_t* number : {&rows.rows, &rows.columns, &rows.elementBytes, &rows.values, &rows.count, &rows.segments,
                                  &rows.segmentBytes, &rows.indices, &rows.indexBytes})
        *number = in.u64();
    const bool isWidth = rows.segmentBytes <= 4 && rows.indexBytes <= 4 && rows.elementBytes <= 16;
    if (!in.good() || !isWidth || !io::Extent::make(rows.denseBytes(), offset, out.size())) return malformed(file);
    std::ranges::fill(out, std::byte{0});
    if (out.empty()) return {};
    const std::uint64_t rowBytes = rows.columns * rows.elementBytes;
    return expandRows(file, rows, offset / rowBytes, (offset + out.size() - 1) / rowBytes + 1, offset, out);
}

} // namespace wb::tflite
