// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/family_table.h"

#include <algorithm>
#include <array>

// The lists that the table of families is made of.
namespace wb::convert {

// Lists one after another.
template <typename Rule, std::size_t... counts>
constexpr auto joined(const std::array<Rule, counts>&... lists) {
    std::array<Rule, (counts + ...)> all{};
    auto at = all.begin();
    ((at = std::ranges::copy(lists, at).out), ...);
    return all;
}

// Tensors of a layer.
namespace layers {
extern const std::span<const NameRule> dense, denseHeadNorms, mixtral, qwen2moe, qwen3moe, olmo2, exaone4, starcoder2, cohere,
    gemma, gemma2, gemma3, gemma4, glm4, glm4moe, gptOss, gpt2, graniteMoe, phi2, phi3, stablelm;
}

// Tensors outside layers.
namespace outers {
extern const std::span<const NameRule> usual, gemma, gemma3, gemma4, gpt2, phi2;
}

// Pairs before general.file_type.
namespace pairs {
extern const std::span<const PairRule> usual, cohere, gemma, gemma3, glm4moe, gpt2, phi2, phi3, stablelm;
}

// Pairs after it.
namespace own {
extern const std::span<const PairRule> llama, granite, graniteMoe, qwen2moe, qwen3moe, cohere, cohere2, exaone4, gemma2, gemma3,
    gemma4, glm4, glm4moe, gptOss, ministral3, olmo3, phi2, phi3;
}

} // namespace wb::convert
