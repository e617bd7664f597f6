// SPDX-License-Identifier: MIT
#include "gpu/infer/layout.h"

#include "core/tensor/bytes.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace wb::gpu {
namespace {

constexpr std::array layouts = {
    WeightLayout{Dtype::F32, 1, 4, 4},
    WeightLayout{Dtype::F16, 1, 2, 2},
    WeightLayout{Dtype::BF16, 1, 2, 2},
    WeightLayout{Dtype::Q8_0, 32, 34, 32, true, 1},
    WeightLayout{Dtype::Q4_0, 32, 18, 16, true, 1},
    WeightLayout{Dtype::Q4_1, 32, 20, 16, true, 1},
    WeightLayout{Dtype::Q5_0, 32, 22, 16, true, 2},
    WeightLayout{Dtype::Q5_1, 32, 24, 16, true, 2},
    WeightLayout{Dtype::MXFP4, 32, 17, 16, true, 1},
    WeightLayout{Dtype::Q4_K, 256, 144, 144, true},
    WeightLayout{Dtype::Q5_K, 256, 176, 176, true},
    WeightLayout{Dtype::Q6_K, 256, 210, 208, true, 1},
};

} // namespace

const WeightLayout* findWeightLayout(Dtype dtype) {
    const auto found = std::ranges::find(layouts, dtype, &WeightLayout::dtype);
    return found == layouts.end() ? nullptr : &*found;
}

void packRow(const WeightLayout& layout, const std::byte* stored, std::uint64_t columns, std::byte* weights,
             std::uint32_t* scales) {
    const std::uint64_t blocks = columns / layout.columns;
    if (layout.scaleWords == 0) {
        const std::uint64_t bytes = blocks * layout.storedBytes;
        std::memcpy(weights, stored, bytes);
        std::memset(weights + bytes, 0, layout.rowBytes(columns) - bytes);
        return;
    }
    // The scale, and fifth bits after it, stand before the codes, in Q6_K after them.
    const std::uint32_t besides = layout.storedBytes - layout.weightBytes, fifthBits = layout.scaleWords == 2 ? 4 : 0;
    const bool isBehind = layout.dtype == Dtype::Q6_K, isPair = besides - fifthBits == 4;
    for (std::uint64_t b = 0; b < blocks; ++b, stored += layout.storedBytes, weights += layout.weightBytes) {
        std::memcpy(weights, stored + (isBehind ? 0 : besides), layout.weightBytes);
        const std::byte* const scale = stored + (isBehind ? layout.weightBytes : 0);
        if (layout.dtype == Dtype::MXFP4)
            scales[b] = std::bit_cast<std::uint32_t>(e8m0HalfToF32(std::to_integer<std::uint8_t>(*scale)));
        else scales[layout.scaleWords * b] = isPair ? load<std::uint32_t>(scale) : load<std::uint16_t>(scale);
        if (fifthBits > 0) scales[2 * b + 1] = load<std::uint32_t>(scale + besides - fifthBits);
    }
}

} // namespace wb::gpu
