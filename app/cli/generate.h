// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// What `wb generate` was asked for, as typed; what is absent comes from the model's file or the defaults.
struct GenerateOptions {
    std::string model;
    std::optional<std::string> prompt;
    std::size_t maxTokens = 0; // 0: to the end of the context
    std::size_t context = 0;   // 0: the model's, 8192 at most
    std::optional<float> temperature, topP, minP, typical, repeatPenalty, presencePenalty, frequencyPenalty;
    std::optional<int> topK, repeatLast;
    std::vector<std::string> logitBias; // ID=V
    std::optional<std::uint32_t> seed;
    std::vector<std::string> stops;
    bool ignoreEos = false;
};

int generate(const Context& context, const GenerateOptions& options);

} // namespace wb::cli
