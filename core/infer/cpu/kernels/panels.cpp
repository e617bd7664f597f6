// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/panels.h"

#include "core/infer/cpu/kernels/pack.h"
#include "core/tensor/block_layout.h"

#include <algorithm>

namespace wb::infer::cpu {
namespace {

using Rows = StoredRows;

template <std::size_t bytes>
void packPlain(const Rows& rows, std::byte* out) {
    gather<bytes>(rows, 0, out);
}

// Turns signed bytes into bytes plus 128.
constexpr std::uint32_t signBits = 0x80808080;

template <class L>
void packBytes(const Rows& rows, std::byte* out) {
    gather<2>(rows, L::d, interleave<signBits>(rows, L::codes, L::elements, out));
}

// Nibbles with the f16 scale, and the f16 minimum where the type has one, after them.
template <class L>
void packNibbles(const Rows& rows, std::byte* out) {
    out = interleave(rows, L::codes, L::elements / 2, out);
    if constexpr (requires { L::scale; }) {
        gather<1>(rows, L::scale, out);
    } else {
        out = gather<2>(rows, L::d, out);
        if constexpr (requires { L::m; }) gather<2>(rows, L::m, out);
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

// Pair 4j + c of 16 becomes pair j of byte c.
std::uint32_t transposePairs(std::uint32_t pairs) {
    std::uint32_t out = 0;
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned j = 0; j < 4; ++j) out |= (pairs >> (2 * (4 * j + c)) & 3) << (8 * c + 2 * j);
    return out;
}

template <class L>
void packFiveBits(const Rows& rows, std::byte* out) {
    out = interleave(rows, L::codes, L::elements / 2, out);
    packFifthBits(rows, L::high, out);
    out = gather<2>(rows, L::d, out + 4 * panelRows);
    if constexpr (requires { L::m; }) gather<2>(rows, L::m, out);
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

void packQ2_K(const Rows& rows, std::byte* out) {
    using L = layout::Q2_K;
    out = gather<2>(rows, L::dmin, gather<2>(rows, L::d, out));
    out = gatherFields<1>(rows, L::scales, 16, out);
    interleave(rows, L::codes, L::elements / 4, out);
}

void packQ3_K(const Rows& rows, std::byte* out) {
    using L = layout::Q3_K;
    out = gather<2>(rows, L::d, out);
    out = packScales(rows, [](const std::byte* row) { return layout::unpackScalesQ3(row + L::scales); }, out);
    out = interleave(rows, L::high, L::elements / 8, out);
    interleave(rows, L::codes, L::elements / 4, out);
}

void packQ4_K(const Rows& rows, std::byte* out) {
    using L = layout::Q4_K;
    out = gather<2>(rows, L::dmin, gather<2>(rows, L::d, out));
    interleave(rows, L::codes, L::elements / 2, packScales6(rows, L::scales, out));
}

void packQ5_K(const Rows& rows, std::byte* out) {
    using L = layout::Q5_K;
    out = gather<2>(rows, L::dmin, gather<2>(rows, L::d, out));
    out = interleave(rows, L::high, L::elements / 8, packScales6(rows, L::scales, out));
    interleave(rows, L::codes, L::elements / 2, out);
}

void packQ6_K(const Rows& rows, std::byte* out) {
    using L = layout::Q6_K;
    out = gatherFields<1>(rows, L::scales, 16, gather<2>(rows, L::d, out));
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t i = 0; i < 32; i += 4) {
            out = interleave(rows, L::high + 32 * half + i, 4, out);
            out = interleave(rows, L::low + 64 * half + i, 4, out);
            out = interleave(rows, L::low + 64 * half + 32 + i, 4, out);
        }
}

void packIQ4_XS(const Rows& rows, std::byte* out) {
    using L = layout::IQ4_XS;
    out = packScales(rows, [](const std::byte* row) { return layout::unpackScalesIq4(row); }, gather<2>(rows, L::d, out));
    interleave(rows, L::codes, L::elements / 2, out);
}

void packQ8_K(const Rows& rows, std::byte* out) {
    using L = layout::Q8_K;
    interleave<signBits>(rows, L::codes, L::elements, gather<4>(rows, L::d, out));
}

void packNVFP4(const Rows& rows, std::byte* out) {
    using L = layout::NVFP4;
    interleave(rows, L::codes, L::elements / 2, gatherFields<1>(rows, L::scales, 4, out));
}

// Word 0 … of bits.
void packQ1_0(const Rows& rows, std::byte* out) {
    using L = layout::Q1_0;
    out = gather<2>(rows, L::d, out);
    for (std::size_t k = 0; k < L::elements / 32; ++k, out += 4 * panelRows) packFifthBits(rows, L::codes + 4 * k, out);
}

void packQ2_0(const Rows& rows, std::byte* out) {
    using L = layout::Q2_0;
    out = gather<2>(rows, L::d, out);
    for (std::size_t part = 0; part < L::elements / 16; ++part, out += 4 * panelRows)
        for (std::size_t r = 0; r < panelRows; ++r)
            store(out + 4 * r, transposePairs(load<std::uint32_t>(rows[r] + L::codes + 4 * part)));
}

void packTQ1_0(const Rows& rows, std::byte* out) {
    using L = layout::TQ1_0;
    interleave(rows, L::five, L::d - L::five, gather<2>(rows, L::d, out));
}

void packTQ2_0(const Rows& rows, std::byte* out) {
    using L = layout::TQ2_0;
    interleave(rows, L::codes, L::elements / 4, gather<2>(rows, L::d, out));
}

// clang-format off
constexpr std::array<PanelFormat, panelTypes> formats = {{
    {PanelType::F32,  Dtype::F32,  1,   64,   false, packPlain<4>},
    {PanelType::F16,  Dtype::F16,  1,   32,   false, packPlain<2>},
    {PanelType::BF16, Dtype::BF16, 1,   32,   false, packPlain<2>},
    {PanelType::Q8_0, Dtype::Q8_0, 32, 544, true, packBytes<layout::Q8_0>},
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
    {PanelType::NVFP4, Dtype::NVFP4, 64, 576, true, packNVFP4},
    {PanelType::Q8_1, Dtype::Q8_1, 32, 544, true, packBytes<layout::Q8_1>},
    {PanelType::Q8_K, Dtype::Q8_K, 256, 4160, true, packQ8_K},
    {PanelType::Q1_0, Dtype::Q1_0, 128, 288, true, packQ1_0},
    {PanelType::Q2_0, Dtype::Q2_0, 64, 288, true, packQ2_0},
    {PanelType::TQ1_0, Dtype::TQ1_0, 256, 864, true, packTQ1_0},
    {PanelType::TQ2_0, Dtype::TQ2_0, 256, 1056, true, packTQ2_0},
    {PanelType::IQ1_S, Dtype::IQ1_S, 256, 800, true, packIQ1_S},
    {PanelType::IQ1_M, Dtype::IQ1_M, 256, 928, true, packIQ1_M},
    {PanelType::IQ2_XXS, Dtype::IQ2_XXS, 256, 1056, true, packIQ2_XXS},
    {PanelType::IQ2_XS, Dtype::IQ2_XS, 256, 1184, true, packIQ2_XS},
    {PanelType::IQ2_S, Dtype::IQ2_S, 256, 1312, true, packIQ2_S},
    {PanelType::IQ3_XXS, Dtype::IQ3_XXS, 256, 1568, true, packIQ3_XXS},
    {PanelType::IQ3_S, Dtype::IQ3_S, 256, 1760, true, packIQ3_S},
}};
// clang-format on

} // namespace

const PanelFormat& panelFormat(PanelType type) { return formats[static_cast<std::size_t>(type)]; }

const PanelFormat& dtypePanelFormat(Dtype dtype) {
    const auto* const found = std::ranges::find(formats, dtype, &PanelFormat::dtype);
    return found != formats.end() ? *found : panelFormat(PanelType::F32);
}

} // namespace wb::infer::cpu
