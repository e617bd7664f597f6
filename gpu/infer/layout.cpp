// SPDX-License-Identifier: MIT
#include "gpu/infer/layout.h"

#include "core/tensor/block_parts.h"
#include "core/tensor/bytes.h"
#include "core/tensor/half.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace wb::gpu {
namespace {

// Those whose bits stay as they are.
constexpr std::array stored = {
    WeightLayout{Dtype::F32, 1, 4, 4},
    WeightLayout{Dtype::F16, 1, 2, 2},
    WeightLayout{Dtype::BF16, 1, 2, 2},
    WeightLayout{Dtype::Q8_0, 32, 34, 32, true, 1},
    WeightLayout{Dtype::Q4_0, 32, 18, 16, true, 1},
    WeightLayout{Dtype::Q4_1, 32, 20, 16, true, 1},
    WeightLayout{Dtype::Q5_0, 32, 22, 16, true, 2},
    WeightLayout{Dtype::Q5_1, 32, 24, 16, true, 2},
    WeightLayout{Dtype::IQ4_NL, 32, 18, 16, true, 1},
    WeightLayout{Dtype::MXFP4, 32, 17, 16, true, 1},
    WeightLayout{Dtype::Q2_K, 256, 84, 80, true, 1},
    WeightLayout{Dtype::Q3_K, 256, 110, 96, true, 4},
    WeightLayout{Dtype::Q4_K, 256, 144, 144, true},
    WeightLayout{Dtype::Q5_K, 256, 176, 176, true},
    WeightLayout{Dtype::Q6_K, 256, 210, 208, true, 1},
    WeightLayout{Dtype::IQ4_XS, 256, 136, 128, true, 2},
};

constexpr std::uint32_t codedColumns = 32, codedScales = 4;

std::vector<WeightLayout> allLayouts() {
    std::vector<WeightLayout> layouts(stored.begin(), stored.end());
    for (const DtypeInfo& type : allDtypes()) {
        const auto facts = blockFacts(type.dtype);
        const bool isNew = std::ranges::find(stored, type.dtype, &WeightLayout::dtype) == stored.end();
        if (!facts || !isNew || type.blockElements % codedColumns != 0) continue;
        layouts.push_back({type.dtype, codedColumns, type.blockBytes, codedColumns, true, codedScales, true});
    }
    return layouts;
}

// Codes as signed bytes. The levels of IQ1 types are eighths, as in core/infer/cpu/kernels/panels.cpp.
void packCoded(Dtype dtype, const std::byte* block, std::uint64_t columns, std::byte* weights, std::uint32_t* scales) {
    const DtypeInfo& type = info(dtype);
    const std::size_t group = blockFacts(dtype)->groupElements;
    const float unit = dtype == Dtype::IQ1_S || dtype == Dtype::IQ1_M ? 0.125F : 1.0F;
    BlockParts parts;
    for (std::uint64_t done = 0; done < columns; done += type.blockElements, block += type.blockBytes) {
        splitBlock(dtype, block, parts);
        for (std::size_t i = 0; i < type.blockElements; ++i)
            *weights++ = static_cast<std::byte>(static_cast<std::int8_t>(parts.levels[i] / unit));
        for (std::size_t first = 0; first < type.blockElements; first += codedColumns) {
            const std::size_t low = first / group, high = (first + codedColumns / 2) / group;
            for (const float number :
                 {parts.scales[low] * unit, parts.scales[high] * unit, parts.offsets[low], parts.offsets[high]})
                *scales++ = std::bit_cast<std::uint32_t>(number);
        }
    }
}

// The codes of a block and what its words hold: the fields of the file in another order.
void packBlock(const WeightLayout& layout, const std::byte* block, std::byte* weights, std::uint32_t* scales) {
    const std::uint32_t rest = layout.storedBytes - layout.weightBytes; // bytes that are not among the codes
    const bool isBehind = layout.dtype == Dtype::Q6_K || layout.dtype == Dtype::Q2_K || layout.dtype == Dtype::Q3_K;
    std::memcpy(weights, block + (isBehind ? 0 : rest), layout.weightBytes);
    const std::byte* const fields = block + (isBehind ? layout.weightBytes : 0);
    if (layout.dtype == Dtype::MXFP4) {
        *scales = std::bit_cast<std::uint32_t>(e8m0HalfToF32(std::to_integer<std::uint8_t>(*fields)));
    } else if (layout.dtype == Dtype::Q5_0) {
        scales[0] = load<std::uint16_t>(fields);
        scales[1] = load<std::uint32_t>(fields + 2);
    } else {
        std::fill_n(scales, layout.scaleWords, 0);
        std::memcpy(scales, fields, rest);
    }
}

} // namespace

std::uint32_t WeightLayout::shaderType() const {
    if (!isCoded) return static_cast<std::uint32_t>(dtype);
    const auto facts = blockFacts(dtype);
    return facts->groupElements >= codedColumns && !facts->hasMinimum ? WB_CODED_WHOLE : WB_CODED;
}

const WeightLayout* findWeightLayout(Dtype dtype) {
    static const std::vector<WeightLayout> layouts = allLayouts();
    const auto found = std::ranges::find(layouts, dtype, &WeightLayout::dtype);
    return found == layouts.end() ? nullptr : &*found;
}

void packRow(const WeightLayout& layout, const std::byte* row, std::uint64_t columns, std::byte* weights, std::uint32_t* scales) {
    if (layout.isCoded) return packCoded(layout.dtype, row, columns, weights, scales);
    const std::uint64_t blocks = columns / layout.columns;
    if (layout.scaleWords == 0) {
        const std::uint64_t bytes = blocks * layout.storedBytes;
        std::memcpy(weights, row, bytes);
        std::memset(weights + bytes, 0, layout.rowBytes(columns) - bytes);
        return;
    }
    for (std::uint64_t b = 0; b < blocks; ++b, row += layout.storedBytes)
        packBlock(layout, row, weights + b * layout.weightBytes, scales + b * layout.scaleWords);
}

} // namespace wb::gpu
