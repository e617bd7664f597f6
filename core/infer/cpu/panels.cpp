// SPDX-License-Identifier: MIT
#include "core/infer/cpu/panels.h"

#include "core/tensor/block_layout.h"

#include <algorithm>
#include <cstring>

namespace wb::infer::cpu {
namespace {

using Rows = std::array<const std::byte*, panelRows>;

// Copies `size` bytes from `offset` of each row, row after row, and answers where the next field begins.
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
}};
// clang-format on

} // namespace

const PanelFormat& panelFormat(PanelType type) { return formats[static_cast<std::size_t>(type)]; }

const PanelFormat& panelFormatOf(Dtype dtype) {
    const auto* const found = std::ranges::find(formats, dtype, &PanelFormat::dtype);
    return found == formats.end() ? panelFormat(PanelType::F32) : *found;
}

} // namespace wb::infer::cpu
