// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/hyperparameters.h"
#include "core/arch/model_spec.h"

#include <optional>

namespace wb::arch {

// Tokens that models reach whose rotation has an "alpha", whatever their config.json states (ggml-org/llama.cpp:
// conversion/hunyuan.py).
inline constexpr std::uint32_t alphaContext = 262'144;

// A Hugging Face config.json under GGUF's keys and types, as the reference converter writes them
// (docs/reference/conversion.md, "config.json → KV" and "Recipes"). What GGUF stores as tensors or not at all stands
// next to them.
struct ConfigKeys {
    std::string architecture;
    Hyperparameters keys;
    std::optional<bool> tied;
    RopeFactors factors;
};

// Unsupported, with the model_type, where the family is unknown. `file` names the config in errors.
Result<ConfigKeys> keysOfConfig(const ValueObject& config, const std::string& file);

} // namespace wb::arch
