// SPDX-License-Identifier: MIT
#include "core/formats/packed/packed.h"

#include "core/base/checked.h"
#include "core/formats/packed/decode_part.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::packed {
namespace {

constexpr std::uint64_t maxPartElements = 1 << 26; // of scales, zero points and codebooks, which are kept in memory
constexpr std::uint64_t slab = 1 << 16;            // elements that are decoded at once

std::uint64_t blockSide(std::uint64_t side, std::uint64_t parts) { return side / parts + (side % parts != 0); }

std::optional<std::uint64_t> product(std::span<const std::uint64_t> sides) {
    const auto shape = Shape::make(sides);
    return shape ? std::optional(shape->elements()) : std::nullopt;
}

// The sides of a part that count groups, without the levels of a codebook.
std::span<const std::uint64_t> groupSides(const Part& part, std::size_t rank) { return std::span(part.shape).first(rank); }

bool isGridSound(const Part& part, const Weight& weight, bool isCodebook) {
    const std::size_t rank = weight.shape.size();
    if (part.shape.size() != rank + (isCodebook ? 1 : 0)) return false;
    for (std::size_t axis = 0; axis < rank; ++axis)
        if (part.shape[axis] == 0 || (part.shape[axis] > weight.shape[axis] && weight.shape[axis] != 0)) return false;
    const auto elements = product(part.shape);
    return elements && *elements > 0 && *elements <= maxPartElements;
}

bool isInside(const Part& part, std::uint64_t elements, std::uint64_t fileBytes) {
    const auto bytes = partBytes(part, elements);
    if (!bytes) return false;
    return part.inlined.empty() ? io::Extent::make(fileBytes, part.offset, *bytes).has_value() : part.inlined.size() == *bytes;
}

void writePart(worker::WireWriter& out, const Part& part) {
    out.flag(part.isThere);
    if (!part.isThere) return;
    out.u8(static_cast<std::uint8_t>(part.encoding));
    out.u8(static_cast<std::uint8_t>(part.dtype));
    out.u8(part.bits);
    out.u64(part.offset);
    out.bytes(part.inlined);
    out.u64(part.shape.size());
    for (const std::uint64_t side : part.shape) out.u64(side);
}

std::vector<std::uint64_t> readSides(worker::WireReader& in) {
    std::vector<std::uint64_t> sides(std::min<std::uint64_t>(in.count(8), Shape::maximumRank + 1));
    for (std::uint64_t& side : sides) side = in.u64();
    return sides;
}

Part readPart(worker::WireReader& in) {
    Part part;
    part.isThere = in.flag();
    if (!part.isThere) return part;
    const std::uint8_t encoding = in.u8(), dtype = in.u8();
    if (encoding > static_cast<std::uint8_t>(Encoding::NormalFloat4) || dtype >= static_cast<std::uint8_t>(Dtype::Count))
        in.reject();
    part.encoding = static_cast<Encoding>(encoding);
    part.dtype = static_cast<Dtype>(dtype);
    part.bits = in.u8();
    part.offset = in.u64();
    const auto inlined = in.bytes();
    part.inlined.assign(inlined.begin(), inlined.end());
    part.shape = readSides(in);
    return part;
}

std::unexpected<Error> malformed(const io::ByteSource& file) {
    return fail(ErrorCode::Malformed, Reason("packed.malformed"), About{file.name()},
                WB_TEXT("{}: the components of a compressed weight do not match; get a complete copy."), file.name());
}

// A part that is kept whole, and the position in it of each element of the weight.
class Grid {
public:
    Grid(const Part& part, const std::vector<std::uint64_t>& shape) : m_part(part) {
        const auto sides = groupSides(part, shape.size());
        m_strides.resize(shape.size());
        std::uint64_t stride = 1;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            m_blocks.insert(m_blocks.begin(), std::max<std::uint64_t>(blockSide(shape[axis], sides[axis]), 1));
            m_strides[axis] = sides[axis] == 1 ? 0 : stride;
            stride *= sides[axis];
        }
    }

