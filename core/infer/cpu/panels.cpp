// SPDX-License-Identifier: MIT
#include "core/infer/cpu/panels.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/block_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::infer::cpu {
namespace {

using Rows = std::array<const std::byte*, panelRows>;

// Copies `size` bytes from `offset` of each row, row after row, and answers where the next field starts.
std::byte* gather(const Rows& rows, std::size_t offset, std::size_t size, std::byte* out) {
    for (const std::byte* row : rows) {
        std::memcpy(out, row + offset, size);
        out += size;
    }
    return out;
}

// The same in vectors of four bytes of each row.
std::byte* interleave(const Rows& rows, std::size_t offset, std::size_t size, std::byte* out) {
    for (std::size_t i = 0; i < size; i += 4) out = gather(rows, offset + i, 4, out);
    return out;
}

template <std::size_t bytes>
void packPlain(const Rows& rows, std::byte* out) {
    gather(rows, 0, bytes, out);
}

void packQ8_0(const Rows& rows, std::byte* out) {
    using L = layout::Q8_0;
    std::byte* const end = interleave(rows, L::codes, L::elements, out);
    std::transform(out, end, out, [](std::byte code) { return code ^ std::byte{0x80}; });
    gather(rows, L::d, 2, end);
}

// Nibbles with the f16 scale, and the f16 minimum where the type has one, after them.
template <class L>
void packNibbles(const Rows& rows, std::byte* out) {
    out = interleave(rows, L::codes, L::elements / 2, out);
    if constexpr (requires { L::scale; }) {
        gather(rows, L::scale, 1, out);
    } else {
        out = gather(rows, L::d, 2, out);
        if constexpr (requires { L::m; }) gather(rows, L::m, 2, out);
    }
}

// Bit 4j + c of a row's word becomes bit j of byte c.
void packFifthBits(const Rows& rows, std::size_t offset, std::byte* out) {
    for (std::size_t r = 0; r < panelRows; ++r) {
        const auto bits = load<std::uint32_t>(rows[r] + offset);
        for (std::size_t c = 0; c < 4; ++c) {
            unsigned byte = 0;
            for (std::size_t j = 0; j < 8; ++j) byte |= (bits >> (4 * j + c) & 1U) << j;
            out[4 * r + c] = static_cast<std::byte>(byte);
        }
    }
}

template <class L>
void packFiveBits(const Rows& rows, std::byte* out) {
    out = interleave(rows, L::codes, L::elements / 2, out);
    packFifthBits(rows, L::high, out);
    out = gather(rows, L::d, 2, out + 4 * panelRows);
    if constexpr (requires { L::m; }) gather(rows, L::m, 2, out);
}

// Scales and minimums of 6 bits as bytes.
std::byte* packScales6(const Rows& rows, std::size_t offset, std::byte* out) {
    for (std::size_t r = 0; r < panelRows; ++r) {
        const layout::Scales6 unpacked = layout::unpackScales6(rows[r] + offset);
        for (std::size_t s = 0; s < 8; ++s) {
            out[s * panelRows + r] = std::byte{unpacked.scale[s]};
            out[(8 + s) * panelRows + r] = std::byte{unpacked.minimum[s]};
        }
    }
    return out + 16 * panelRows;
}

// Signed scales as bytes; unpack(row) gives those of one row.
template <class Unpack>
std::byte* packScales(const Rows& rows, Unpack unpack, std::byte* out) {
    std::size_t count = 0;
    for (std::size_t r = 0; r < panelRows; ++r) {
        const auto scales = unpack(rows[r]);
        count = scales.size();
        for (std::size_t s = 0; s < count; ++s) out[s * panelRows + r] = static_cast<std::byte>(scales[s]);
    }
    return out + count * panelRows;
}

// Bytes of which each belongs to 16 columns of a row.
std::byte* gatherBytes(const Rows& rows, std::size_t offset, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i) out = gather(rows, offset + i, 1, out);
    return out;
}

void packQ2_K(const Rows& rows, std::byte* out) {
    using L = layout::Q2_K;
    out = gather(rows, L::dmin, 2, gather(rows, L::d, 2, out));
    out = gatherBytes(rows, L::scales, 16, out);
    interleave(rows, L::codes, L::elements / 4, out);
}

void packQ3_K(const Rows& rows, std::byte* out) {
    using L = layout::Q3_K;
    out = gather(rows, L::d, 2, out);
    out = packScales(rows, [](const std::byte* row) { return layout::unpackScalesQ3(row + L::scales); }, out);
    out = interleave(rows, L::high, L::elements / 8, out);
    interleave(rows, L::codes, L::elements / 4, out);
}

void packQ4_K(const Rows& rows, std::byte* out) {
    using L = layout::Q4_K;
    out = gather(rows, L::dmin, 2, gather(rows, L::d, 2, out));
    interleave(rows, L::codes, L::elements / 2, packScales6(rows, L::scales, out));
}

void packQ5_K(const Rows& rows, std::byte* out) {
    using L = layout::Q5_K;
    out = gather(rows, L::dmin, 2, gather(rows, L::d, 2, out));
    out = interleave(rows, L::high, L::elements / 8, packScales6(rows, L::scales, out));
    interleave(rows, L::codes, L::elements / 2, out);
}

