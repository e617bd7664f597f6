// SPDX-License-Identifier: MIT
#include "core/tensor/dtype.h"

#include "core/base/ascii.h"
#include "core/base/checked.h"

#include <algorithm>
#include <array>

namespace wb {
namespace {

using enum DtypeKind;

// clang-format off
constexpr std::array<DtypeInfo, static_cast<std::size_t>(Dtype::Count)> table = {{
    {Dtype::Unknown, "UNKNOWN", Unknown, 1, 0, false},
    {Dtype::F64, "F64", Float, 1, 8, true},
    {Dtype::F32, "F32", Float, 1, 4, true},
    {Dtype::F16, "F16", Float, 1, 2, true},
    {Dtype::BF16, "BF16", Float, 1, 2, true},
    {Dtype::F8_E4M3, "F8_E4M3", Float, 1, 1, true},
    {Dtype::F8_E5M2, "F8_E5M2", Float, 1, 1, true},
    {Dtype::F8_E4M3FNUZ, "F8_E4M3FNUZ", Float, 1, 1, true},
    {Dtype::F8_E5M2FNUZ, "F8_E5M2FNUZ", Float, 1, 1, true},
    {Dtype::F8_E8M0, "F8_E8M0", Float, 1, 1, false},
    {Dtype::F6_E2M3, "F6_E2M3", Float, 4, 3, true},
    {Dtype::F6_E3M2, "F6_E3M2", Float, 4, 3, true},
    {Dtype::F4, "F4", Float, 2, 1, true},
    {Dtype::I64, "I64", Integer, 1, 8, true},
    {Dtype::I32, "I32", Integer, 1, 4, true},
    {Dtype::I16, "I16", Integer, 1, 2, true},
    {Dtype::I8, "I8", Integer, 1, 1, true},
    {Dtype::U64, "U64", Integer, 1, 8, false},
    {Dtype::U32, "U32", Integer, 1, 4, false},
    {Dtype::U16, "U16", Integer, 1, 2, false},
    {Dtype::U8, "U8", Integer, 1, 1, false},
    {Dtype::Bool, "BOOL", Bool, 1, 1, false},
    {Dtype::C64, "C64", Complex, 1, 8, true},
    {Dtype::C128, "C128", Complex, 1, 16, true},
    {Dtype::Q4_0, "Q4_0", Block, 32, 18, true},
    {Dtype::Q4_1, "Q4_1", Block, 32, 20, true},
    {Dtype::Q5_0, "Q5_0", Block, 32, 22, true},
    {Dtype::Q5_1, "Q5_1", Block, 32, 24, true},
    {Dtype::Q8_0, "Q8_0", Block, 32, 34, true},
    {Dtype::Q8_1, "Q8_1", Block, 32, 36, true},
    {Dtype::Q2_K, "Q2_K", Block, 256, 84, true},
    {Dtype::Q3_K, "Q3_K", Block, 256, 110, true},
    {Dtype::Q4_K, "Q4_K", Block, 256, 144, true},
    {Dtype::Q5_K, "Q5_K", Block, 256, 176, true},
    {Dtype::Q6_K, "Q6_K", Block, 256, 210, true},
    {Dtype::Q8_K, "Q8_K", Block, 256, 292, true},
    {Dtype::IQ1_S, "IQ1_S", Block, 256, 50, true},
    {Dtype::IQ1_M, "IQ1_M", Block, 256, 56, true},
    {Dtype::IQ2_XXS, "IQ2_XXS", Block, 256, 66, true},
    {Dtype::IQ2_XS, "IQ2_XS", Block, 256, 74, true},
    {Dtype::IQ2_S, "IQ2_S", Block, 256, 82, true},
    {Dtype::IQ3_XXS, "IQ3_XXS", Block, 256, 98, true},
    {Dtype::IQ3_S, "IQ3_S", Block, 256, 110, true},
    {Dtype::IQ4_NL, "IQ4_NL", Block, 32, 18, true},
    {Dtype::IQ4_XS, "IQ4_XS", Block, 256, 136, true},
    {Dtype::TQ1_0, "TQ1_0", Block, 256, 54, true},
    {Dtype::TQ2_0, "TQ2_0", Block, 256, 66, true},
    {Dtype::MXFP4, "MXFP4", Block, 32, 17, true},
    {Dtype::NVFP4, "NVFP4", Block, 64, 36, true},
    {Dtype::Q1_0, "Q1_0", Block, 128, 18, true},
    {Dtype::Q2_0, "Q2_0", Block, 64, 18, true},
    {Dtype::I4, "I4", Integer, 1, 1, true},
    {Dtype::U4, "U4", Integer, 1, 1, false},
    {Dtype::I2, "I2", Integer, 1, 1, true},
    {Dtype::U2, "U2", Integer, 1, 1, false},
    {Dtype::C32, "C32", Complex, 1, 4, true},
}};
// clang-format on

constexpr bool inOrder() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].dtype) != i) return false;
    return true;
}
static_assert(inOrder(), "the table of types follows the enumeration");

