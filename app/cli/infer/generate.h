// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/chat/completion_settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// How `wb generate` and `wb chat` answer, as typed.
struct AnswerOptions : chat::CompletionSettings {
    std::size_t context = 0;                        // 0: the usual one, or what memory is free for
    std::optional<std::string> grammar, jsonSchema; // files, at most one
    std::vector<std::string> logitBias;             // ID=V
    std::string cacheTypes;                         // K or K,V; empty: f16
    std::string gpuLayers;                          // a number or all; empty: what fits
    bool forgetsLoad = false;                       // what the load has claimed is not recorded
};

// `wb generate` as typed; one of prompt and messages is given.
struct GenerateOptions {
    std::string model;
    std::optional<std::string> prompt, messages; // a text; a file
    AnswerOptions answer;
};

int generate(const Context& context, const GenerateOptions& options);

// `wb chat` as typed.
struct ChatOptions {
    std::string model;
    std::string system;     // empty: none
    std::string load, save; // files of a conversation; empty: none
    AnswerOptions answer;
};

int chat(const Context& context, const ChatOptions& options);

} // namespace wb::cli