void packQ6_K(const Rows& rows, std::byte* out) {
    using L = layout::Q6_K;
    out = gatherBytes(rows, L::scales, 16, gather(rows, L::d, 2, out));
    for (std::size_t half = 0; half < 2; ++half) {
        out = interleave(rows, L::high + 32 * half, 32, out);
        out = interleave(rows, L::low + 64 * half, 64, out);
    }
}

void packIQ4_XS(const Rows& rows, std::byte* out) {
    using L = layout::IQ4_XS;
    out = packScales(rows, [](const std::byte* row) { return layout::unpackScalesIq4(row); }, gather(rows, L::d, 2, out));
    interleave(rows, L::codes, L::elements / 2, out);
}

constexpr std::size_t codedColumns = 32, codedBytes = 512 + 4 * 64;

// The levels of IQ1 types are eighths.
float levelUnit(Dtype dtype) { return dtype == Dtype::IQ1_S || dtype == Dtype::IQ1_M ? 0.125F : 1.0F; }

// One row of a stored block: its 32 columns of block `b` go to every 16th place of `out`.
void packCodedRow(const BlockParts& parts, std::size_t first, std::size_t groupElements, float unit, std::size_t row,
                  std::byte* out) {
    for (std::size_t i = 0; i < codedColumns; ++i) {
        const float code = parts.levels[first + i] / unit;
        out[i / 4 * 64 + 4 * row + i % 4] = static_cast<std::byte>(static_cast<int>(code) + 128);
    }
    for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t group = (first + 16 * half) / groupElements;
        store(out + 512 + 64 * half + 4 * row, parts.scales[group] * unit);
        store(out + 640 + 64 * half + 4 * row, parts.offsets[group]);
    }
}

void packCoded(Dtype dtype, const Rows& rows, std::byte* out) {
    const std::size_t elements = info(dtype).blockElements, group = blockFacts(dtype)->groupElements;
    for (std::size_t r = 0; r < panelRows; ++r) {
        BlockParts parts;
        splitBlock(dtype, rows[r], parts);
        for (std::size_t b = 0; b < elements / codedColumns; ++b)
            packCodedRow(parts, b * codedColumns, group, levelUnit(dtype), r, out + b * codedBytes);
    }
}

// clang-format off
constexpr std::array<PanelFormat, panelTypes> formats = {{
    {PanelType::F32,  Dtype::F32,  1,   64,   false, packPlain<4>},
    {PanelType::F16,  Dtype::F16,  1,   32,   false, packPlain<2>},
    {PanelType::BF16, Dtype::BF16, 1,   32,   false, packPlain<2>},
    {PanelType::Q8_0, Dtype::Q8_0, 32, 544, true, packQ8_0},
    {PanelType::Q4_0, Dtype::Q4_0, 32, 288, true, packNibbles<layout::Q4_0>},
    {PanelType::Q4_1, Dtype::Q4_1, 32, 320, true, packNibbles<layout::Q4_1>},
    {PanelType::Q5_0, Dtype::Q5_0, 32, 352, true, packFiveBits<layout::Q5_0>},
    {PanelType::Q5_1, Dtype::Q5_1, 32, 384, true, packFiveBits<layout::Q5_1>},
    {PanelType::Q2_K, Dtype::Q2_K, 256, 1344, true, packQ2_K},
    {PanelType::Q3_K, Dtype::Q3_K, 256, 1824, true, packQ3_K},
    {PanelType::Q4_K, Dtype::Q4_K, 256, 2368, true, packQ4_K},
    {PanelType::Q5_K, Dtype::Q5_K, 256, 2880, true, packQ5_K},
    {PanelType::Q6_K, Dtype::Q6_K, 256, 3360, true, packQ6_K},
    {PanelType::IQ4_NL, Dtype::IQ4_NL, 32, 288, true, packNibbles<layout::IQ4_NL>},
    {PanelType::IQ4_XS, Dtype::IQ4_XS, 256, 2208, true, packIQ4_XS},
    {PanelType::MXFP4, Dtype::MXFP4, 32, 272, true, packNibbles<layout::MXFP4>},
    {PanelType::Coded, Dtype::Unknown, codedColumns, codedBytes, true, nullptr},
}};
// clang-format on

} // namespace

const PanelFormat& panelFormat(PanelType type) { return formats[static_cast<std::size_t>(type)]; }

const PanelFormat& dtypePanelFormat(Dtype dtype) {
    const auto* const found = std::ranges::find(formats, dtype, &PanelFormat::dtype);
    if (found != formats.end() && found->pack) return *found;
    return panelFormat(blockFacts(dtype) ? PanelType::Coded : PanelType::F32);
}

Packing dtypePacking(Dtype dtype) {
    const PanelFormat& format = dtypePanelFormat(dtype);
    const Dtype stored = format.type == PanelType::Coded ? dtype : format.dtype;
    const auto elements = static_cast<std::uint32_t>(info(stored).blockElements);
    return {stored, elements, static_cast<std::uint32_t>(info(stored).blockBytes), elements / format.columns * format.blockBytes};
}

void packBlocks(const Packing& packing, const Rows& rows, std::byte* out) {
    const PanelFormat& format = dtypePanelFormat(packing.stored);
    if (format.pack) format.pack(rows, out);
    else packCoded(packing.stored, rows, out);
}

} // namespace wb::infer::cpu
