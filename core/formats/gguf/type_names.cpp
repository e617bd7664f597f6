// SPDX-License-Identifier: MIT
#include "core/formats/gguf/type_names.h"

#include "core/model/fragments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wb::gguf {
namespace {

struct TypeNameRow {
    std::uint32_t id;
    const char* name;
};

// ggml-org/llama.cpp: ggml/include/ggml.h, the ids that are commented out there.
constexpr std::array removed = {TypeNameRow{4, "Q4_2"},        TypeNameRow{5, "Q4_3"},       TypeNameRow{31, "Q4_0_4_4"},
                                TypeNameRow{32, "Q4_0_4_8"},   TypeNameRow{33, "Q4_0_8_8"},  TypeNameRow{36, "IQ4_NL_4_4"},
                                TypeNameRow{37, "IQ4_NL_4_8"}, TypeNameRow{38, "IQ4_NL_8_8"}};

// ikawrakow/ik_llama.cpp: ggml/include/ggml.h.
constexpr std::array fork = {
    TypeNameRow{97, "Q8_0_X4"},    TypeNameRow{98, "Q8_1_X4"},     TypeNameRow{99, "Q8_2_X4"},    TypeNameRow{133, "Q6_0"},
    TypeNameRow{134, "IQ1_BN"},    TypeNameRow{135, "IQ2_BN"},     TypeNameRow{136, "Q8_K64"},    TypeNameRow{137, "IQ2_K"},
    TypeNameRow{138, "IQ3_K"},     TypeNameRow{139, "IQ4_K"},      TypeNameRow{140, "IQ5_K"},     TypeNameRow{141, "IQ6_K"},
    TypeNameRow{142, "IQ2_TN"},    TypeNameRow{143, "IQ1_TN"},     TypeNameRow{144, "IQ4_KS"},    TypeNameRow{145, "IQ2_KS"},
    TypeNameRow{146, "IQ4_KSS"},   TypeNameRow{147, "Q8_K16"},     TypeNameRow{148, "Q8_K32"},    TypeNameRow{149, "Q8_KR8"},
    TypeNameRow{150, "Q8_K128"},   TypeNameRow{151, "Q8_KV"},      TypeNameRow{152, "IQ5_KS"},    TypeNameRow{153, "IQ2_KT"},
    TypeNameRow{154, "IQ3_KT"},    TypeNameRow{155, "IQ4_KT"},     TypeNameRow{156, "IQ3_KS"},    TypeNameRow{157, "IQ2_KL"},
    TypeNameRow{158, "IQ1_KT"},    TypeNameRow{202, "Q4_0_R8"},    TypeNameRow{206, "Q5_0_R4"},   TypeNameRow{208, "Q8_0_R8"},
    TypeNameRow{210, "Q2_K_R4"},   TypeNameRow{211, "Q3_K_R4"},    TypeNameRow{212, "Q4_K_R4"},   TypeNameRow{213, "Q5_K_R4"},
    TypeNameRow{214, "Q6_K_R4"},   TypeNameRow{216, "IQ2_XXS_R4"}, TypeNameRow{217, "IQ2_XS_R4"}, TypeNameRow{218, "IQ3_XXS_R4"},
    TypeNameRow{219, "IQ1_S_R4"},  TypeNameRow{220, "IQ4_NL_R4"},  TypeNameRow{221, "IQ3_S_R4"},  TypeNameRow{222, "IQ2_S_R4"},
    TypeNameRow{223, "IQ4_XS_R8"}, TypeNameRow{229, "IQ1_M_R4"},   TypeNameRow{230, "BF16_R16"},  TypeNameRow{233, "Q6_0_R4"},
    TypeNameRow{335, "IQ2_BN_R4"}, TypeNameRow{337, "IQ2_K_R4"},   TypeNameRow{338, "IQ3_K_R4"},  TypeNameRow{339, "IQ4_K_R4"},
    TypeNameRow{340, "IQ5_K_R4"},  TypeNameRow{344, "IQ4_KS_R4"},  TypeNameRow{352, "IQ5_KS_R4"}, TypeNameRow{397, "Q8_K_R16"},
    TypeNameRow{398, "Q8_KV_R8"},  TypeNameRow{399, "Q8_K_R8"}};

} // namespace

ForeignType foreignType(std::uint32_t id) {
    if (const auto* row = std::ranges::find(removed, id, &TypeNameRow::id); row != removed.end())
        return {fmt::format("{} (removed)", row->name), fragmentText(fragment::removedType, std::to_string(id), row->name)};
    if (const auto* row = std::ranges::find(fork, id, &TypeNameRow::id); row != fork.end())
        return {row->name, fragmentText(fragment::forkType, std::to_string(id), row->name)};
    return {fmt::format("type {}", id), fragmentText(fragment::unknownType, std::to_string(id))};
}

} // namespace wb::gguf