    Result<void> load(const io::ByteSource& file) {
        m_values.resize(*product(m_part.shape));
        return decodePart(file, m_part, 0, m_values);
    }

    std::uint64_t group(std::span<const std::uint64_t> coordinates) const {
        std::uint64_t at = 0;
        for (std::size_t axis = 0; axis < coordinates.size(); ++axis)
            if (m_strides[axis] != 0) at += coordinates[axis] / m_blocks[axis] * m_strides[axis];
        return at;
    }
    const std::vector<float>& values() const { return m_values; }

private:
    const Part& m_part;
    std::vector<std::uint64_t> m_blocks, m_strides;
    std::vector<float> m_values;
};

// Elements of the mask before `first` that are stored.
Result<std::uint64_t> storedBefore(const io::ByteSource& file, const Part& mask, std::uint64_t first) {
    std::uint64_t stored = 0;
    std::vector<float> bits;
    for (std::uint64_t at = 0; at < first; at += bits.size()) {
        bits.resize(std::min(slab, first - at));
        WB_TRY(decodePart(file, mask, at, bits));
        stored += static_cast<std::uint64_t>(std::ranges::count_if(bits, [](float bit) { return bit != 0; }));
    }
    return stored;
}

class Decoder {
public:
    Decoder(const io::ByteSource& file, const Weight& weight) : m_file(file), m_weight(weight) {}

    Result<void> start(std::uint64_t first) {
        const std::array parts = {&m_weight.scale, &m_weight.zero, &m_weight.codebook, &m_weight.shift};
        const std::array grids = {&m_scale, &m_zero, &m_codebook, &m_shift};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!parts[i]->isThere) continue;
            grids[i]->emplace(*parts[i], m_weight.shape);
            WB_TRY((*grids[i])->load(m_file));
        }
        if (m_weight.mask.isThere) {
            WB_TRY_ASSIGN(m_stored, storedBefore(m_file, m_weight.mask, first));
        }
        m_coordinates.assign(m_weight.shape.size(), 0);
        for (std::size_t axis = m_weight.shape.size(); axis-- > 0;) {
            m_coordinates[axis] = first % m_weight.shape[axis];
            first /= m_weight.shape[axis];
        }
        return {};
    }

    Result<void> decode(std::uint64_t first, std::span<float> out) {
        WB_TRY(readCodes(first, out));
        for (float& value : out) {
            if (m_codebook) {
                const auto levels = static_cast<float>(m_weight.codebook.shape.back());
                if (!(value >= 0 && value < levels)) return malformed(m_file);
                value = m_codebook->values()[m_codebook->group(m_coordinates) * m_weight.codebook.shape.back() +
                                             static_cast<std::uint64_t>(value)];
            }
            if (m_zero) value -= m_zero->values()[m_zero->group(m_coordinates)];
            if (m_scale) value *= m_scale->values()[m_scale->group(m_coordinates)];
            if (m_shift) value += m_shift->values()[m_shift->group(m_coordinates)];
            advance();
        }
        return {};
    }

private:
    Result<void> readCodes(std::uint64_t first, std::span<float> out) {
        if (!m_weight.mask.isThere) return decodePart(m_file, m_weight.codes, first, out);
        WB_TRY(decodePart(m_file, m_weight.mask, first, out));
        const auto isStored = [](float bit) { return bit != 0; };
        std::vector<float> values(static_cast<std::size_t>(std::ranges::count_if(out, isStored)));
        WB_TRY(decodePart(m_file, m_weight.codes, m_stored, values));
        m_stored += values.size();
        std::size_t next = 0;
        for (float& value : out) value = isStored(value) ? values[next++] : 0;
        return {};
    }

    void advance() {
        for (std::size_t axis = m_coordinates.size(); axis-- > 0;) {
            if (++m_coordinates[axis] < m_weight.shape[axis]) return;
            m_coordinates[axis] = 0;
        }
    }

    const io::ByteSource& m_file;
    const Weight& m_weight;
    std::optional<Grid> m_scale, m_zero, m_codebook, m_shift;
    std::vector<std::uint64_t> m_coordinates;
    std::uint64_t m_stored = 0;
};

} // namespace

