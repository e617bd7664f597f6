// SPDX-License-Identifier: MIT
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>

namespace wb {
namespace {

// `count` numbers of `bytes` bytes each inside one block, the first at `offset`, `stride` bytes from one to the next.
struct Field {
    std::uint16_t offset = 0;
    std::uint16_t bytes = 0;
    std::uint16_t count = 0;
    std::uint16_t stride = 0;
};

struct Layout {
    Dtype dtype;
    std::array<Field, 2> fields;
};

// Block types with fields wider than a byte; docs/reference/gguf.md, "Byte layouts" (ggml-org/llama.cpp: ggml/src/ggml-common.h).
// Neighboring f16 numbers are as one field with a count.
constexpr std::array layouts = {
    Layout{Dtype::Q4_0, {{{0, 2, 1, 2}}}},
    Layout{Dtype::Q4_1, {{{0, 2, 2, 2}}}},
    Layout{Dtype::Q5_0, {{{0, 2, 1, 2}, {2, 4, 1, 4}}}},
    Layout{Dtype::Q5_1, {{{0, 2, 2, 2}, {4, 4, 1, 4}}}},
    Layout{Dtype::Q8_0, {{{0, 2, 1, 2}}}},
    Layout{Dtype::Q8_1, {{{0, 2, 2, 2}}}},
    Layout{Dtype::Q1_0, {{{0, 2, 1, 2}}}},
    Layout{Dtype::Q2_0, {{{0, 2, 1, 2}}}},
    Layout{Dtype::Q2_K, {{{80, 2, 2, 2}}}},
    Layout{Dtype::Q3_K, {{{108, 2, 1, 2}}}},
    Layout{Dtype::Q4_K, {{{0, 2, 2, 2}}}},
    Layout{Dtype::Q5_K, {{{0, 2, 2, 2}}}},
    Layout{Dtype::Q6_K, {{{208, 2, 1, 2}}}},
    Layout{Dtype::Q8_K, {{{0, 4, 1, 4}, {260, 2, 16, 2}}}},
    Layout{Dtype::IQ1_S, {{{0, 2, 1, 2}, {34, 2, 8, 2}}}},
    Layout{Dtype::IQ1_M, {{{48, 2, 4, 2}}}},
    Layout{Dtype::IQ2_XXS, {{{0, 2, 1, 2}, {6, 4, 8, 8}}}},
    Layout{Dtype::IQ2_XS, {{{0, 2, 33, 2}}}},
    Layout{Dtype::IQ2_S, {{{0, 2, 1, 2}}}},
    Layout{Dtype::IQ3_XXS, {{{0, 2, 1, 2}, {66, 4, 8, 4}}}},
    Layout{Dtype::IQ3_S, {{{0, 2, 1, 2}}}},
    Layout{Dtype::IQ4_NL, {{{0, 2, 1, 2}}}},
    Layout{Dtype::IQ4_XS, {{{0, 2, 2, 2}}}},
    Layout{Dtype::TQ1_0, {{{52, 2, 1, 2}}}},
    Layout{Dtype::TQ2_0, {{{64, 2, 1, 2}}}},
};

std::array<Field, 2> typeFields(const DtypeInfo& type) {
    const auto found = std::ranges::find(layouts, type.dtype, &Layout::dtype);
    if (found != layouts.end()) return found->fields;
    if (type.kind == DtypeKind::Complex) {
        const auto half = static_cast<std::uint16_t>(type.blockBytes / 2);
        return {{{0, half, 2, half}}};
    }
    if (type.kind != DtypeKind::Block && type.blockElements == 1) return {{{0, type.blockBytes, 1, type.blockBytes}}};
    return {}; // packed 4-bit and 6-bit elements, MXFP4 and NVFP4 consist of single bytes
}

void swapField(const Field& field, std::span<std::byte> block) {
    for (std::size_t i = 0; i < field.count; ++i) std::ranges::reverse(block.subspan(field.offset + i * field.stride, field.bytes));
}

} // namespace

void swapBlockBytes(Dtype dtype, std::span<std::byte> blocks) {
    const DtypeInfo& type = info(dtype);
    if (dtype == Dtype::Unknown || type.blockBytes == 1) return;
    const auto fields = typeFields(type);
    for (; blocks.size() >= type.blockBytes; blocks = blocks.subspan(type.blockBytes))
        for (const Field& field : fields) swapField(field, blocks.first(type.blockBytes));
}

} // namespace wb
