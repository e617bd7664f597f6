// SPDX-License-Identifier: MIT
#include "gpu/decode/tables.h"

#include "core/tensor/dtype.h"
#include "core/tensor/grids.h"
#include "gpu/shaders/decode_tables.h"
#include "gpu/shaders/dtypes.h"

#include <cstddef>

namespace wb::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

// The numbers of dtypes.h, in the order of the enumeration.
// clang-format off
constexpr int shaderDtypes[] = {
    WB_F64, WB_F32, WB_F16, WB_BF16, WB_F8_E4M3, WB_F8_E5M2, WB_F8_E4M3FNUZ, WB_F8_E5M2FNUZ, WB_F8_E8M0, WB_F6_E2M3, WB_F6_E3M2, WB_F4,
    WB_I64, WB_I32, WB_I16, WB_I8, WB_U64, WB_U32, WB_U16, WB_U8, WB_BOOL};
constexpr int shaderBlockDtypes[] = {
    WB_Q4_0, WB_Q4_1, WB_Q5_0, WB_Q5_1, WB_Q8_0, WB_Q8_1, WB_Q2_K, WB_Q3_K, WB_Q4_K, WB_Q5_K, WB_Q6_K, WB_Q8_K,
    WB_IQ1_S, WB_IQ1_M, WB_IQ2_XXS, WB_IQ2_XS, WB_IQ2_S, WB_IQ3_XXS, WB_IQ3_S, WB_IQ4_NL, WB_IQ4_XS,
    WB_TQ1_0, WB_TQ2_0, WB_MXFP4, WB_NVFP4, WB_Q1_0, WB_Q2_0};
// clang-format on

template <std::size_t count>
constexpr bool follows(const int (&numbers)[count], Dtype first) {
    for (std::size_t i = 0; i < count; ++i)
        if (numbers[i] != static_cast<int>(first) + static_cast<int>(i)) return false;
    return true;
}
static_assert(follows(shaderDtypes, Dtype::F64), "gpu/shaders/dtypes.h must follow core/tensor/dtype.h");
static_assert(follows(shaderBlockDtypes, Dtype::Q4_0), "gpu/shaders/dtypes.h must follow core/tensor/dtype.h");
static_assert(follows({WB_I4, WB_U4, WB_I2, WB_U2}, Dtype::I4), "gpu/shaders/dtypes.h must follow core/tensor/dtype.h");
static_assert(WB_U2 + 2 == static_cast<int>(Dtype::Count), "gpu/shaders/decode.glsl must know every type but C32");

template <std::size_t points>
void put(Words& words, std::size_t at, const std::array<std::uint64_t, points>& grid) {
    for (const std::uint64_t point : grid) {
        words[at++] = static_cast<std::uint32_t>(point);
        words[at++] = static_cast<std::uint32_t>(point >> 32);
    }
}

template <std::size_t points>
void put(Words& words, std::size_t at, const std::array<std::uint32_t, points>& grid) {
    for (const std::uint32_t point : grid) words[at++] = point;
}

Words makeTables() {
    Words words(WB_DECODE_TABLE_WORDS);
    put(words, WB_GRID_IQ2_XXS, grids::iq2Xxs);
    put(words, WB_GRID_IQ2_XS, grids::iq2Xs);
    put(words, WB_GRID_IQ2_S, grids::iq2S);
    put(words, WB_GRID_IQ1, grids::iq1);
    put(words, WB_GRID_IQ3_XXS, grids::iq3Xxs);
    put(words, WB_GRID_IQ3_S, grids::iq3S);
    for (std::size_t i = 0; i < tables::values_iq4.size(); ++i)
        words[WB_LEVELS_IQ4 + i / 4] |= std::uint32_t{static_cast<std::uint8_t>(tables::values_iq4[i])} << (8 * (i % 4));
    return words;
}

} // namespace

const std::vector<std::uint32_t>& decodeTables() {
    static const Words words = makeTables();
    return words;
}

} // namespace wb::gpu