bool isSound(const Weight& weight, std::uint64_t fileBytes) {
    const auto elements = product(weight.shape);
    if (!elements || !checked::mul(*elements, sizeof(float))) return false;
    for (const Part* part : {&weight.scale, &weight.zero, &weight.shift, &weight.codebook}) {
        if (!part->isThere) continue;
        if (!isGridSound(*part, weight, part == &weight.codebook) || !isInside(*part, *product(part->shape), fileBytes))
            return false;
    }
    if (!weight.mask.isThere) return isInside(weight.codes, *elements, fileBytes);
    // How many codes there are shows when the mask is read.
    return isInside(weight.mask, *elements, fileBytes) && partBytes(weight.codes, 1).has_value();
}

std::uint32_t addValues(formats::Index& index, std::uint32_t file, const Weight& weight) {
    worker::WireWriter spec;
    spec.u64(weight.shape.size());
    for (const std::uint64_t side : weight.shape) spec.u64(side);
    for (const Part* part : {&weight.codes, &weight.scale, &weight.zero, &weight.shift, &weight.codebook, &weight.mask})
        writePart(spec, *part);
    return index.addUnpacked(file, spec.take(), *product(weight.shape) * sizeof(float));
}

TensorInfo logicalTensor(formats::Index& index, std::uint32_t file, const Weight& weight, std::string name, const Shape& shape,
                         std::string scheme, std::vector<std::string> parts, std::uint64_t bytes) {
    TensorInfo tensor;
    tensor.name = std::move(name);
    tensor.dtype = Dtype::F32;
    tensor.shape = shape;
    tensor.logical = true;
    tensor.source = TensorSource::stored(addValues(index, file, weight), 0, shape.elements() * sizeof(float));
    auto details = std::make_shared<TensorDetails>();
    details->scheme = std::move(scheme);
    details->parts = std::move(parts);
    if (shape.elements() != 0) details->bitsPerWeight = static_cast<double>(bytes) * 8 / static_cast<double>(shape.elements());
    tensor.details = std::move(details);
    return tensor;
}

Result<void> unpack(const io::ByteSource& file, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    worker::WireReader in(spec);
    Weight weight;
    weight.shape = readSides(in);
    for (Part* part : {&weight.codes, &weight.scale, &weight.zero, &weight.shift, &weight.codebook, &weight.mask})
        *part = readPart(in);
    if (!in.good() || !in.atEnd() || !isSound(weight, file.size())) return malformed(file);
    const std::uint64_t bytes = *product(weight.shape) * sizeof(float);
    if (!io::Extent::make(bytes, offset, out.size())) return malformed(file);
    if (out.empty()) return {};
    constexpr std::uint64_t whole = 8; // codes that fill bytes in every encoding
    const std::uint64_t first = offset / sizeof(float) / whole * whole, end = (offset + out.size() - 1) / sizeof(float) + 1;
    const std::uint64_t last = std::min((end + whole - 1) / whole * whole, bytes / sizeof(float));
    Decoder decoder(file, weight);
    WB_TRY(decoder.start(first));
    std::vector<float> values;
    for (std::uint64_t at = first; at < last; at += values.size()) {
        values.resize(std::min(slab, last - at));
        WB_TRY(decoder.decode(at, values));
        const auto from = std::as_bytes(std::span(values));
        const std::uint64_t begin = at * sizeof(float), skipped = begin < offset ? offset - begin : 0;
        const std::uint64_t to = begin + skipped - offset;
        const std::uint64_t run = std::min<std::uint64_t>(from.size() - skipped, out.size() - to);
        std::memcpy(out.data() + to, from.data() + skipped, run);
    }
    return {};
}

} // namespace wb::packed
