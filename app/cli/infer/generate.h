// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// How `wb generate` and `wb chat` answer, as typed; what is absent comes from the model's file or the defaults.
struct AnswerOptions {
    std::size_t maxTokens = 0; // 0: to the end of the context
    std::optional<std::size_t> reasoningBudget;
    std::size_t context = 0; // 0: the model's, 8192 at most
    std::optional<float> temperature, topP, minP, typical, repeatPenalty, presencePenalty, frequencyPenalty;
    std::optional<int> topK, repeatLast;
    std::optional<float> dryMultiplier, dryBase, xtcProbability, xtcThreshold, mirostatTau, mirostatEta;
    std::optional<int> dryAllowed, dryLast, mirostat;
    std::optional<float> adaptiveTarget, adaptiveDecay;
    std::optional<std::string> grammar, jsonSchema; // files, at most one
    std::vector<std::string> logitBias;             // ID=V
    std::optional<std::uint32_t> seed;
    std::vector<std::string> stops;
    std::string cacheTypes; // K or K,V; empty: f16
    std::string gpuLayers;  // a number or all; empty: what fits
    bool ignoreEos = false;
    bool forgetsLoad = false; // what the load took is not remembered
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
