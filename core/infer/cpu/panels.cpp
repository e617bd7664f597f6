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

void packQ4_0(const Rows& rows, std::byte* out) {
    using L = layout::Q4_0;
    gather(rows, L::d, 2, interleave(rows, L::codes, L::elements / 2, out));
}

void packQ4_1(const Rows& rows, std::byte* out) {
    using L = layout::Q4_1;
    out = gather(rows, L::d, 2, interleave(rows, L::codes, L::elements / 2, out));
    gather(rows, L::m, 2, out);
}

void packQ4_K(const Rows& rows, std::byte* out) {
    using L = layout::Q4_K;
    out = gather(rows, L::dmin, 2, gather(rows, L::d, 2, out));
    for (std::size_t r = 0; r < panelRows; ++r) {
        const layout::Scales6 unpacked = layout::unpackScales6(rows[r] + L::scales);
        for (std::size_t s = 0; s < 8; ++s) {
            out[s * panelRows + r] = std::byte{unpacked.scale[s]};
            out[(8 + s) * panelRows + r] = std::byte{unpacked.minimum[s]};
        }
    }
    interleave(rows, L::codes, L::elements / 2, out + 16 * panelRows);
}

void packQ6_K(const Rows& rows, std::byte* out) {
    using L = layout::Q6_K;
    out = gather(rows, L::d, 2, out);
    for (std::size_t s = 0; s < 16; ++s) out = gather(rows, L::scales + s, 1, out);
    for (std::size_t half = 0; half < 2; ++half) {
        out = interleave(rows, L::low + 64 * half, 64, out);
        out = interleave(rows, L::high + 32 * half, 32, out);
    }
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
    {PanelType::Q8_0, Dtype::Q8_0, 32,  544,  true,  packQ8_0},
    {PanelType::Q4_0, Dtype::Q4_0, 32,  288,  true,  packQ4_0},
    {PanelType::Q4_1, Dtype::Q4_1, 32,  320,  true,  packQ4_1},
    {PanelType::Q4_K, Dtype::Q4_K, 256, 2368, true,  packQ4_K},
    {PanelType::Q6_K, Dtype::Q6_K, 256, 3360, true,  packQ6_K},
    {PanelType::Coded, Dtype::Unknown, codedColumns, codedBytes, true, nullptr},
}};
// clang-format on

} // namespace

const PanelFormat& panelFormat(PanelType type) { return formats[static_cast<std::size_t>(type)]; }

const PanelFormat& panelFormatOf(Dtype dtype) {
    const auto* const found = std::ranges::find(formats, dtype, &PanelFormat::dtype);
    if (found != formats.end() && found->pack) return *found;
    return panelFormat(blockFacts(dtype) ? PanelType::Coded : PanelType::F32);
}

Packing packingOf(Dtype dtype) {
    const PanelFormat& format = panelFormatOf(dtype);
    const Dtype stored = format.type == PanelType::Coded ? dtype : format.dtype;
    const auto elements = static_cast<std::uint32_t>(info(stored).blockElements);
    return {stored, elements, static_cast<std::uint32_t>(info(stored).blockBytes), elements / format.columns * format.blockBytes};
}

void packBlocks(const Packing& packing, const Rows& rows, std::byte* out) {
    const PanelFormat& format = panelFormatOf(packing.stored);
    if (format.pack) format.pack(rows, out);
    else packCoded(packing.stored, rows, out);
}

} // namespace wb::infer::cpu
