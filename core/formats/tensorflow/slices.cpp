// SPDX-License-Identifier: MIT
#include "core/formats/tensorflow/slices.h"

#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <bit>

namespace wb::tensorflow {
namespace {

using proto::Message;
using proto::Wire;

void appendText(std::string& key, const std::string& text) {
    for (const char c : text) {
        key += c;
        if (c == '\0') key += '\xFF';
        if (c == '\xFF') key += '\0';
    }
    key += '\0';
    key += '\x01';
}

// A count of bytes, then the number, highest byte first.
void appendCount(std::string& key, std::uint64_t value) {
    std::string bytes;
    for (; value != 0; value >>= 8) bytes.insert(bytes.begin(), static_cast<char>(value & 0xFF));
    key += static_cast<char>(bytes.size());
    key += bytes;
}

// The first bits are the number of following bytes, as in UTF-8; negative numbers have them inverted.
void appendSigned(std::string& key, std::int64_t value) {
    const std::uint64_t magnitude = value < 0 ? ~static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const unsigned bits = static_cast<unsigned>(std::bit_width(magnitude));
    const unsigned length = std::min(bits / 7 + 1, 10u);
    std::array<unsigned char, 10> bytes{};
    bytes.fill(value < 0 ? 0xFF : 0);
    for (unsigned i = 0; i < 8; ++i) bytes[9 - i] = static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> 8 * i);
    static constexpr unsigned char headers[11][2] = {{0, 0},    {0x80, 0}, {0xC0, 0}, {0xE0, 0},    {0xF0, 0},   {0xF8, 0},
                                                     {0xFC, 0}, {0xFE, 0}, {0xFF, 0}, {0xFF, 0x80}, {0xFF, 0xC0}};
    bytes[10 - length] ^= headers[length][0];
    if (length > 1) bytes[11 - length] ^= headers[length][1];
    key.append(reinterpret_cast<const char*>(bytes.data() + 10 - length), length);
}

// Boxes as ranges of the shape.
struct Range {
    std::vector<std::uint64_t> start, length;
};

std::optional<Range> shapeRange(const Shape& shape, const Box& box) {
    if (box.size() != shape.rank()) return std::nullopt;
    Range range;
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
        const Side& side = box[axis];
        const std::uint64_t length = side.length < 0 ? shape[axis] : static_cast<std::uint64_t>(side.length);
        if (side.start < 0 || static_cast<std::uint64_t>(side.start) > shape[axis] ||
            length > shape[axis] - static_cast<std::uint64_t>(side.start))
            return std::nullopt;
        range.start.push_back(static_cast<std::uint64_t>(side.start));
        range.length.push_back(length);
    }
    return range;
}

struct Run {
    std::uint64_t first = 0; // flat index in the whole
    TensorPiece piece;
};

// The runs of one box that are together in the whole too.
bool addRuns(const Shape& shape, std::uint64_t elementBytes, const StoredBox& box, std::vector<Run>& runs) {
    constexpr std::size_t maxRuns = 1 << 20;
    const auto range = shapeRange(shape, box.box);
    if (!range) return false;
    std::uint64_t elements = 1;
    for (const std::uint64_t length : range->length) elements *= length; // at most those of the shape
    if (checked::mul(elements, elementBytes) != box.bytes) return false;
    if (elements == 0) return true;
    std::size_t joined = shape.rank(); // from this axis on the box has all of the whole
    std::uint64_t run = 1;
    while (joined > 0 && range->length[joined - 1] == shape[joined - 1]) run *= shape[--joined];
    if (joined > 0) run *= range->length[--joined]; // of this axis a part that is together
    if (elements / run > maxRuns - std::min(runs.size(), maxRuns)) return false;
    std::vector<std::uint64_t> at(joined, 0);
    for (std::uint64_t done = 0; done < elements; done += run) {
        std::uint64_t first = 0;
        for (std::size_t axis = 0; axis < shape.rank(); ++axis)
            first = first * shape[axis] + range->start[axis] + (axis < joined ? at[axis] : 0);
        runs.push_back({first, {box.file, box.offset + done * elementBytes, run}});
        for (std::size_t axis = joined; axis-- > 0;) {
            if (++at[axis] < range->length[axis]) break;
            at[axis] = 0;
        }
    }
    return true;
}

} // namespace

Result<Box> readBox(Message message) {
    Box box;
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return box;
        if (!message.is(1, Wire::Bytes)) continue;
        WB_TRY_ASSIGN(Message extent, message.message());
        Side side;
        while (true) {
            WB_TRY_ASSIGN(const bool moreOfIt, extent.next());
            if (!moreOfIt) break;
            if (extent.is(1, Wire::Varint)) side.start = static_cast<std::int64_t>(extent.number());
            else if (extent.is(2, Wire::Varint)) side.length = static_cast<std::int64_t>(extent.number());
        }
        if (box.size() < Shape::maximumRank) box.push_back(side);
    }
}

std::string sliceKey(const std::string& name, const Box& box) {
    std::string key;
    appendCount(key, 0);
    appendText(key, name);
    appendCount(key, box.size());
    for (const Side& side : box) {
        appendSigned(key, side.start);
        appendSigned(key, side.length);
    }
    return key;
}

std::optional<std::vector<TensorPiece>> slicePieces(const Shape& shape, std::uint64_t elementBytes,
                                                    const std::vector<StoredBox>& boxes) {
    std::vector<Run> runs;
    for (const StoredBox& box : boxes)
        if (!addRuns(shape, elementBytes, box, runs)) return std::nullopt;
    std::ranges::sort(runs, {}, &Run::first);
    std::vector<TensorPiece> pieces;
    std::uint64_t next = 0;
    for (const Run& run : runs) {
        if (run.first != next) return std::nullopt; // a gap, or two boxes on the same elements
        next += run.piece.elements;
        pieces.push_back(run.piece);
    }
    if (next != shape.elements()) return std::nullopt;
    return pieces;
}

} // namespace wb::tensorflow
