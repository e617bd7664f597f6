// SPDX-License-Identifier: MIT
#include "core/formats/gguf/type_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wb::gguf {
namespace {

struct Row {
    std::uint32_t id;
    const char* name;
};

// ggml-org/llama.cpp: ggml/include/ggml.h, the ids that are commented out there.
constexpr std::array removed = {Row{4, "Q4_2"},      Row{5, "Q4_3"},        Row{31, "Q4_0_4_4"},   Row{32, "Q4_0_4_8"},
                                Row{33, "Q4_0_8_8"}, Row{36, "IQ4_NL_4_4"}, Row{37, "IQ4_NL_4_8"}, Row{38, "IQ4_NL_8_8"}};

// ikawrakow/ik_llama.cpp: ggml/include/ggml.h.
constexpr std::array fork = {
    Row{97, "Q8_0_X4"},   Row{98, "Q8_1_X4"},    Row{99, "Q8_2_X4"},     Row{133, "Q6_0"},      Row{134, "IQ1_BN"},
    Row{135, "IQ2_BN"},   Row{136, "Q8_K64"},    Row{137, "IQ2_K"},      Row{138, "IQ3_K"},     Row{139, "IQ4_K"},
    Row{140, "IQ5_K"},    Row{141, "IQ6_K"},     Row{142, "IQ2_TN"},     Row{143, "IQ1_TN"},    Row{144, "IQ4_KS"},
    Row{145, "IQ2_KS"},   Row{146, "IQ4_KSS"},   Row{147, "Q8_K16"},     Row{148, "Q8_K32"},    Row{149, "Q8_KR8"},
    Row{150, "Q8_K128"},  Row{151, "Q8_KV"},     Row{152, "IQ5_KS"},     Row{153, "IQ2_KT"},    Row{154, "IQ3_KT"},
    Row{155, "IQ4_KT"},   Row{156, "IQ3_KS"},    Row{157, "IQ2_KL"},     Row{158, "IQ1_KT"},    Row{202, "Q4_0_R8"},
    Row{206, "Q5_0_R4"},  Row{208, "Q8_0_R8"},   Row{210, "Q2_K_R4"},    Row{211, "Q3_K_R4"},   Row{212, "Q4_K_R4"},
    Row{213, "Q5_K_R4"},  Row{214, "Q6_K_R4"},   Row{216, "IQ2_XXS_R4"}, Row{217, "IQ2_XS_R4"}, Row{218, "IQ3_XXS_R4"},
    Row{219, "IQ1_S_R4"}, Row{220, "IQ4_NL_R4"}, Row{221, "IQ3_S_R4"},   Row{222, "IQ2_S_R4"},  Row{223, "IQ4_XS_R8"},
    Row{229, "IQ1_M_R4"}, Row{230, "BF16_R16"},  Row{233, "Q6_0_R4"},    Row{335, "IQ2_BN_R4"}, Row{337, "IQ2_K_R4"},
    Row{338, "IQ3_K_R4"}, Row{339, "IQ4_K_R4"},  Row{340, "IQ5_K_R4"},   Row{344, "IQ4_KS_R4"}, Row{352, "IQ5_KS_R4"},
    Row{397, "Q8_K_R16"}, Row{398, "Q8_KV_R8"},  Row{399, "Q8_K_R8"}};

} // namespace

ForeignType foreignType(std::uint32_t id) {
    if (const auto* row = std::ranges::find(removed, id, &Row::id); row != removed.end())
        return {fmt::format("{} (removed)", row->name), fmt::format("its type {} ({}) was removed from the format", id, row->name)};
    if (const auto* row = std::ranges::find(fork, id, &Row::id); row != fork.end())
        return {row->name, fmt::format("its type {} ({}) exists only in ik_llama.cpp", id, row->name)};
    return {fmt::format("type {}", id), fmt::format("its type {} is not in this format", id)};
}

} // namespace wb::gguf
