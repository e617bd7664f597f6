// SPDX-License-Identifier: MIT
#include "core/formats/gguf/file_type.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>

namespace wb::gguf {
namespace {

using enum FileType;
constexpr std::array<FileTypeInfo, 37> table = {{
    {F32, "F32", 0, Dtype::F32, false},
    {F16, "F16", 1, Dtype::F16, false},
    {BF16, "BF16", 32, Dtype::BF16, false},
    {Q4_0, "Q4_0", 2, Dtype::Q4_0, true},
    {Q4_1, "Q4_1", 3, Dtype::Q4_1, true},
    {Q5_0, "Q5_0", 8, Dtype::Q5_0, true},
    {Q5_1, "Q5_1", 9, Dtype::Q5_1, true},
    {Q8_0, "Q8_0", 7, Dtype::Q8_0, true},
    {Q2_K, "Q2_K", 10, Dtype::Q2_K, true},
    {Q2_K_S, "Q2_K_S", 21, Dtype::Q2_K, true},
    {Q3_K_S, "Q3_K_S", 11, Dtype::Q3_K, true},
    {Q3_K_M, "Q3_K_M", 12, Dtype::Q3_K, true},
    {Q3_K_L, "Q3_K_L", 13, Dtype::Q3_K, true},
    {Q4_K_S, "Q4_K_S", 14, Dtype::Q4_K, true},
    {Q4_K_M, "Q4_K_M", 15, Dtype::Q4_K, true},
    {Q5_K_S, "Q5_K_S", 16, Dtype::Q5_K, true},
    {Q5_K_M, "Q5_K_M", 17, Dtype::Q5_K, true},
    {Q6_K, "Q6_K", 18, Dtype::Q6_K, true},
    {IQ1_S, "IQ1_S", 24, Dtype::IQ1_S, true},
    {IQ1_M, "IQ1_M", 31, Dtype::IQ1_M, true},
    {IQ2_XXS, "IQ2_XXS", 19, Dtype::IQ2_XXS, true},
    {IQ2_XS, "IQ2_XS", 20, Dtype::IQ2_XS, true},
    {IQ2_S, "IQ2_S", 28, Dtype::IQ2_XS, true},
    {IQ2_M, "IQ2_M", 29, Dtype::IQ2_S, true},
    {IQ3_XXS, "IQ3_XXS", 23, Dtype::IQ3_XXS, true},
    {IQ3_XS, "IQ3_XS", 22, Dtype::IQ3_S, true},
    {IQ3_S, "IQ3_S", 26, Dtype::IQ3_S, true},
    {IQ3_M, "IQ3_M", 27, Dtype::IQ3_S, true},
    {IQ4_NL, "IQ4_NL", 25, Dtype::IQ4_NL, true},
    {IQ4_XS, "IQ4_XS", 30, Dtype::IQ4_XS, true},
    {TQ1_0, "TQ1_0", 36, Dtype::TQ1_0, true},
    {TQ2_0, "TQ2_0", 37, Dtype::TQ2_0, true},
    {MXFP4_MOE, "MXFP4_MOE", 38, Dtype::MXFP4, true},
    {Q1_0, "Q1_0", 40, Dtype::Q1_0, true},
    {Q2_0, "Q2_0", 41, Dtype::Q2_0, true},
    {MXFP4, "MXFP4", 38, Dtype::MXFP4, false},
    {NVFP4, "NVFP4", 39, Dtype::NVFP4, false},
}};

constexpr bool inOrder() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].type) != i) return false;
    return true;
}
static_assert(inOrder(), "the table of file types follows the enumeration");

} // namespace

const FileTypeInfo& info(FileType type) { return table[static_cast<std::size_t>(type)]; }

std::span<const FileTypeInfo> allFileTypes() { return table; }

const FileTypeInfo* fileTypeOfValue(std::uint64_t value) {
    const auto* const found = std::ranges::find(table, value, &FileTypeInfo::value);
    return found == table.end() ? nullptr : found;
}

std::optional<FileType> fileTypeAround(Dtype base) {
    if (const auto named = fileTypeFromName(name(base)); named && info(*named).base == base) return named;
    const auto* const found = std::ranges::find(table, base, &FileTypeInfo::base); // the base of IQ2_S is IQ2_XS
    return found == table.end() ? std::nullopt : std::optional(found->type);
}

std::optional<FileType> fileTypeFromName(std::string_view name) {
    if (ascii::same(name, "Q3_K")) return Q3_K_M;
    if (ascii::same(name, "Q4_K")) return Q4_K_M;
    if (ascii::same(name, "Q5_K")) return Q5_K_M;
    for (const FileTypeInfo& row : table)
        if (ascii::same(name, row.name)) return row.type;
    return std::nullopt;
}

} // namespace wb::gguf
