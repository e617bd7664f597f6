// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb::arch {

// Facts in a model's name, as authors write names: "Qwen3-235B-A22B-Instruct-2507". Parts that are not said stay
// empty. It is a reading of a name, not of a model: show it as such.
struct ModelName {
    std::string family;                            // "Qwen", "Llama", "gpt-oss"
    std::string version;                           // "3", "3.1", "v0.1", "R1"
    std::string variant;                           // "mini", "Coder", "Distill-Qwen"
    std::optional<std::uint64_t> parameters;       // in total
    std::optional<std::uint64_t> activeParameters; // per token, of a mixture of experts (A22B) or effective (E4B)
    std::optional<std::uint64_t> experts;          // 8 in 8x7B, 16 in 17B-16E
    std::optional<std::uint64_t> expertParameters; // 7 B in 8x7B; such names do not specify the total
    std::string stage;                             // "base", "instruct", "chat", "thinking", "reasoning", "sft", "dpo", …
    std::string date;                              // as written: "2507", "0528", "2024-07-18"; "08-2024" becomes "2024-08"
    std::string quantization;                      // "Q4_K_M", "AWQ", "FP8"
    std::optional<std::uint64_t> context;          // tokens, k = 1,024: 4,096 in "4k"
};

// Reads the last component of a path or repository id; extensions (.gguf …) and the number of a split part are omitted.
ModelName parseModelName(std::string_view name);

} // namespace wb::arch