constexpr Dtype none = Dtype::Unknown;
// clang-format off
constexpr std::array<Dtype, 43> byGgmlId = {
    Dtype::F32,    Dtype::F16,     Dtype::Q4_0,   Dtype::Q4_1,    none,          none,         Dtype::Q5_0,  Dtype::Q5_1,
    Dtype::Q8_0,   Dtype::Q8_1,    Dtype::Q2_K,   Dtype::Q3_K,    Dtype::Q4_K,   Dtype::Q5_K,  Dtype::Q6_K,  Dtype::Q8_K,
    Dtype::IQ2_XXS, Dtype::IQ2_XS, Dtype::IQ3_XXS, Dtype::IQ1_S,  Dtype::IQ4_NL, Dtype::IQ3_S, Dtype::IQ2_S, Dtype::IQ4_XS,
    Dtype::I8,     Dtype::I16,     Dtype::I32,    Dtype::I64,     Dtype::F64,    Dtype::IQ1_M, Dtype::BF16,  none,
    none,          none,           Dtype::TQ1_0,  Dtype::TQ2_0,   none,          none,         none,         Dtype::MXFP4,
    Dtype::NVFP4,  Dtype::Q1_0,    Dtype::Q2_0};
// clang-format on

} // namespace

const DtypeInfo& info(Dtype dtype) { return table[static_cast<std::size_t>(dtype)]; }

std::span<const DtypeInfo> allDtypes() { return std::span(table).subspan(1); }

std::optional<Dtype> dtypeFromName(std::string_view name) {
    for (const DtypeInfo& row : allDtypes())
        if (ascii::same(name, row.name)) return row.dtype;
    return std::nullopt;
}

std::optional<Dtype> dtypeFromGgmlId(std::uint32_t id) {
    if (id >= byGgmlId.size() || byGgmlId[id] == none) return std::nullopt;
    return byGgmlId[id];
}

std::optional<std::uint32_t> ggmlId(Dtype dtype) {
    const auto* const found = std::ranges::find(byGgmlId, dtype);
    if (dtype == none || found == byGgmlId.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - byGgmlId.begin());
}

unsigned packedBits(Dtype dtype) {
    switch (dtype) {
    case Dtype::I4:
    case Dtype::U4: return 4;
    case Dtype::I2:
    case Dtype::U2: return 2;
    default: return 0;
    }
}

std::optional<std::uint64_t> storedBytes(Dtype dtype, std::uint64_t elements) {
    const unsigned bits = packedBits(dtype);
    if (bits == 0) return rowBytes(dtype, elements);
    const std::uint64_t perByte = 8 / bits;
    return elements / perByte + (elements % perByte == 0 ? 0 : 1);
}

std::optional<std::uint64_t> rowBytes(Dtype dtype, std::uint64_t elements) {
    const DtypeInfo& row = info(dtype);
    if (elements % row.blockElements != 0) return std::nullopt;
    return checked::mul(elements / row.blockElements, row.blockBytes);
}

} // namespace wb
